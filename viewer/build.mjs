// SPDX-License-Identifier: MIT
// node build.mjs OUT_DIR: OUT_DIR/player.js, webgl.js and player.css, ready to stand inside an HTML page.
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
const script = { ...common, format: 'iife', target: 'es2022' };
const js = await build({ ...script, entryPoints: ['src/main.js'], banner: { js: '/* The player of ugoki, MIT. */' } });
// three.js is most of it and is needed last: the page keeps it as a text until then
const webgl = await build({
  ...script, entryPoints: ['src/webgl.js'], globalName: 'ugokiWebGL', footer: { js: 'window.ugokiWebGL=ugokiWebGL;' },
  banner: { js: '/* With three.js, https://threejs.org, MIT, © three.js authors. */' },
});
const css = await build({ ...common, entryPoints: ['style.css'] });

// An HTML page ends a script at the first of these, wherever it stands. In JavaScript both occur
// in texts and patterns only, where the backslash changes nothing.
const unended = (file) => file.text.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
const texts = {
  'player.js': [unended(js.outputFiles[0]), /<\/script|<!--/i],
  'webgl.js': [unended(webgl.outputFiles[0]), /<\/script|<!--/i],
  'player.css': [css.outputFiles[0].text.replace(/<\/(style)/gi, '<\\/$1'), /<\/style/i],
};
await mkdir(out, { recursive: true });
for (const [name, [text, bad]] of Object.entries(texts)) {
  if (bad.test(text)) throw new Error(`${name} still holds ${bad}`);
  await writeFile(join(out, name), text);
}
