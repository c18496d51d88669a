// SPDX-License-Identifier: MIT
// Adapter of PlayCanvas: the container loader, the anim component, SkinInstance and MorphInstance. The engine skins on the GPU only;
// here its matrices, weights and attributes are put into the sum of its shader.
import { Worker } from 'node:worker_threads';
import { bytesOf, library, run } from './jobs.mjs';

globalThis.Worker = Worker;
const pc = await import('playcanvas');
const canvas = { width: 64, height: 64, addEventListener() {}, removeEventListener() {}, getBoundingClientRect: () => ({ left: 0, top: 0, width: 64, height: 64 }) };
const app = new pc.AppBase(canvas);
const options = new pc.AppOptions();
options.graphicsDevice = new pc.NullGraphicsDevice(canvas);
options.componentSystems = [pc.RenderComponentSystem, pc.AnimComponentSystem];
options.resourceHandlers = [pc.ContainerHandler, pc.RenderHandler, pc.AnimClipHandler];
app.init(options);
pc.http.get = (url, _, callback) => callback(null, library(url).toString()); // from the disk, instead of a network
const wasm = `data:application/wasm;base64,${library('draco/gltf/draco_decoder.wasm').toString('base64')}`;
pc.dracoInitialize({ jsUrl: 'draco/gltf/draco_wasm_wrapper.js', wasmUrl: wasm, numWorkers: 1 });

function load(model) {
  const bytes = bytesOf(model);
  const contents = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const asset = new pc.Asset('model', 'container', { url: model, filename: model, contents });
  app.assets.add(asset);
  return new Promise((resolve, reject) => {
    asset.ready(() => resolve(asset.resource));
    asset.once('error', reject);
    app.assets.load(asset);
  });
}

// An attribute as numbers; normalised integers as parts of 1.
function stream(mesh, semantic) {
  const element = mesh.vertexBuffer.format.elements.find((one) => one.name === semantic);
  if (!element) return null;
  const numbers = [];
  mesh.getVertexStream(semantic, numbers);
  const top = { [pc.TYPE_UINT8]: 255, [pc.TYPE_UINT16]: 65535, [pc.TYPE_INT8]: 127, [pc.TYPE_INT16]: 32767 }[element.dataType];
  return element.normalize && top ? numbers.map((x) => Math.max(x / top, -1)) : numbers;
}

// The global matrices of the copies of a mesh. The shader ignores those of skinned meshes, and draws as many.
function placesOf({ instancingData, skinInstance, node }) {
  const world = node.getWorldTransform();
  if (!instancingData) return [world];
  const matrices = new Float32Array(instancingData.vertexBuffer.storage);
  return Array.from({ length: instancingData.count }, (_, copy) =>
    skinInstance ? world : new pc.Mat4().mulAffine2(world, new pc.Mat4().set(matrices.subarray(16 * copy, 16 * copy + 16))));
}

// The vertices of each copy.
function worldVertices(instance) {
  const { mesh, morphInstance, skinInstance, node } = instance;
  if (!mesh.vertexBuffer.storage) throw new Error('the engine made a vertex buffer without data');
  const positions = stream(mesh, pc.SEMANTIC_POSITION);
  mesh.morph?.targets.forEach((target, t) => target.deltaPositions?.forEach((x, i) => { positions[i] += morphInstance.getWeight(t) * x; }));
  const joints = skinInstance && stream(mesh, pc.SEMANTIC_BLENDINDICES);
  const weights = skinInstance && stream(mesh, pc.SEMANTIC_BLENDWEIGHT);
  if (joints && !weights) throw new Error('the engine made a mesh that has joints and no weights');
  skinInstance?.updateMatrixPalette(node, app.frame++);
  return placesOf(instance).map((place) => {
    const out = [];
    for (let i = 0; i < positions.length / 3; ++i) {
      let matrix = place;
      if (joints) {
        const sum = new pc.Mat4();
        sum.data.fill(0);
        for (let k = 0; k < 4; ++k) sum.data.forEach((_, m) => { sum.data[m] += weights[4 * i + k] * skinInstance.matrices[joints[4 * i + k]].data[m]; });
        matrix = new pc.Mat4().mulAffine2(place, sum);
      }
      const vertex = matrix.transformPoint(new pc.Vec3(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]));
      out.push(vertex.x, vertex.y, vertex.z);
    }
    return out;
  });
}

await run(async ({ model, clip, time }) => {
  const resource = await load(model);
  const root = resource.instantiateRenderEntity();
  app.root.addChild(root);
  if (clip !== null) {
    root.addComponent('anim', { activate: true });
    root.anim.assignAnimation('clip', resource.animations[clip].resource, undefined, 1, false);
    root.anim.baseLayer.play('clip');
    root.anim.baseLayer.activeStateCurrentTime = time;
    root.anim.update(0);
  }
  root.syncHierarchy();
  const entities = new Map(); // parsed node -> its clone; both trees have the same shape
  const pair = (node, clone) => { entities.set(node, clone); node.children.forEach((child, i) => pair(child, clone.children[i])); };
  const { scenes, nodes } = resource.data;
  scenes.forEach((scene, i) => pair(scene, scenes.length === 1 ? root : root.children[i]));
  const numbers = nodes.flatMap((node) => {
    const parts = (entities.get(node)?.render?.meshInstances ?? []).map(worldVertices);
    return (parts[0] ?? []).flatMap((_, copy) => parts.flatMap((part) => part[copy]));
  });
  root.destroy();
  return numbers;
}, ['EXT_meshopt_compression', 'KHR_meshopt_compression'], ['KHR_animation_pointer']);
process.exit(0);
