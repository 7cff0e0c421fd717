// SPDX-License-Identifier: MIT
// node view.mjs SOLVED JOINTS.csv OTHER: `ugoki view` as a user meets it, in a browser.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareJoints, drawn, launch, noComplaints, open, openPlayer, PATIENCE_MS, pixels, serve, sleep } from './browser.mjs';

const [solved, joints, other] = process.argv.slice(2);
const STAGE = { x: 260, y: 10, width: 760, height: 380 };
const read = (page, what) => page.evaluate(`window.ugoki.${what}`);
const isFigure = (r, g, b) => b > r + 20 && b > 110; // the first scene's blue

async function plays(page) {
  assert.equal(await read(page, 'playing'), false);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.ugoki.playing && window.ugoki.frame > 5);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  assert.equal(await read(page, 'playing'), false);
  // what was asked for before still comes, late on a busy machine; then there is nothing more
  let draws = -1;
  for (let k = 0; k < 20 && draws !== await read(page, 'counters.draws'); k++) {
    draws = await read(page, 'counters.draws');
    await sleep(500);
  }
  const frame = await read(page, 'frame');
  await sleep(1000);
  assert.equal(await read(page, 'counters.draws'), draws, 'it draws although nothing changes');
  assert.equal(await read(page, 'frame'), frame);
}

async function loops(page) {
  await page.evaluate(() => window.ugoki.seek(30));
  await page.keyboard.press('i');
  await page.evaluate(() => window.ugoki.seek(45));
  await page.keyboard.press('o');
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('4');
  await page.keyboard.press('Space');
  const seen = new Set();
  for (const end = Date.now() + PATIENCE_MS; (seen.size < 4 || Date.now() < end - PATIENCE_MS + 1500) && Date.now() < end;) {
    seen.add(await read(page, 'frame'));
    await sleep(30);
  }
  await page.keyboard.press('Space');
  assert.ok([...seen].every((f) => f >= 30 && f <= 45), `it left the range: ${[...seen]}`);
  assert.ok(seen.size > 2);
  await page.keyboard.press('Backspace');
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('1');
}

