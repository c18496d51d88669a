// SPDX-License-Identifier: MIT
// World-space vertices and bones of avatars as three-vrm sees them, on the CPU.
//
//   node vrm_compare.mjs JOBS.json
//
// JOBS.json: [{"model": GLB, "expressions": {NAME: AMOUNT}, "turns": {NODE: [x, y, z, w]}, "motion": VRMA, "time": SECONDS, "gaze": [LEFT, DOWN] in degrees, "out": FILE}]. Each FILE gets the rows
// (x, y, z) of all instances as little-endian doubles, in the order in which `sinew deform` writes. Prints a list with {"bones": {NAME:
// NODE}, "expressions": [NAME, …], "springs": JOINTS, "worlds": {BONE: 16 numbers}} for each job. Springs do not swing; the models must hold no
// textures.
import { readFile, writeFile } from 'node:fs/promises';

globalThis.self = globalThis; // GLTFLoader looks up URL and navigator there

const THREE = await import('three');
const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
const { VRMLoaderPlugin } = await import('@pixiv/three-vrm');
const { VRMAnimationLoaderPlugin, createVRMAnimationClip } = await import('@pixiv/three-vrm-animation');

async function load(path) {
  const data = await readFile(path);
  const bytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
  return loader.parseAsync(bytes, '');
}

function nodeOf(gltf, object) {
  for (let at = object; at; at = at.parent) {
    const index = gltf.parser.associations.get(at)?.nodes;
    if (index !== undefined) return index;
  }
  return undefined;
}

function rows(gltf) {
  const parts = [];
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    const node = nodeOf(gltf, object);
    if (node !== undefined) parts.push({ object, node, primitive: gltf.parser.associations.get(object)?.primitives ?? 0 });
  });
  parts.sort((a, b) => a.node - b.node || a.primitive - b.primitive);
  const out = [];
  const vertex = new THREE.Vector3();
  for (const { object } of parts) {
    for (let i = 0; i < object.geometry.attributes.position.count; ++i) {
      object.getVertexPosition(i, vertex).applyMatrix4(object.matrixWorld);
      out.push(vertex.x, vertex.y, vertex.z);
    }
  }
  return new Float64Array(out);
}

const told = [];
for (const { model, expressions = {}, turns = {}, motion, time = 0, gaze, out } of JSON.parse(await readFile(process.argv[2], 'utf8'))) {
  const gltf = await load(model);
  const { vrm, vrmNodeConstraintManager: constraints } = gltf.userData;
  const nodes = new Map();
  gltf.scene.traverse((object) => {
    const index = gltf.parser.associations.get(object)?.nodes;
    if (index !== undefined && !nodes.has(index)) nodes.set(index, object);
  });
  for (const [node, turn] of Object.entries(turns)) nodes.get(Number(node)).quaternion.fromArray(turn);
  gltf.scene.updateMatrixWorld(true);
  if (motion) {
    const [animation] = (await load(motion)).userData.vrmAnimations;
    const mixer = new THREE.AnimationMixer(vrm.scene);
    const action = mixer.clipAction(createVRMAnimationClip(animation, vrm));
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(time);
    vrm.humanoid.update();
    gltf.scene.updateMatrixWorld(true);
  }
  for (const [name, amount] of Object.entries(expressions)) vrm.expressionManager.setValue(name, amount);
  if (gaze) vrm.lookAt.applier.applyYawPitch(...gaze);
  vrm?.expressionManager?.update();
  constraints?.update();
  gltf.scene.updateMatrixWorld(true);
  const bones = {}, worlds = {};
  for (const [name, bone] of Object.entries(vrm?.humanoid?.rawHumanBones ?? {})) {
    bones[name] = nodeOf(gltf, bone.node);
    worlds[name] = bone.node.matrixWorld.toArray();
  }
  told.push({ bones, worlds, springs: vrm?.springBoneManager?.joints.size ?? 0, expressions: (vrm?.expressionManager?.expressions ?? []).map((each) => each.expressionName) });
  await writeFile(out, new Uint8Array(rows(gltf).buffer));
}
console.log(JSON.stringify(told));
