// SPDX-License-Identifier: MIT
// The capabilities of capabilities.json in JavaScript: node capabilities.mjs PACKAGE FILE NODE SHAPE, as capabilities.cpp.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, path, node, shape] = process.argv.slice(2);
const { load, SinewError } = await import(pathToFileURL(`${folder}/sinew.js`).href);
const sinew = await load();
const say = (id, ...lists) => console.log([id, ...lists.flatMap((list) => [...list])].join(' '));

const file = { name: basename(path), files: (name) => readFileSync(join(dirname(path), name)) };
const model = sinew.open(readFileSync(path), file);
const n = model.dimension;
const rotor = new Array(2 ** (n - 1)).fill(0);
rotor.splice(0, 2, Math.cos(0.2), Math.sin(0.2));
say('load', [n, model.nodes.length, model.meshes.length, model.animations.length]);
const pose = model.pose();
const [clip] = model.animations;
if (clip) {
  say('find', [model.find('node', node), model.find('animation', clip.name || '0')]);
  say('sample', pose.sample(0, 0.3 * clip.duration).worlds());
}
say('world', model.pose().worlds());
say('turn', model.pose().turn(node, rotor).worlds());
if (shape !== '-') say('blend', model.deformer().deform(model.pose().blend(shape, 0.3)).positions);

for (const [id, normals] of [['stored_normals', true], ['computed_normals', 'computed']]) {
  const vertices = model.deformer({ normals, tangents: true }).deform(pose);
  say(id, vertices.normals);
  if (normals === true && n === 3) say('tangents', vertices.tangents);
}

const deformer = model.deformer();
const positions = deformer.deform(pose).positions.slice();
const triangles = deformer.triangles();
say('positions', positions);
say('triangles', triangles);
say('ranges', deformer.triangleRanges().flatMap((range) => [range.first, range.count, range.instance, range.surface, range.material ?? -1]));
try {
  say('texture_coordinates', deformer.textureCoordinates(pose));
} catch (error) {
  if (!(error instanceof SinewError) || error.failure !== 'usage') throw error; // G4MF
}
const influences = deformer.influences();
say('influences', influences.first, influences.nodes, influences.weights);
say('boxes', deformer.boneBoxes(0.25));
if (n === 3 && triangles.length > 0) {
  const at = 3 * Math.floor(triangles.length / 6);
  const corners = [...triangles.subarray(at, at + 3)];
  const middle = [0, 1, 2].map((c) => corners.reduce((sum, row) => sum + positions[3 * row + c] / 3, 0));
  const met = deformer.hit([middle[0], middle[1], middle[2] + 10], [0, 0, -1]);
  say('hit', met ? [met.instance, met.triangle, ...met.barycentric, met.distance] : [-1]);
}

if (clip) {
  const mask = model.nodes.map((_, i) => (i % 2 === 0 ? 1 : 0.25));
  const player = model.player([
    { animation: 0, weight: 0.75, seconds: 0.2 },
    { animation: 0, weight: 0.25, speed: -0.5, loops: false },
    { animation: 0, weight: 0.5, additive: true, mask },
  ]);
  for (let frame = 0; frame < 3; ++frame) player.advance(0.35);
  player.setWeight(0, 0.5).setSpeed(0, 2).seek(2, 0.1).advance(0.1);
  say('player', player.pose.worlds());
  say('loops', [0, 1, 2].map((i) => player.seconds(i)));
  say('socket', player.world(node));
  say('root_motion', model.player([0], { root: node }).advance(clip.duration * 1.75).rootMotion);
}

const { issues, modelIssues } = sinew.validate(readFileSync(path), file);
say('validate', [issues.numErrors + modelIssues.numErrors]);
