// SPDX-License-Identifier: MIT
// What the interface promises besides right numbers: errors, handles, memory.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { load, SinewError } from 'sinew';

const sinew = await load();
const bytes = (name) => readFileSync(`samples/${name}`);
const skin = () => sinew.open(bytes('gltf/simple_skin.gltf'), { name: 'skin.gltf' });
const fails = (work, failure, says) => assert.throws(work, (error) => error instanceof SinewError && error.failure === failure && says.test(error.message), String(says));

// Options and arguments
fails(() => sinew.open('text'), 'usage', /ArrayBuffer/);
fails(() => sinew.open(bytes('gltf/simple_skin.gltf'), { revision: '1999' }), 'usage', /2026-07/);
fails(() => sinew.open(bytes('gltf/simple_skin.gltf'), { maxMemory: -1 }), 'usage', /maxMemory/);
fails(() => sinew.open(bytes('gltf/simple_skin.gltf'), { maxMemory: 100 }), 'limit', /100/);
fails(() => sinew.open(bytes('gltf/simple_skin.gltf'), { name: 'a\0b' }), 'usage', /NUL/);
fails(() => sinew.open(bytes('gltf/simple_skin.gltf'), { name: 3 }), 'usage', /name: expected a string/);
fails(() => sinew.open(bytes('gltf/simple_skin.gltf'), { files: 3 }), 'usage', /files: expected/);
fails(() => sinew.open(bytes('gltf/simple_skin.gltf'), { memory: 3 }), 'usage', /unknown option "memory"; expected .*maxMemory/);
fails(() => sinew.validate(bytes('gltf/simple_skin.gltf'), null), 'usage', /expected an object/);
await assert.rejects(load(7), SinewError);
const model = skin();
assert.deepEqual([model.format, model.revision, model.dimension, model.nodes.length], ['glTF', '2.0', 3, 3]);
assert.equal(model.find('node', 'Upper'), 2);
fails(() => model.find('node', 'nobody'), 'usage', /nobody/);
fails(() => model.find('bone', 'Upper'), 'usage', /unknown kind "bone"/);
fails(() => model.deformer({ scene: 5 }), 'usage', /scene 5/);
fails(() => model.deform({ animation: 7 }), 'usage', /animation 7/);
fails(() => model.deform({ animation: 'Swing', time: Number.NaN }), 'usage', /^the time is not finite/);
fails(() => model.deform({ anim: 'Swing' }), 'usage', /unknown option "anim"/);
fails(() => model.deform({ time: 1 }), 'usage', /needs an animation/);
fails(() => model.deformer({ normal: true }), 'usage', /unknown option "normal"/);
fails(() => model.deform({ animation: -1 }), 'usage', /index/);

// Errors tell the place
const broken = new TextEncoder().encode('{"asset": {"version": "2.0"}, "meshes": [{}]}');
assert.throws(
  () => sinew.open(new TextEncoder().encode('{"asset": '), { name: 'half.gltf' }),
  (error) => error.code === 'INVALID_JSON' && error.file === 'half.gltf' && error.offset === 10 && error.pointer === '',
);
assert.equal(sinew.validate(broken, { name: 'broken.gltf' }).issues.messages[0].pointer, '/meshes/0');

// Poses
const pose = model.pose();
const deformer = model.deformer({ normals: false });
assert.equal(deformer.vertices, 10);
assert.deepEqual([...deformer.instances], [{ node: 0, mesh: 0, first: 0, vertices: 10 }]);
const rest = deformer.deform(pose).positions.slice();
assert.deepEqual(model.deform(), rest);
const posed = deformer.deform(pose.sample('Swing', 1.375)).positions.slice();
assert.notDeepEqual(posed, rest);
assert.deepEqual(model.deform({ animation: 'Swing', time: 1.375 }), posed);
assert.deepEqual(model.deform({ pose }), posed);
assert.deepEqual(deformer.deform(pose.reset()).positions, rest);
fails(() => model.deform({ pose, animation: 0 }), 'usage', /not both/);
fails(() => pose.set(9, { translation: [0, 0, 0] }), 'usage', /node 9/);
fails(() => pose.set('Upper', { translation: [0, 0] }), 'usage', /expected 3/);
fails(() => pose.set('Upper', { rotor: [1, 0] }), 'usage', /rotor/);
fails(() => pose.set('Upper', { rotation: [0, 0, 0, 1] }), 'usage', /unknown option "rotation"; expected .*quaternion/);
fails(() => pose.set('Upper', { translation: null }), 'usage', /translation: expected an array/);
fails(() => pose.set('Upper'), 'usage', /expected an object/);
fails(() => pose.set('Upper', { scale: [1, Number.NaN, 1] }), 'usage', /finite/);
fails(() => pose.set('Rectangle', { amounts: [1] }), 'usage', /amounts/);
assert.deepEqual(deformer.deform(pose).positions, rest);
pose.set('Upper', { translation: [0, 1, 5], scale: [1, 1, 1], rotor: [1, 0, 0, 0] });
assert.notDeepEqual(deformer.deform(pose).positions, rest);
assert.equal(deformer.deform(pose).normals, undefined);
const other = skin();
const foreign = other.pose();
fails(() => deformer.deform(foreign), 'usage', /another model/);

