// SPDX-License-Identifier: MIT
// The Khronos glTF-Validator over many files.
//
//   node validate_outputs.mjs FILE.glb|FILE.gltf…
//
// Prints a JSON object: file → [{code, severity (0 error … 3 hint), pointer, message}]. External buffers are read beside the file.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import validator from 'gltf-validator';

const found = {};
for (const path of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(path)), {
    uri: path,
    maxIssues: 0,
    externalResourceFunction: async (uri) => new Uint8Array(await readFile(join(dirname(path), decodeURIComponent(uri)))),
  });
  found[path] = report.issues.messages.map(({ code, severity, pointer, message }) => ({ code, severity, pointer, message }));
}
console.log(JSON.stringify(found));
