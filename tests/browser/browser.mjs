// SPDX-License-Identifier: MIT
// What the browser tests share: a server, a browser, a page that may not complain, pixels.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

export const PATIENCE_MS = 120_000; // of a busy machine without a graphics card
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function findBrowser() {
  return process.env.CHROMIUM ?? PROGRAMS.find((path) => existsSync(path));
}

// `ugoki view` on files: {url, base, token, stop()}.
export async function serve(files) {
  const child = spawn(process.env.UGOKI, ['view', ...files, '--no-open'], { stdio: ['ignore', 'pipe', 'pipe'] });
  process.on('exit', () => child.kill('SIGKILL')); // also when a test fails
  let text = '';
  const url = await new Promise((resolve, reject) => {
    const more = (data) => {
      text += data;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    };
    child.stdout.on('data', more);
    child.stderr.on('data', more);
    child.on('exit', (code) => reject(new Error(`ugoki view ended with ${code}: ${text}`)));
  });
  const address = new URL(url);
  return {
    url, base: address.origin, port: Number(address.port), token: address.searchParams.get('t'),
    stop: () => new Promise((resolve) => {
      child.removeAllListeners('exit');
      child.on('exit', (code, signal) => resolve(code ?? signal));
      child.kill('SIGINT');
    }),
  };
}

export function launch(more = []) {
  return chromium.launch({
    executablePath: findBrowser(), timeout: PATIENCE_MS,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', ...more],
  });
}

// A page that notes whatever the browser complains about, and every address it asks for.
export async function open(browser, url, { viewport = { width: 1280, height: 720 }, ...options } = {}) {
  const context = await browser.newContext({ viewport, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.complaints = [];
  page.asked = [];
  page.on('console', (m) => { if (['error', 'warning'].includes(m.type())) page.complaints.push(m.text()); });
  page.on('pageerror', (e) => page.complaints.push(e.message));
  page.on('request', (r) => page.asked.push(r.url()));
  await page.goto(url, { timeout: PATIENCE_MS });
  return page;
}

// Without antialiasing: twice as fast in software. With WebGL, where it is not switched off.
export async function openPlayer(browser, url, options) {
  const page = await open(browser, url.includes('?') ? `${url}&aa=0` : `${url}?aa=0`, options);
  await page.waitForFunction(() => window.ugoki?.firstWebGL > 0 || window.ugoki?.withoutWebGL || window.ugoki?.error);
  assert.equal(await page.evaluate(() => window.ugoki.error), undefined);
  return page;
}

// Until what was asked for is on the screen: the page draws in the next animation frame.
export async function drawn(page) {
  await page.waitForFunction(() => !window.ugoki.loading);
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))); }));
}

// Nothing to complain about. Software WebGL says that it is slow to read back; that is not ours.
export function noComplaints(page) {
  assert.deepEqual(page.complaints.filter((text) => !/GPU stall due to ReadPixels|swiftshader|GroupMarkerNotSet/i.test(text)), []);
}

// {colours, share(test)} of a part of the window, decoded by the browser itself.
export async function pixels(page, clip) {
  const png = await page.screenshot({ clip, timeout: PATIENCE_MS });
  const blank = await page.context().newPage();
  const list = await blank.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    const { data: bytes } = pen.getImageData(0, 0, image.width, image.height);
    const counts = new Map();
    for (let i = 0; i < bytes.length; i += 4) {
      const key = (bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2];
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts];
  }, png.toString('base64'));
  await blank.close();
  return {
    colours: list.length,
    // how many pixels are such that test(r, g, b)
    count: (test) => list.reduce((sum, [key, n]) => sum + (test(key >> 16, (key >> 8) & 255, key & 255) ? n : 0), 0),
  };
}

// frame,time,NAME.x,NAME.y,NAME.z,… as written by `export --what joints`: {names, rows}
export async function readJoints(path) {
  const lines = (await readFile(path, 'utf8')).trim().split('\n').map((line) => line.split(','));
  const names = new Map();
  lines[0].forEach((head, column) => {
    if (head.endsWith('.x') && !names.has(head.slice(0, -2))) names.set(head.slice(0, -2), column);
  });
  return { names, rows: lines.slice(1) };
}

// Joint places of the page against the file's at `count` frames; returns the worst distance, m.
export async function compareJoints(page, scene, path, count) {
  const { names, rows } = await readJoints(path);
  const joints = await page.evaluate((i) => window.ugoki.manifest(i).joints.map((j) => j.name), scene);
  let worst = 0, compared = 0;
  for (let k = 0; k < count; k++) {
    const frame = Math.round(k * (rows.length - 1) / (count - 1));
    const places = await page.evaluate(async ([i, f]) => {
      await window.ugoki.seek(f);
      return window.ugoki.jointPositions(i);
    }, [scene, frame]);
    assert.equal(await page.evaluate(() => window.ugoki.frame), frame);
    joints.forEach((name, j) => {
      const column = names.get(name);
      if (column === undefined || joints.indexOf(name) !== j) return;
      const there = [0, 1, 2].map((axis) => Number(rows[frame][column + axis]));
      worst = Math.max(worst, Math.hypot(...there.map((v, axis) => v - places[3 * j + axis])));
      compared++;
    });
  }
  assert.ok(compared >= 15 * count, `only ${compared} joint places could be compared`);
  assert.ok(worst < 1e-4, `a joint of the page is ${worst} m from the file's`);
  return worst;
}

export const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });
