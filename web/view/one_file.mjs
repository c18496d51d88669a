// SPDX-License-Identifier: MIT
// dist/index.html and what it names → dist/page.html, one file that needs no other, and dist/page.cpp, the same as a string of C++, with the
// WebAssembly module for exported pages if there is one. `node one_file.mjs dist [MODULE]`
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

const [folder, wasm] = process.argv.slice(2);
const read = (name) => readFileSync(join(folder, name), 'utf8');
const small = (bytes) => deflateSync(bytes, { level: 9 }).toString('base64');
const licence = readFileSync('node_modules/three/LICENSE', 'utf8').trim();

// The code is compressed; this runs it. The nonce is that of the served page's Content-Security-Policy.
const begin = `const { nonce } = document.currentScript;
const code = Uint8Array.from(atob(document.getElementById('code').textContent), (c) => c.charCodeAt(0));
new Response(new Blob([code]).stream().pipeThrough(new DecompressionStream('deflate'))).text().then((textContent) =>
  document.body.append(Object.assign(document.createElement('script'), { type: 'module', nonce, textContent })));`;

const page = read('index.html')
  .replace(/\s*<link rel="stylesheet"[^>]*href="\.\/([^"]+)"[^>]*>/g, (_, name) => `\n<style>\n${read(name)}</style>`)
  .replace(/\s*<script type="module"[^>]*src="\.\/([^"]+)"[^>]*><\/script>/g, '')
  .replace('</body>', () => {
    const name = read('index.html').match(/<script type="module"[^>]*src="\.\/([^"]+)"/)[1];
    return `<script type="text/plain" id="code">${small(read(name))}</script>\n<script nonce="SINEW_NONCE">\n${begin}\n</script>\n</body>`;
  })
  .replace('THREE_LICENCE', () => licence.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
if (/(src|href)="\.?\//.test(page)) throw new Error('the page still names other files');
writeFileSync(join(folder, 'page.html'), page);

// Bytes that are no plain ASCII as octal escapes, which end after three digits whatever follows.
const escaped = (byte) => {
  if (byte === 10) return '\\n';
  if (byte === 34 || byte === 92) return '\\' + String.fromCharCode(byte);
  return byte >= 32 && byte < 127 && byte !== 63 ? String.fromCharCode(byte) : '\\' + byte.toString(8).padStart(3, '0');
};
const literal = (name, text) => {
  const bytes = Buffer.from(text, 'utf8');
  let lines = '';
  for (let at = 0; at < bytes.length; at += 4096) lines += '    "' + Array.from(bytes.subarray(at, at + 4096), escaped).join('') + '"\n';
  return `const std::string_view app::${name}(\n${lines}    "", ${bytes.length});\n`;
};
const module = wasm ? JSON.stringify({ deflate: true, base64: small(readFileSync(wasm)) }) : '';
writeFileSync(join(folder, 'page.cpp'), `#include "page.hpp"\n\n${literal('page', page)}${literal('page_module', module)}`);