// The rig
assert.deepEqual([model.parent('Upper'), model.parent(0), model.joints(0)], [1, undefined, [1, 2]]);
fails(() => model.joints(1), 'usage', /skin 1 does not exist/);
fails(() => model.parent(3), 'usage', /node 3 does not exist/);

// Poses, read and changed by name
const half = Math.SQRT1_2;
pose.reset().turn('Upper', [half, half, 0, 0]);
assert.ok(Math.abs(pose.rotor('Upper')[1] - half) < 1e-12);
assert.deepEqual([...pose.translation(2)], [0, 1, 0]);
assert.deepEqual([...pose.scale(2)], [1, 1, 1]);
assert.deepEqual([...pose.matrix(0)], [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
assert.equal(pose.worlds().length, 36);
assert.deepEqual([...pose.worlds()].slice(33), [0, 1, 0]);
fails(() => pose.turn('Uper', [1, 0, 0, 0]), 'usage', /Upper/);
fails(() => pose.turn('Upper', 3), 'usage', /rotor: expected an array/);
fails(() => pose.matrix(9), 'usage', /node 9/);
const cube = sinew.open(bytes('gltf/morph_cube.gltf'));
const shaped = cube.pose();
const { shapeNames } = cube.meshes[0];
assert.equal(shapeNames.length, 2);
shaped.blend(shapeNames[1] || 1, 0.25);
const shown = cube.deformer({ normals: true });
assert.deepEqual([...shaped.amounts(shown.instances[0].node)].slice(1), [0.25]);
fails(() => shaped.blend('grin', 1), 'usage', /grin/);
fails(() => shaped.blend(0, Number.NaN), 'usage', /amount: expected a finite/);
fails(() => shaped.express({ happy: 1 }), 'usage', /happy/);
fails(() => shaped.express(), 'usage', /express: expected an object/);

// Normals: those of the file, NaN without, or computed
const without = model.deformer({ normals: true }).deform(model.pose());
assert.ok(without.normals.every(Number.isNaN));
const computed = model.deformer({ normals: 'computed' }).deform(model.pose());
assert.deepEqual([...computed.normals.subarray(27)], [0, 0, 1]);
const tangents = model.deformer({ tangents: true }).deform(model.pose());
assert.ok(tangents.tangents.every(Number.isNaN) && tangents.normals !== undefined);
fails(() => model.deformer({ normals: 'smooth' }), 'usage', /normals: expected true, false or "computed"/);

// Triangles, what they belong to, and what moves the rows
const parts = model.deformer();
assert.equal(parts.triangles().length, 24);
assert.deepEqual(parts.triangleRanges(), [{ first: 0, count: 8, instance: 0, surface: 0, material: undefined }]);
const { first, nodes, weights } = parts.influences();
assert.deepEqual([first.length, first[10], nodes.length, weights.length], [11, 16, 16, 16]);
assert.deepEqual([nodes[0], weights[0], nodes[15], weights[15], weights[2] + weights[3]], [1, 1, 2, 1, 1]);
assert.deepEqual(model.deformer({ maxInfluences: 1 }).influences().first[10], 10);
assert.ok(parts.textureCoordinates(pose).every(Number.isNaN) && parts.textureCoordinates(pose).length === 20);
const globe = sinew.open(bytes('show/globe.gltf'));
const ball = globe.deformer();
assert.deepEqual(ball.triangleRanges().map(({ surface, material }) => [surface, material]), [[0, 0]]);
const two = JSON.parse(new TextDecoder().decode(bytes('show/globe.gltf')));
two.meshes[0].primitives.push({ ...two.meshes[0].primitives[0], material: 1 });
const twice = sinew.open(new TextEncoder().encode(JSON.stringify(two))).deformer();
const [{ count }] = ball.triangleRanges();
assert.deepEqual(twice.triangleRanges(), [
  { first: 0, count, instance: 0, surface: 0, material: 0 },
  { first: count, count, instance: 0, surface: 2, material: 1 },
]);
const coordinates = ball.textureCoordinates(globe.pose());
assert.ok(coordinates[0] >= 0 && coordinates[0] <= 1 && Number.isNaN(coordinates.at(-1)));
fails(() => parts.boneBoxes(), 'usage', /deform\(\) before/);
parts.deform(pose.reset());
assert.deepEqual([...parts.boneBoxes(0.5)].slice(6), [-0.5, 0, 0, 0.5, 0.5, 0, -0.5, 1.5, 0, 0.5, 2, 0]);
assert.ok(parts.boneBoxes().subarray(0, 6).every(Number.isNaN));
fails(() => parts.boneBoxes(-1), 'usage', /least weight/);

// Picking
fails(() => model.deformer().hit([0, 0, 0], [0, 0, 1]), 'usage', /deform\(\) before/);
const met = parts.hit([0.25, 1.2, 3], [0, 0, -2]);
assert.equal(met.instance, 0);
assert.ok(Math.abs(met.distance - 1.5) < 1e-9 && Math.abs(met.barycentric.reduce((sum, x) => sum + x) - 1) < 1e-12);
const corners = parts.triangles().subarray(3 * met.triangle, 3 * met.triangle + 3);
const x = met.barycentric.reduce((sum, weight, k) => sum + weight * rest[3 * corners[k]], 0);
assert.ok(Math.abs(x - 0.25) < 1e-6);
assert.equal(parts.hit([0.25, 1.2, 3], [0, 0, 1]), undefined);
fails(() => parts.hit([0, 0, 0], [0, 0, 0]), 'usage', /direction is 0/);
fails(() => parts.hit([0, 0], [0, 0, 1]), 'usage', /origin: expected 3 numbers, found 2/);

// Playing: one clip is sample(); two share by their weights; masks, root motion, loops
const player = model.player(['Swing']);
player.advance(1.375);
assert.deepEqual(parts.deform(player.pose).positions.slice(), posed);
assert.deepEqual([...player.world('Upper')], [...player.pose.worlds()].slice(24));
assert.deepEqual(player.world(2), player.world('Upper'));
player.advance(5.5 - 1.375 + 0.25);
assert.ok(Math.abs(player.seconds(0) - 0.25) < 1e-12);
player.setSpeed(0, -2).seek(0, 3).advance(1);
assert.equal(player.seconds(0), 1);
player.setWeight(0, 0).advance(0);
assert.deepEqual(parts.deform(player.pose).positions.slice(), rest);
const masked = model.player([{ animation: 'Swing', seconds: 1.375, mask: [1, 1, 0] }, { animation: 0, weight: 0, speed: 0.5, loops: false }]);
assert.deepEqual(parts.deform(masked.pose).positions.slice(), rest);
masked.advance(100);
assert.equal(masked.seconds(1), 5.5);
const figure = sinew.open(bytes('show/figure.gltf'));
const walker = figure.player([{ animation: 'Walk', seconds: 0.25 }], { root: 'Hips' });
const before25 = [...figure.pose().sample('Walk', 0.25).translation('Hips')];
const after50 = [...figure.pose().sample('Walk', 0.5).translation('Hips')];
walker.advance(0.25).rootMotion.forEach((moved, i) => assert.ok(Math.abs(moved - (after50[i] - before25[i])) < 1e-12));
assert.deepEqual(walker.pose.translation('Hips'), figure.pose().translation('Hips'));
const additive = figure.player([{ animation: 'Walk', seconds: 0, additive: true }]);
assert.ok(additive.pose.matrix('Thigh.L').every((number, i) => Math.abs(number - figure.pose().matrix('Thigh.L')[i]) < 1e-12));
fails(() => model.player(['Run']), 'usage', /Run/);
fails(() => model.player('Swing'), 'usage', /clips: expected an array/);
fails(() => model.player([{ animation: 0, weight: -1 }]), 'usage', /weight/);
fails(() => model.player([{ animation: 0, speed: Infinity }]), 'usage', /speed: expected a finite/);
fails(() => model.player([{ animation: 0, mask: [1] }]), 'usage', /mask: expected 3 numbers, found 1/);
fails(() => model.player([{ clip: 0 }]), 'usage', /unknown option "clip"; expected animation/);
fails(() => model.player([0], { root: 'Hip' }), 'usage', /Hip/);
fails(() => player.setWeight(1, 1), 'usage', /clip: expected an index below 1/);
fails(() => player.setWeight(0, -1), 'usage', /negative/);
fails(() => player.advance(Infinity), 'usage', /seconds: expected a finite/);
fails(() => player.world('Hand'), 'usage', /Hand/);
player.free();
player.free();
fails(() => player.advance(0), 'usage', /freed/);
fails(() => player.pose.reset(), 'usage', /freed/);

// Any dimension
const four = sinew.open(bytes('g4mf/arm_4d.g4tf'));
assert.equal(four.dimension, 4);
assert.equal(four.deform().length % 4, 0);
const arms = four.deformer();
arms.deform(four.pose());
fails(() => arms.hit([0, 0, 0], [0, 0, 1]), 'usage', /three dimensions/);
fails(() => arms.textureCoordinates(four.pose()), 'usage', /by corner/);
assert.equal(arms.boneBoxes().length, 8 * four.nodes.length);
assert.equal(arms.triangles().length % 4, 0);

// Handles: freed once or often, then refused; what was made from a model outlives it
const gone = skin();
const kept = gone.pose();
gone.free();
gone.free();
fails(() => gone.pose(), 'usage', /freed/);
kept.set(2, { translation: [0, 1, 0] });
fails(() => kept.set('Upper', { translation: [0, 1, 0] }), 'usage', /model was freed/);
kept.reset();
kept[Symbol.dispose]();
fails(() => kept.reset(), 'usage', /freed/);

// Functions that give files: what they throw is thrown on
const named = new TextEncoder().encode('{"asset": {"version": "2.0"}, "buffers": [{"uri": "a%20b.bin", "byteLength": 4}]}');
const asked = [];
sinew.validate(named, { name: 'folder/x.gltf', files: (name) => void asked.push(name) });
assert.deepEqual([...new Set(asked)], ['a b.bin']);
const refusal = new Error('no');
assert.throws(
  () => sinew.validate(named, { files: () => { throw refusal; } }),
  (error) => error === refusal,
);
fails(() => sinew.validate(named, { files: () => Promise.resolve(new Uint8Array(4)) }), 'usage', /a b.bin: .*await it/);
assert.equal(sinew.validate(named, { files: { 'a b.bin': new Uint8Array(4) } }).issues.numErrors, 0);
assert.equal(sinew.validate(named, { files: new Map([['a b.bin', new Uint8Array(4)]]) }).issues.numErrors, 0);

// Memory is given back: thousands of models fit where few do
skin().free();
const before = sinew.memory;
for (let i = 0; i < 2000; ++i) {
  const again = skin();
  again.deform({ animation: 0, time: 1 });
  again.player([{ animation: 0, mask: [1, 1, 1] }]).advance(0.1).free();
  const drawn = again.deformer();
  const now = again.pose();
  drawn.deform(now);
  drawn.influences();
  drawn.hit([0, 1, 3], [0, 0, -1]);
  now.free();
  drawn.free();
  again.free();
}
assert.ok(sinew.memory - before <= 65536, `${sinew.memory - before} bytes lost`);

// Out of memory: an error, and the module goes on. A sparse accessor without a buffer asks for zeros.
const zeros = new TextEncoder().encode(
  JSON.stringify({
    asset: { version: '2.0' },
    accessors: [{ componentType: 5126, count: 300_000_000, type: 'VEC3' }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes: [{ mesh: 0 }],
    scenes: [{ nodes: [0] }],
    scene: 0,
  }),
);
for (const maxMemory of [2 ** 30, 2 ** 32 - 1]) {
  fails(() => {
    const big = sinew.open(zeros, { maxMemory });
    big.deform();
  }, 'limit', /memory|limit|more than/);
}
assert.deepEqual(model.deform({ animation: 'Swing', time: 1.375 }), posed);
