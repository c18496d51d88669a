// SPDX-License-Identifier: MIT
// node speed.mjs PACKAGE MODEL…: milliseconds to compile the module, and per model to open it and to pose and deform it once; medians.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, ...paths] = process.argv.slice(2);
const { load } = await import(pathToFileURL(`${folder}/sinew.js`).href);
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const milliseconds = (work) => {
  const start = performance.now();
  const result = work();
  return [performance.now() - start, result];
};

const start = performance.now();
const sinew = await load();
console.log(`load ${(performance.now() - start).toFixed(1)} ms`);
for (const path of paths) {
  const bytes = readFileSync(path);
  const opened = median(
    Array.from({ length: 9 }, () => {
      const [time, model] = milliseconds(() => sinew.open(bytes));
      model.free();
      return time;
    }),
  );
  const model = sinew.open(bytes);
  const deformer = model.deformer();
  const pose = model.pose();
  const frame = (i) => milliseconds(() => deformer.deform(model.animations.length > 0 ? pose.reset().sample(0, (i % 100) / 100) : pose))[0];
  for (let i = 0; i < 100; ++i) frame(i);
  const frames = median(Array.from({ length: 200 }, (_, i) => frame(i)));
  console.log(`${path}: ${deformer.vertices} vertices, open ${opened.toFixed(2)} ms, pose and deform ${frames.toFixed(3)} ms`);
}
