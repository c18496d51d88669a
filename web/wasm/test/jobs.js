// SPDX-License-Identifier: MIT
// What the tests have the package do, in Node and in a browser alike. A job: {file, name, files, poses?, normals?, tangents?}; with poses it
// is deformed, without validated. The answers are JSON: positions as base64 of their bytes, or an error's members.

/** @param {Float32Array} numbers */
const base64 = (numbers) => {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
};

const told = (SinewError, error) => {
  if (!(error instanceof SinewError)) throw error; // a trap, or a fault of the package
  const { failure, code, message, file, pointer, offset } = error;
  return { failure, code, message, file, pointer, offset };
};

/** `read`: the bytes of a file by its path. */
export async function run({ load, SinewError }, wasm, jobs, read) {
  const sinew = await load(wasm);
  const answers = [];
  for (const { file, name, files, poses, normals, tangents } of jobs) {
    const bytes = await read(file);
    const named = new Map();
    for (const [uri, path] of Object.entries(files ?? {})) named.set(uri, await read(path));
    try {
      if (!poses) {
        answers.push(sinew.validate(bytes, { name, files: named }));
        continue;
      }
      const model = sinew.open(bytes, { name, files: (uri) => named.get(uri) });
      const deformer = model.deformer({ normals, tangents });
      const pose = model.pose();
      const rows = poses.map(({ animation, time }) => {
        pose.reset();
        if (animation !== undefined) pose.sample(animation, time);
        const vertices = deformer.deform(pose);
        return [vertices.positions, vertices.normals, vertices.tangents].map((found) => (found ? base64(found) : null));
      });
      const { format, revision, dimension, nodes, animations } = model;
      answers.push({ rows, instances: deformer.instances, format, revision, dimension, nodes: nodes.length, animations });
      for (const handle of [pose, deformer, model]) handle.free();
    } catch (error) {
      answers.push({ error: told(SinewError, error) });
    }
  }
  return { version: sinew.version, answers };
}
