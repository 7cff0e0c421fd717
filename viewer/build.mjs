// SPDX-License-Identifier: MIT
// node build.mjs OUT_DIR: OUT_DIR/player.js and player.css, ready to stand inside an HTML page.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const out = process.argv[2];
if (!out) {
  console.error('usage: node build.mjs OUT_DIR');
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
const common = { absWorkingDir: here, bundle: true, minify: true, write: false, legalComments: 'none', charset: 'utf8', logLevel: 'warning' };
const js = await build({
  ...common, entryPoints: ['src/main.js'], format: 'iife', target: 'es2022',
  banner: { js: '/* The player of ugoki, MIT. With three.js, https://threejs.org, MIT, © three.js authors. */' },
});
const css = await build({ ...common, entryPoints: ['style.css'] });

// An HTML page ends a script at the first of these, wherever it stands. In JavaScript both occur
// in texts and patterns only, where the backslash changes nothing.
const script = js.outputFiles[0].text.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
const style = css.outputFiles[0].text.replace(/<\/(style)/gi, '<\\/$1');
for (const [text, bad] of [[script, /<\/script|<!--/i], [style, /<\/style/i]]) {
  if (bad.test(text)) throw new Error(`the bundle still holds ${bad}`);
}
await mkdir(out, { recursive: true });
await writeFile(join(out, 'player.js'), script);
await writeFile(join(out, 'player.css'), style);