async function scrubs(page) {
  const frames = await read(page, 'scenes[0].frames');
  const box = await page.getByRole('slider', { name: 'Timeline' }).boundingBox();
  const left = box.x + 104, width = box.width - 120; // GUTTER and MARGIN of timeline.js
  await page.mouse.move(left + 5, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(left + width / 2, box.y + 10, { steps: 5 });
  await page.mouse.up();
  const half = await read(page, 'scenes[0].frames') / 2;
  await page.waitForFunction((f) => window.ugoki.frame > 0.9 * f, half);
  const frame = await read(page, 'frame');
  assert.ok(Math.abs(frame - frames / 2) < 0.02 * frames + 2, `half way is frame ${frame} of ${frames}`);
  const field = page.getByRole('textbox', { name: 'Frame' });
  await field.fill('123');
  await field.press('Enter');
  assert.equal(await read(page, 'frame'), 123);
  assert.equal(await page.getByRole('slider', { name: 'Timeline' }).getAttribute('aria-valuenow'), '123');
  // the source's own number stands beside it where it is another one
  const number = await read(page, 'number'), first = number - 123;
  const beside = page.getByText(`source ${number}`, { exact: true });
  assert.equal(await beside.count() > 0 && await beside.isVisible(), first !== 0, `the source calls it ${number}`);
}

async function keys(page) {
  await page.evaluate(() => window.ugoki.seek(100));
  await page.keyboard.press('ArrowRight');
  assert.equal(await read(page, 'frame'), 101);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  assert.equal(await read(page, 'frame'), 110);
  await page.keyboard.press('Shift+ArrowLeft');
  assert.equal(await read(page, 'frame'), 0);
  await page.keyboard.press('Shift+ArrowRight');
  assert.equal(await read(page, 'frame'), await read(page, 'scenes[0].frames') - 1);
  const eye = async () => {
    const { position: p, target: t } = await read(page, 'camera');
    const d = p.map((v, k) => v - t[k]), length = Math.hypot(...d);
    return d.map((v) => v / length);
  };
  await page.keyboard.press('Digit7');
  assert.ok((await eye())[1] > 0.99, 'seen from above');
  await page.keyboard.press('Numpad1');
  assert.ok((await eye())[2] > 0.99, 'seen from the front');
  await page.keyboard.press('Control+Digit1');
  assert.ok((await eye())[2] < -0.99, 'seen from behind');
  await page.keyboard.press('Digit3');
  assert.ok((await eye())[0] > 0.99, 'seen from +x, where the right of the front view is');
  await page.keyboard.press('Digit9');
  assert.ok((await eye())[0] < -0.99, 'seen from the other side');
  await page.keyboard.press('Control+Digit7');
  assert.ok((await eye())[1] < -0.99, 'seen from below');
  await page.keyboard.press('Home');
  await page.keyboard.press('.');
  await page.keyboard.press('Digit0');
  for (const [key, layer] of [['m', 'body'], ['b', 'bones'], ['k', 'markers'], ['x', 'axes'], ['r', 'residuals']]) {
    const before = await read(page, `show.${layer}`);
    await page.keyboard.press(key);
    assert.equal(await read(page, `show.${layer}`), !before, `${key} switches ${layer}`);
    await page.keyboard.press(key);
  }
  await page.keyboard.press('?');
  assert.ok(await page.getByRole('dialog', { name: 'Keys' }).isVisible());
  await page.keyboard.press('Escape');
  assert.ok(!await page.getByRole('dialog', { name: 'Keys' }).isVisible());
}

async function draws(page) {
  await page.evaluate(() => window.ugoki.seek(200));
  await page.keyboard.press('.');
  await drawn(page);
  const full = await pixels(page, STAGE);
  assert.ok(full.colours > 300, `only ${full.colours} colours: is it blank?`);
  const figure = full.count(isFigure);
  assert.ok(figure > 2000, `only ${figure} pixels of a figure`);
  for (const key of ['m', 'b']) await page.keyboard.press(key);
  await drawn(page);
  const bare = await pixels(page, STAGE);
  assert.ok(bare.count(isFigure) < figure / 10, 'the figure is still there when it is switched off');
  assert.ok(bare.count((r, g, b) => Math.min(r, g, b) > 150) > 100, 'no white markers are seen');
  for (const key of ['m', 'b']) await page.keyboard.press(key);
}

async function selects(page) {
  await page.evaluate(() => window.ugoki.seek(200));
  await page.keyboard.press('Digit1');
  await page.keyboard.press('.');
  await drawn(page);
  // a marker with gaps that stands alone in the picture
  const found = await page.evaluate(() => {
    const { markers, lanes } = window.ugoki.manifest(0);
    const at = markers.map((_, i) => window.ugoki.markerOnScreen(0, i));
    const room = (i) => Math.min(...at.map((p, k) => (p && k !== i ? Math.hypot(p[0] - at[i][0], p[1] - at[i][1]) : Infinity)));
    let best = null;
    markers.forEach(({ label, kind }, index) => {
      const lane = lanes.find((l) => l[0] === index);
      if (kind !== 'marker' || !lane || !at[index]) return;
      if (!best || room(index) > best.room) best = { index, label, at: at[index], room: room(index) };
    });
    return best;
  });
  assert.ok(found?.room > 5, 'a marker with gaps is on the screen');
  await page.mouse.move(...found.at);
  await page.locator('.ug-hot').waitFor();
  assert.match(await page.locator('.ug-hot').textContent(), new RegExp(`${found.label} · (measured|filled|computed|repaired)`));
  await page.mouse.click(...found.at);
  assert.equal((await read(page, 'selected')).index, found.index);
  const words = await page.getByRole('region', { name: 'Selected' }).innerText();
  assert.ok(words.includes(found.label) && words.includes('residual'), words);
  await page.keyboard.press(']'); // the next gap of this marker
  const frame = await read(page, 'frame');
  const starts = await page.evaluate((i) => window.ugoki.manifest(0).lanes.filter((l) => l[0] === i).map((l) => l[1]), found.index);
  assert.ok(starts.includes(frame), `${frame} is no start of a gap`);
  await page.keyboard.press('Alt+a');
  assert.equal(await read(page, 'selected'), null);
}

async function overlays(browser) {
  const server = await serve([solved, other]);
  const page = await openPlayer(browser, server.url);
  assert.equal((await read(page, 'scenes')).length, 2);
  await page.evaluate(() => window.ugoki.seek(250));
  const [a, b] = await page.evaluate(() => [window.ugoki.jointPositions(0), window.ugoki.jointPositions(1)]);
  assert.ok(a.length > 30 && b.length > 30 && a.slice(0, 30).some((v, i) => Math.abs(v - b[i]) > 1e-3), 'two different bodies');
  const isOther = (r, g, bl) => r > bl + 25 && r > 120 && g > bl; // not the red axis
  const both = await pixels(page, STAGE);
  assert.ok(both.count(isFigure) > 300 && both.count(isOther) > 300, 'both bodies are seen');
  await page.keyboard.press('s');
  assert.equal(await read(page, 'show.apart'), true);
  await page.getByRole('button', { name: /^Show / }).last().click();
  assert.equal(await read(page, 'scenes[1].shown'), false);
  await drawn(page);
  const one = await pixels(page, STAGE);
  assert.ok(one.count(isOther) < both.count(isOther) / 5, 'the hidden body is still seen');
  assert.ok(one.count(isFigure) > 300);
  await page.keyboard.press('a');
  assert.equal(await read(page, 'scenes[1].shown'), true);
  noComplaints(page);
  await page.context().close();
  assert.equal(await server.stop(), 0);
}

// The first picture is drawn without WebGL, and stays where there is none: the same as with it.
async function sketches(server, withWebGL) {
  const bare = await launch(['--disable-3d-apis']);
  try {
    const page = await openPlayer(bare, server.url);
    assert.equal(await read(page, 'withoutWebGL'), true);
    await page.getByText('gives the page no WebGL').waitFor();
    await page.waitForFunction(() => !window.ugoki.loading);
    const sketch = await pixels(page, STAGE);
    const share = sketch.count(isFigure) / withWebGL.count(isFigure);
    assert.ok(Math.abs(share - 1) < 0.1, `the sketch has ${share} times as many pixels of the figure`);
    const before = await read(page, 'counters.draws');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((n) => window.ugoki.counters.draws > n, before);
  } finally {
    await bare.close();
  }
}

async function refuses(browser, server) {
  const page = await open(browser, `${server.base}/?t=0000`);
  assert.equal(await page.evaluate(() => document.getElementById('ugoki')), null, 'a wrong token gets no page');
  await page.context().close();
  // a page of another origin: its request carries that Origin, and gets nothing back
  const foreign = await open(browser, 'about:blank');
  const got = await foreign.evaluate(async ([base, token]) => {
    try {
      const answer = await fetch(`${base}/scenes`, { headers: { 'X-Ugoki-Token': token } });
      return answer.status;
    } catch {
      return 'nothing';
    }
  }, [server.base, server.token]);
  assert.equal(got, 'nothing');
  await foreign.context().close();
  const ask = async (path, headers) => (await fetch(`${server.base}${path}`, { headers })).status;
  const token = { 'X-Ugoki-Token': server.token };
  assert.equal(await ask('/scenes', token), 200);
  assert.equal(await ask('/scenes', {}), 403);
  assert.equal(await ask('/scenes', { ...token, Origin: 'http://example.org' }), 403);
  assert.equal(await ask('/scenes/9/frames', token), 404);
  assert.equal(await ask('/../etc/passwd', token), 404);
}

// Until the page has not scrolled for half a second.
async function atRest(page) {
  await page.evaluate(() => new Promise((done) => {
    let last = window.scrollY, since = performance.now();
    const look = () => {
      if (window.scrollY !== last) [last, since] = [window.scrollY, performance.now()];
      if (performance.now() - since > 500) done(); else requestAnimationFrame(look);
    };
    look();
  }));
}

// Amid other things the player takes the keys only once it was clicked.
async function inReport(browser, folder, page) {
  const path = join(folder, 'report.html');
  await writeFile(path, page.replace('class="ug-page"', '').replace('<div id="ugoki">', '<h1>Report</h1><div id="ugoki">')
    .replace('</html>', '<p style="height: 3000px">More</p></html>'));
  const player = await openPlayer(browser, `file://${path}`, { offline: true });
  await player.mouse.move(600, 300);
  await player.mouse.wheel(0, 60);
  await player.waitForFunction(() => window.scrollY >= 60); // a wheel may be answered late
  await player.keyboard.press('Space');
  await player.waitForFunction(() => window.scrollY > 60);
  assert.equal(await read(player, 'playing'), false, 'keys of the page are not the player\'s');
  await atRest(player);
  await player.evaluate(() => window.scrollTo(0, 0));
  await atRest(player);
  await player.mouse.click(640, 120);
  await player.keyboard.press('Space');
  await player.waitForFunction(() => window.ugoki.playing && window.ugoki.frame !== 0);
  await player.keyboard.press('Space');
  const scrolled = await player.evaluate(() => window.scrollY);
  assert.equal(scrolled, 0, 'Space plays and does not scroll');
  noComplaints(player);
  await player.context().close();
}

// The same player in a page from disk, all data inside, no network: what a report does.
async function embeds(browser, server) {
  const token = { 'X-Ugoki-Token': server.token };
  const get = (path, headers = {}) => fetch(`${server.base}${path}`, { headers: { ...token, ...headers } });
  const page = await (await get(`/?t=${server.token}`)).text(), scenes = await (await get('/scenes')).text();
  const frames = Buffer.from(await (await get('/scenes/0/frames')).arrayBuffer());
  const data = `<script type="application/json" id="ugoki-scenes">${scenes.replaceAll('<', '\\u003c')}</script>\n` +
    `<script type="application/octet-stream" id="ugoki-frames-0">${frames.toString('base64')}</script>\n`;
  const folder = await mkdtemp(join(tmpdir(), 'ugoki-'));
  try {
    const path = join(folder, 'page.html');
    await writeFile(path, page.replace('<div id="ugoki">', () => `${data}<div id="ugoki">`));
    const player = await openPlayer(browser, `file://${path}`, { offline: true });
    const worst = await compareJoints(player, 0, joints, 20);
    await player.keyboard.press('Space');
    await player.waitForFunction(() => window.ugoki.playing && window.ugoki.frame !== 0);
    await player.keyboard.press('Space');
    assert.ok((await pixels(player, STAGE)).count(isFigure) > 1000);
    assert.deepEqual(player.asked.filter((u) => !u.startsWith('file:') && !u.startsWith('data:')), []);
    assert.equal(await read(player, 'counters.requests'), 0);
    noComplaints(player);
    await player.context().close();
    await inReport(browser, folder, page.replace('<div id="ugoki">', () => `${data}<div id="ugoki">`));
    console.log(`from disk: joints within ${worst.toExponential(1)} m`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const browser = await launch();
const server = await serve([solved]);
try {
  const page = await openPlayer(browser, server.url);
  const frames = await read(page, 'scenes[0].frames');
  console.log(`${frames} frames: first picture after ${(await read(page, 'firstPaint')).toFixed(0)} ms`);
  await page.waitForFunction(() => !window.ugoki.loading);
  const first = await pixels(page, STAGE);
  await plays(page);
  await scrubs(page);
  const worst = await compareJoints(page, 0, joints, 20);
  console.log(`served: joints within ${worst.toExponential(1)} m`);
  await keys(page);
  await draws(page);
  await selects(page);
  await loops(page);
  noComplaints(page);
  assert.deepEqual(page.asked.filter((u) => !u.startsWith(server.base) && !u.startsWith('data:')), []);
  await page.context().close();
  await overlays(browser);
  await sketches(server, first);
  await refuses(browser, server);
  await embeds(browser, server);
  assert.equal(await server.stop(), 0);
  console.log('the page does what it says');
} finally {
  await browser.close();

}
