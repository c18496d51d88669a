// SPDX-License-Identifier: MIT
// Adapter of three.js: GLTFLoader, AnimationMixer, Mesh.getVertexPosition, InstancedMesh.getMatrixAt.
import { Worker as Thread } from 'node:worker_threads';
import { bytesOf, library, run } from './jobs.mjs';

globalThis.self = globalThis; // GLTFLoader looks up URL and navigator there
globalThis.ProgressEvent ??= Event; // what its file loader sends, and Node.js lacks
const THREE = await import('three');
const { DRACOLoader } = await import('three/addons/loaders/DRACOLoader.js');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await import('three/addons/libs/meshopt_decoder.module.js');

// DRACOLoader decodes in a worker of the browser, which it makes of a blob: here, a thread of Node.js.
const PORT = `const { parentPort } = require('node:worker_threads');
globalThis.self = globalThis;
globalThis.postMessage = (message, list) => parentPort.postMessage(message, list);
parentPort.on('message', (data) => onmessage({ data }));`;
globalThis.Worker = class {
  constructor(url) {
    this.thread = fetch(url).then((response) => response.text()).then((code) =>
      new Thread(PORT + code, { eval: true }).on('message', (data) => this.onmessage({ data })));
  }
  postMessage(message, list) { this.thread.then((thread) => thread.postMessage(message, list)); }
};
const draco = new DRACOLoader().setWorkerLimit(1);
draco._loadLibrary = async (name, type) => { // from the disk, which its file loader cannot read
  const bytes = library(`draco/gltf/${name}`);
  return type === 'text' ? bytes.toString() : Uint8Array.from(bytes).buffer;
};

// The glTF node of an object: its own, or that of the group made for a mesh of several primitives.
function nodeOf(nodes, object) {
  for (let at = object; at; at = at.parent) if (nodes.includes(at)) return nodes.indexOf(at);
  throw new Error(`no glTF node for ${object.name}`);
}

// One vertex in world space. Lines and points have no getVertexPosition: they are morphed only. `copy` is the matrix of a copy.
function worldVertex(object, index, copy, target) {
  if (object.isMesh) {
    object.getVertexPosition(index, target);
  } else {
    const { attributes, morphAttributes } = object.geometry;
    target.fromBufferAttribute(attributes.position, index);
    const delta = new THREE.Vector3();
    (morphAttributes.position ?? []).forEach((morph, k) => {
      target.addScaledVector(delta.fromBufferAttribute(morph, index), object.morphTargetInfluences[k]);
    });
  }
  return target.applyMatrix4(copy).applyMatrix4(object.matrixWorld);
}

await run(async ({ model, clip, time }) => {
  const bytes = bytesOf(model);
  const gltf = await new GLTFLoader().setDRACOLoader(draco).setMeshoptDecoder(MeshoptDecoder).parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
  if (clip !== null) {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    const action = mixer.clipAction(gltf.animations[clip]);
    action.setLoop(THREE.LoopOnce); // the default loop turns the duration into zero
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(time);
  }
  gltf.scene.updateMatrixWorld(true);
  const nodes = await gltf.parser.getDependencies('node');
  const parts = [];
  gltf.scene.traverse((object) => {
    if (object.geometry) parts.push({ object, node: nodeOf(nodes, object), primitive: gltf.parser.associations.get(object)?.primitives ?? 0 });
  });
  const copies = parts.flatMap(({ object, ...part }) => Array.from({ length: object.isInstancedMesh ? object.count : 1 }, (_, copy) => {
    const matrix = new THREE.Matrix4();
    if (object.isInstancedMesh) object.getMatrixAt(copy, matrix);
    return { object, ...part, copy, matrix };
  }));
  copies.sort((a, b) => a.node - b.node || a.copy - b.copy || a.primitive - b.primitive);
  const vertex = new THREE.Vector3();
  return copies.flatMap(({ object, matrix }) =>
    Array.from({ length: object.geometry.attributes.position.count }, (_, i) => worldVertex(object, i, matrix, vertex).toArray()).flat());
}, ['KHR_meshopt_compression'], ['KHR_animation_pointer']);
process.exit(0); // the thread of Draco waits for more
