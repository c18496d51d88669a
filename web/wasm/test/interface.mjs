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

// Any dimension
const four = sinew.open(bytes('g4mf/arm_4d.g4tf'));
assert.equal(four.dimension, 4);
assert.equal(four.deform().length % 4, 0);

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
