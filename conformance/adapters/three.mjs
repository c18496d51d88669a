// SPDX-License-Identifier: MIT
// Adapter of three.js: GLTFLoader, AnimationMixer, Mesh.getVertexPosition.
import { bytesOf, run } from './jobs.mjs';

globalThis.self = globalThis; // GLTFLoader looks up URL and navigator there
globalThis.ProgressEvent ??= Event; // what its file loader sends, and Node.js lacks
const THREE = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');

// The glTF node of an object: its own, or that of the group made for a mesh of several primitives.
function nodeOf(nodes, object) {
  for (let at = object; at; at = at.parent) if (nodes.includes(at)) return nodes.indexOf(at);
  throw new Error(`no glTF node for ${object.name}`);
}

// One vertex in world space. Lines and points have no getVertexPosition: they are morphed only.
function worldVertex(object, index, target) {
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
  return target.applyMatrix4(object.matrixWorld);
}

await run(async ({ model, clip, time }) => {
  const bytes = bytesOf(model);
  const gltf = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
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
  parts.sort((a, b) => a.node - b.node || a.primitive - b.primitive);
  const vertex = new THREE.Vector3();
  return parts.flatMap(({ object }) =>
    Array.from({ length: object.geometry.attributes.position.count }, (_, i) => worldVertex(object, i, vertex).toArray()).flat());
});
