// SPDX-License-Identifier: MIT
// Fades from one animation to another, holds a sword, moves by its steps, and is picked: node play.mjs FIGURE
import { readFile } from 'node:fs/promises';
import { load } from 'sinew';

const sinew = await load();
const model = sinew.open(await readFile(process.argv[2]));
const shown = (number) => number.toFixed(3);

// Cross-fade: in 15 frames the walk turns into a slow one. The hips stay; their movement is the root motion.
const player = model.player(['Walk', { animation: 'Walk', weight: 0, speed: 0.5 }], { root: 'Hips' });
const moved = [0, 0, 0];
for (let frame = 1; frame <= 15; ++frame) {
  player.setWeight(0, 1 - frame / 15).setWeight(1, frame / 15).advance(1 / 60);
  player.rootMotion.forEach((step, i) => (moved[i] += step));
}
console.log(`times: ${shown(player.seconds(0))} and ${shown(player.seconds(1))} s`);
console.log(`root motion: ${shown(moved[1])} m up`);

// A sword in the hand: draw its model with this matrix, column-major, the translation last.
const hand = player.world('Hand.R');
console.log(`right hand: ${[...hand.subarray(9)].map(shown).join(' ')}`);

// Pick: the material of the triangle, and the bone that moves its nearest corner most.
const deformer = model.deformer();
deformer.deform(player.pose); // returns the positions to draw
const hit = deformer.hit([0, 1.3, 5], [0, 0, -1]);
if (hit) {
  const { material } = deformer.triangleRanges().find(({ first, count }) => hit.triangle < first + count);
  const row = deformer.triangles()[3 * hit.triangle + hit.barycentric.indexOf(Math.max(...hit.barycentric))];
  const { first, nodes, weights } = deformer.influences();
  const own = weights.subarray(first[row], first[row + 1]);
  const bone = nodes[first[row] + own.indexOf(Math.max(...own))];
  console.log(`picked: ${model.materials[material]} of ${model.nodes[bone]}, ${shown(hit.distance)} m away`);
}
for (const handle of [deformer, player, model]) handle.free();
