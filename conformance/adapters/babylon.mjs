// SPDX-License-Identifier: MIT
// Adapter of Babylon.js: the null engine, AnimationGroup.goToFrame, AbstractMesh.getPositionData, Mesh.thinInstanceGetWorldMatrices.
import * as BABYLON from '@babylonjs/core';
import '@babylonjs/loaders/glTF/index.js';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { bytesOf, library, run } from './jobs.mjs';

BABYLON.Logger.LogLevels = 0;
// The decoders, which the loader would fetch from a network: the modules that come with three.js.
globalThis.require = createRequire(import.meta.url);
globalThis.__dirname = import.meta.dirname;
runInThisContext(library('draco/gltf/draco_decoder.js').toString());
BABYLON.DracoDecoder.DefaultConfiguration = { numWorkers: 0, fallbackUrl: 'draco_decoder.js' };
globalThis.MeshoptDecoder = { ...MeshoptDecoder, useWorkers() {} };
BABYLON.Tools.LoadBabylonScriptAsync = async () => {};
const FRAMES_PER_SECOND = 60; // of the loader

await run(async ({ model, clip, time }) => {
  const engine = new BABYLON.NullEngine();
  const scene = new BABYLON.Scene(engine);
  scene.useRightHandedSystem = true;
  let json; // the loader notes in it which meshes it made of each node
  const bytes = bytesOf(model);
  const source = model.endsWith('.glb') ? new Uint8Array(bytes) : `data:${bytes}`;
  const { animationGroups, skeletons } = await BABYLON.ImportMeshAsync(source, scene, {
    pluginExtension: model.slice(model.lastIndexOf('.')),
    pluginOptions: { gltf: { createInstances: false, animationStartMode: 0, onParsed: (data) => { json = data.json; } } },
  });
  if (clip !== null) {
    animationGroups[clip].start(false);
    animationGroups[clip].pause();
    animationGroups[clip].goToFrame(time * FRAMES_PER_SECOND);
  }
  const place = (node) => { node.computeWorldMatrix(true); node.getChildren().forEach(place); };
  scene.rootNodes.forEach(place); // parents first
  skeletons.forEach((skeleton) => skeleton.prepare(true));
  const numbers = [];
  const vertex = new BABYLON.Vector3();
  for (const node of json.nodes) {
    const primitives = [...(node._primitiveBabylonMeshes ?? [])].sort((a, b) => a.name.localeCompare(b.name)).map((mesh) => ({
      data: mesh.getPositionData(true, true),
      places: mesh.hasThinInstances ? mesh.thinInstanceGetWorldMatrices().map((copy) => copy.multiply(mesh.getWorldMatrix())) : [mesh.getWorldMatrix()],
    }));
    for (let copy = 0; copy < (primitives[0]?.places.length ?? 0); ++copy) {
      for (const { data, places } of primitives) {
        for (let i = 0; i < data.length; i += 3) {
          BABYLON.Vector3.TransformCoordinatesFromFloatsToRef(data[i], data[i + 1], data[i + 2], places[copy], vertex);
          numbers.push(vertex.x, vertex.y, vertex.z);
        }
      }
    }
  }
  engine.dispose();
  return numbers;
}, ['KHR_meshopt_compression']);
process.exit(0); // a timer of the decoder may run on
