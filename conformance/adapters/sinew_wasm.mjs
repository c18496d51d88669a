// SPDX-License-Identifier: MIT
// Adapter of Sinew's WebAssembly module; SINEW_WASM names the folder of its package (default: build/wasm/package).
import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { write } from './jobs.mjs';

const folder = resolve(process.env.SINEW_WASM ?? join(import.meta.dirname, '../../build/wasm/package'));
const { load } = await import(pathToFileURL(join(folder, 'sinew.js')));
const sinew = await load();

await write(({ model: path, clip, time, attribute }) => {
  const model = sinew.open(readFileSync(path), { name: basename(path), files: (name) => readFileSync(join(dirname(path), name)) });
  try {
    const deformer = model.deformer({ normals: attribute === 'normal', tangents: attribute === 'tangent' });
    const pose = model.pose();
    if (clip !== null) pose.sample(clip, time);
    return { numbers: deformer.deform(pose)[`${attribute}s`].slice(), width: attribute === 'tangent' ? 4 : model.dimension };
  } finally {
    model.free(); // with its deformers and poses
  }
});
