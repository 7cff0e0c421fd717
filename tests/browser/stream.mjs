// SPDX-License-Identifier: MIT
// node stream.mjs LONG FRAMES: a long take comes in pieces, and is shown as it comes.
import assert from 'node:assert/strict';
import { launch, noComplaints, openPlayer, serve, sleep } from './browser.mjs';

const [long, count] = process.argv.slice(2);
const frames = Number(count), SEEKS = 20;
const browser = await launch();
const server = await serve([long]);
try {
  const page = await openPlayer(browser, server.url);
  assert.equal(await page.evaluate(() => window.ugoki.scenes[0].frames), frames);
  console.log(`${frames} frames: first picture after ${(await page.evaluate(() => window.ugoki.firstPaint)).toFixed(0)} ms`);
  await page.waitForFunction(() => !window.ugoki.loading);
  await sleep(500);
  const whole = await page.evaluate(() => window.ugoki.manifest(0).record_bytes * window.ugoki.manifest(0).record_count);
  const first = await page.evaluate(() => window.ugoki.counters.bytes);
  assert.ok(first > 0 && first < whole / 10, `${first} of ${whole} bytes were fetched to show one frame`);

  // far apart, so that each seek needs a piece that is not there
  const took = await page.evaluate(async ([n, seeks]) => {
    const times = [];
    for (let k = 0; k < seeks; k++) {
      const start = performance.now();
      await window.ugoki.seek((k * 7919 * 13) % n);
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b);
  }, [frames, SEEKS]);
  const at = (share) => took[Math.min(SEEKS - 1, Math.floor(share * SEEKS))].toFixed(0);
  console.log(`seek: median ${at(0.5)} ms, worst ${at(1)} ms, drawing included`);

  // one that takes its time: the number moves at once, the figure stays until the frame is there
  await page.evaluate(() => window.ugoki.seek(0));
  const before = await page.evaluate(() => window.ugoki.jointPositions(0));
  let release;
  const held = new Promise((done) => { release = done; });
  await page.route('**/frames', async (route) => { await held; await route.continue().catch(() => {}); });
  const target = Math.floor(frames / 2) + 777;
  const field = page.getByRole('textbox', { name: 'Frame' });
  await field.fill(String(target));
  await field.press('Enter');
  await page.getByText('loading').waitFor();
  assert.equal(await page.evaluate(() => window.ugoki.frame), target);
  assert.equal(await page.evaluate(() => window.ugoki.loading), true);
  const meanwhile = await page.evaluate(() => window.ugoki.jointPositions(0));
  assert.equal(meanwhile.length, before.length);
  assert.ok(meanwhile.every(Number.isFinite), 'something is shown while it loads');
  release();
  await page.waitForFunction(() => !window.ugoki.loading);
  await page.unroute('**/frames');
  const after = await page.evaluate(() => window.ugoki.jointPositions(0));
  assert.notDeepEqual(after, meanwhile);
  await page.evaluate((f) => window.ugoki.seek(f), target);
  assert.deepEqual(await page.evaluate(() => window.ugoki.jointPositions(0)), after);

  // all of it, once: memory stays within its bound
  await page.evaluate(async (n) => { for (let f = 0; f < n; f += Math.floor(n / 160)) await window.ugoki.seek(f); }, frames);
  const { bytes, chunks } = await page.evaluate(() => window.ugoki.counters);
  assert.ok(bytes > whole / 2);
  assert.ok(chunks[0] * 256 * 1024 <= 50 * 1024 * 1024, `${chunks[0]} pieces are kept`);

  await page.keyboard.press('Space');
  const start = await page.evaluate(() => window.ugoki.frame);
  await page.waitForFunction((f) => window.ugoki.frame !== f, start);
  await page.keyboard.press('Space');
  noComplaints(page);
  assert.equal(await server.stop(), 0);
  console.log(`it comes in pieces: ${(bytes / 1e6).toFixed(0)} MB fetched of ${(whole / 1e6).toFixed(0)}, ${chunks[0]} pieces kept`);
} finally {
  await browser.close();
}
