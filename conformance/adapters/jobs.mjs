// SPDX-License-Identifier: MIT
// What the adapters in JavaScript share: reading the arguments and writing arrays.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export class Unsupported extends Error {}

// A file of the decoders that come with three.js.
export const library = (name) => readFileSync(new URL(import.meta.resolve(`three/examples/jsm/libs/${name}`)));

// The first bytes of a .npy file of doubles.
function header(rows, width) {
  const text = `{'descr': '<f8', 'fortran_order': False, 'shape': (${rows}, ${width}), }`.padEnd(117) + '\n';
  return Buffer.concat([Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, text.length, 0]), Buffer.from(text)]);
}

// Calls evaluate({model, clip, time, attribute}) for each group of five arguments; it returns the numbers of all vertices, and how many a
// vertex has.
export async function write(evaluate) {
  const words = process.argv.slice(2);
  for (let i = 0; i + 5 <= words.length; i += 5) {
    const [model, clip, time, attribute, output] = words.slice(i, i + 5);
    try {
      const { numbers, width } = await evaluate({ model, clip: clip === '-' ? null : Number(clip), time: Number(time), attribute });
      writeFileSync(output, Buffer.concat([header(numbers.length / width, width), Buffer.from(Float64Array.from(numbers).buffer)]));
    } catch (error) {
      const kind = error instanceof Unsupported ? 'unsupported' : 'failed';
      writeFileSync(`${output}.txt`, `${kind}: ${String(error.message ?? error).split('\n')[0].replace(/data:\{.*\}/, 'the model')}`);
    }
  }
}

// The JSON of a model.
function jsonOf(model) {
  const bytes = readFileSync(model);
  return JSON.parse(model.endsWith('.glb') ? bytes.subarray(20, 20 + bytes.readUInt32LE(12)) : bytes);
}

// For engines that read glTF and give positions: evaluate({model, clip, time}) returns three numbers for each vertex. Models that require
// one of the extensions `refused`, or use one of those `ignored`, are not covered.
export async function run(evaluate, refused = [], ignored = []) {
  await write(async ({ model, clip, time, attribute }) => {
    if (!/\.(gltf|glb)$/.test(model)) throw new Unsupported('this format');
    const { extensionsRequired = [], extensionsUsed = [] } = jsonOf(model);
    const missing = extensionsRequired.find((name) => refused.includes(name)) ?? extensionsUsed.find((name) => ignored.includes(name));
    if (missing) throw new Unsupported(missing);
    if (attribute !== 'position') throw new Unsupported(`${attribute}s on the CPU`);
    return { numbers: await evaluate({ model, clip, time }), width: 3 };
  });
}

// The bytes of a model. Files beside a .gltf become data URIs: Node.js has no server to load them from.
export function bytesOf(model) {
  const bytes = readFileSync(model);
  if (model.endsWith('.glb')) return bytes;
  const json = JSON.parse(bytes);
  if (json.extensionsUsed?.includes('STAIK_skeletons')) throw new Unsupported('STAIK_skeletons');
  for (const buffer of json.buffers ?? []) {
    if (!buffer.uri || buffer.uri.startsWith('data:')) continue;
    const content = readFileSync(join(dirname(model), decodeURIComponent(buffer.uri)));
    buffer.uri = `data:application/octet-stream;base64,${content.toString('base64')}`;
  }
  return Buffer.from(JSON.stringify(json));
}
