// SPDX-License-Identifier: MIT
// node report.mjs REPORT.html: a report opened from disk, without a network and without a script.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { launch, noComplaints, open, openPlayer, pixels } from './browser.mjs';

const [file] = process.argv.slice(2);
const address = pathToFileURL(file).href;
const isFigure = (r, g, b) => b > r + 20 && b > 110; // the first scene's blue

async function draws(page) {
  const stage = page.locator('#player canvas').first();
  await stage.scrollIntoViewIfNeeded();
  const seen = await pixels(page, await stage.boundingBox());
  assert.ok(seen.colours > 200, `the player shows ${seen.colours} colours`);
  assert.ok(seen.count(isFigure) > 500, 'no figure to be seen');
}

async function leads(page) {
  const link = page.locator('#residuals-0 table a.frame').first();
  const frame = Number(await link.textContent());
  assert.ok(frame >= 0);
  await link.click();
  await page.waitForFunction((f) => window.ugoki.frame === f, frame);
  assert.ok(await page.evaluate(() => document.getElementById('player').getBoundingClientRect().top < innerHeight / 2));
  // a click into a chart goes to the frame below the pointer
  const chart = page.locator('#markers-0 svg.gaps');
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  const { left, right, frames } = await chart.evaluate((svg) => ({ ...svg.dataset }));
  const width = Number(await chart.evaluate((svg) => svg.viewBox.baseVal.width));
  const x = (Number(left) + (Number(right) - Number(left)) * 0.5) / width * box.width;
  await chart.click({ position: { x, y: box.height / 2 + 0.5 } });
  await page.waitForFunction((f) => Math.abs(window.ugoki.frame - f) <= 2, Number(frames) / 2);
}

async function withoutScript(browser) {
  const page = await open(browser, address, { javaScriptEnabled: false, offline: true });
  for (const id of ['summary-0', 'markers-0', 'residuals-0', 'limits-0', 'contacts-0', 'stages-0']) {
    assert.equal(await page.locator(`#${id}`).count(), 1, `no ${id}`);
  }
  assert.ok(await page.getByText('The player needs JavaScript').isVisible());
  const chart = await page.locator('#markers-0 svg.gaps').boundingBox();
  assert.ok(chart.width > 600 && chart.height > 300);
  await page.context().close();
}

async function fits(browser) {
  for (const [width, colorScheme] of [[1280, 'light'], [390, 'dark']]) {
    const page = await open(browser, address, { viewport: { width, height: 800 }, colorScheme, offline: true });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} wide in a window of ${width}`);
    await page.context().close();
  }
}

const browser = await launch();
try {
  const page = await openPlayer(browser, address, { offline: true });
  await draws(page);
  await leads(page);
  noComplaints(page);
  assert.deepEqual(page.asked.filter((url) => !url.startsWith('file:') && !url.startsWith('data:') && !url.startsWith('blob:')), []);
  await page.context().close();
  await withoutScript(browser);
  await fits(browser);
  console.log('the report opens from disk, draws, leads to its frames, and reads without a script');
} finally {
  await browser.close();
}
