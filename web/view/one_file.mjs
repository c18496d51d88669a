// SPDX-License-Identifier: MIT
// dist/index.html and what it names → dist/page.html, one file that needs no other, and dist/page.cpp, the same as a string of C++.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const read = (name) => readFileSync(join(folder, name), 'utf8');
const licence = readFileSync('node_modules/three/LICENSE', 'utf8').trim();

const page = read('index.html')
  .replace(/\s*<link rel="stylesheet"[^>]*href="\.\/([^"]+)"[^>]*>/g, (_, name) => `\n<style>\n${read(name)}</style>`)
  .replace(/\s*<script type="module"[^>]*src="\.\/([^"]+)"[^>]*><\/script>/g, '')
  .replace('</body>', () => {
    const name = read('index.html').match(/<script type="module"[^>]*src="\.\/([^"]+)"/)[1];
    return `<script type="module" nonce="SINEW_NONCE">\n${read(name).replaceAll('</script', '<\\/script')}</script>\n</body>`;
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
const bytes = Buffer.from(page, 'utf8');
let lines = '';
for (let at = 0; at < bytes.length; at += 4096) lines += '    "' + Array.from(bytes.subarray(at, at + 4096), escaped).join('') + '"\n';
writeFileSync(join(folder, 'page.cpp'), `#include "page.hpp"\n\nconst std::string_view app::page(\n${lines}    , ${bytes.length});\n`);
