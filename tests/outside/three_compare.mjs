// SPDX-License-Identifier: MIT
// World-space vertices as three.js sees a model, on the CPU.
//
//   node three_compare.mjs JOBS.json
//
// JOBS.json: [{"model": GLB, "animation": index or null, "time": seconds, "out": FILE}]. Each FILE gets the rows (x, y, z) of all
// instances as little-endian doubles: ascending glTF node index, primitives in order: the order in which `sinew deform` writes.
// The models must hold no textures: loading those needs a browser.
import { readFile, writeFile } from 'node:fs/promises';

globalThis.self = globalThis; // GLTFLoader looks up URL and navigator there

const THREE = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await import('meshoptimizer');

async function load(path) {
  const data = await readFile(path);
  const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  return new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).parseAsync(bytes, '');
}

// The index of the glTF node that an object belongs to: its own, or that of the group made for a mesh of several primitives.
function nodeOf(gltf, object) {
  for (let at = object; at; at = at.parent) {
    const index = gltf.parser.associations.get(at)?.nodes;
    if (index !== undefined) return index;
  }
  throw new Error(`no glTF node for ${object.name}`);
}

function poseAt(gltf, animation, time) {
  if (animation !== null) {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    const action = mixer.clipAction(gltf.animations[animation]);
    action.setLoop(THREE.LoopOnce); // the default loop turns the duration into zero
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(time);
  }
  gltf.scene.updateMatrixWorld(true);
}

// One vertex in world space: morphed, skinned where the object is skinned, then the object's own transform.
function worldVertex(object, index, target) {
  if (object.isMesh) {
    object.getVertexPosition(index, target);
  } else { // lines and points have no such method; they are never skinned
    const { attributes, morphAttributes } = object.geometry;
    target.fromBufferAttribute(attributes.position, index);
    const delta = new THREE.Vector3();
    (morphAttributes.position ?? []).forEach((morph, k) => {
      target.addScaledVector(delta.fromBufferAttribute(morph, index), object.morphTargetInfluences[k]);
    });
  }
  return target.applyMatrix4(object.matrixWorld);
}

function rows(gltf) {
  const parts = [];
  gltf.scene.traverse((object) => {
    if (!object.geometry) return;
    const primitive = gltf.parser.associations.get(object)?.primitives ?? 0;
    parts.push({ object, node: nodeOf(gltf, object), primitive });
  });
  parts.sort((a, b) => a.node - b.node || a.primitive - b.primitive);
  const out = [];
  const vertex = new THREE.Vector3();
  for (const { object } of parts) {
    for (let i = 0; i < object.geometry.attributes.position.count; ++i) {
      worldVertex(object, i, vertex);
      out.push(vertex.x, vertex.y, vertex.z);
    }
  }
  return new Float64Array(out);
}

for (const { model, animation, time, out } of JSON.parse(await readFile(process.argv[2], 'utf8'))) {
  const gltf = await load(model);
  poseAt(gltf, animation, time);
  await writeFile(out, Buffer.from(rows(gltf).buffer));
}
