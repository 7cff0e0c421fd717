// SPDX-License-Identifier: MIT
// node screenshots.mjs RESULTS OUT_DIR: the pictures of docs/ from the folder of a demo take.
import { join } from 'node:path';
import { launch, openPlayer, serve, sleep } from './browser.mjs';

const [results, out] = process.argv.slice(2);
const take = (name) => join(results, name);

async function picture(browser, files, name, act) {
  const server = await serve(files);
  const page = await openPlayer(browser, server.url.replace('?', '?aa=1&'), { viewport: { width: 1280, height: 760 }, deviceScaleFactor: 1.5 });
  await act(page);
  await sleep(1500);
  await page.screenshot({ path: join(out, name) });
  await page.context().close();
  await server.stop();
}

const browser = await launch();
// the source markers on the solved body, one of them selected
await picture(browser, [take('4-solve.h5')], 'view.png', async (page) => {
  await page.evaluate(() => window.ugoki.seek(556));
  const marker = await page.evaluate(() => window.ugoki.manifest(0).markers.findIndex((m) => m.label === 'RWRB'));
  await page.mouse.click(...await page.evaluate((m) => window.ugoki.markerOnScreen(0, m), marker));
  await page.mouse.move(900, 60);
});
// the same walk on other characters, side by side
await picture(browser, [take('4-solve.h5'), take('5-retarget-troll.h5'), take('5-retarget-long_legs.h5')], 'view-characters.png', async (page) => {
  await page.evaluate(() => window.ugoki.seek(560));
  await page.getByRole('button', { name: 'Lanes of 5-retarget-troll.h5' }).click();
  await page.keyboard.press('s');
  await page.mouse.click(900, 60);
});
await browser.close();
