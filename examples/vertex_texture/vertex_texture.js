// SPDX-License-Identifier: MIT
// Reads the files of `sinew bake` and plays them in the vertex shader of three.js materials.
import * as THREE from 'three';
import { EXRLoader } from 'three/addons/loaders/EXRLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** Reads frames `frames.x` and `frames.y` of a vertex and blends them. `place`: the texel of the vertex in frame 0. */
export const shader = /* glsl */ `
uniform highp sampler2D vatPositions, vatNormals;
uniform vec3 vatMin, vatMax;
uniform ivec2 vatFrames;
uniform float vatBlend;

highp vec4 vatTexel(highp sampler2D map, vec2 place, int frame) {
  ivec2 texel = ivec2(place * vec2(textureSize(map, 0)));
  return texelFetch(map, texel + ivec2(0, frame), 0);
}
// The values have x, -z and y of glTF.
vec3 vatAxes(vec3 v) { return vec3(v.x, v.z, -v.y); }
vec3 vatPosition(vec3 base, vec2 place) {
  vec3 value = mix(vatTexel(vatPositions, place, vatFrames.x).xyz, vatTexel(vatPositions, place, vatFrames.y).xyz, vatBlend);
  return base + vatAxes(vatMin + value * (vatMax - vatMin));
}
vec3 vatNormal(vec2 place) {
  vec3 value = mix(vatTexel(vatNormals, place, vatFrames.x).xyz, vatTexel(vatNormals, place, vatFrames.y).xyz, vatBlend);
  return normalize(vatAxes(2.0 * value - 1.0));
}
`;

/** Decodes an RGB PNG of 8 or 16 bits without interlacing. Browsers reduce an image to 8 bits, and may change its colours. */
async function readPng(url) {
  const file = new DataView(await (await fetch(url)).arrayBuffer());
  const [width, height, bits] = [file.getUint32(16), file.getUint32(20), file.getUint8(24)];
  const parts = [];
  for (let at = 8; at < file.byteLength; at += 12 + file.getUint32(at))
    if (file.getUint32(at + 4) === 0x49444154) parts.push(new Uint8Array(file.buffer, at + 8, file.getUint32(at)));
  const unpacked = new Blob(parts).stream().pipeThrough(new DecompressionStream('deflate'));
  const rows = new Uint8Array(await new Response(unpacked).arrayBuffer());
  const pixel = (3 * bits) / 8, size = width * pixel, bytes = new Uint8Array(size * height);
  for (let y = 0; y < height; ++y) {
    const filter = rows[y * (size + 1)];
    for (let x = 0; x < size; ++x) {
      const to = y * size + x;
      const left = x < pixel ? 0 : bytes[to - pixel], up = y ? bytes[to - size] : 0, corner = x < pixel || !y ? 0 : bytes[to - size - pixel];
      const near = [left, up, corner].map((value) => Math.abs(left + up - corner - value));
      const paeth = near[0] <= near[1] && near[0] <= near[2] ? left : near[1] <= near[2] ? up : corner;
      bytes[to] = rows[y * (size + 1) + 1 + x] + [0, left, up, (left + up) >> 1, paeth][filter];
    }
  }
  const data = new Float32Array(width * height * 4);
  for (let i = 0; i < width * height * 3; ++i)
    data[Math.floor(i / 3) * 4 + (i % 3)] = bits === 8 ? bytes[i] / 255 : (bytes[2 * i] * 256 + bytes[2 * i + 1]) / 65535;
  return new THREE.DataTexture(data, width, height, THREE.RGBAFormat, THREE.FloatType);
}

/** Decodes an EXR of half floats; EXRLoader gives the lowest row first. */
async function readExr(url) {
  const { image } = await new EXRLoader().setDataType(THREE.FloatType).loadAsync(url);
  const data = new Float32Array(image.data.length), row = image.width * 4;
  for (let y = 0; y < image.height; ++y) data.set(image.data.subarray((image.height - 1 - y) * row, (image.height - y) * row), y * row);
  return new THREE.DataTexture(data, image.width, image.height, THREE.RGBAFormat, THREE.FloatType);
}

async function readTexture(url) {
  const texture = await (url.endsWith('.exr') ? readExr(url) : readPng(url));
  texture.needsUpdate = true; // no filter and no mipmaps, as a DataTexture has by default
  return texture;
}

/** Loads FOLDER/NAME. The result has the object, its clips, and `play(clip, seconds)`. */
export async function load(model) {
  const folder = model.slice(0, model.lastIndexOf('/') + 1);
  const sidecar = await (await fetch(`${model}-remap_info.json`)).json();
  const { sinew: info, 'os-remap': range, animations: clips } = sidecar;
  const gltf = await new GLTFLoader().loadAsync(folder + info.mesh);
  const positions = await readTexture(folder + info.positions);
  const normals = info.normals ? await readTexture(folder + info.normals) : null;
  const uniforms = {
    vatPositions: { value: positions },
    vatNormals: { value: normals },
    vatMin: { value: new THREE.Vector3(...range.Min) },
    vatMax: { value: new THREE.Vector3(...range.Max) },
    vatFrames: { value: [0, 0] },
    vatBlend: { value: 0 },
  };
  const attribute = `uv${info.texCoord}`;
  gltf.scene.traverse((node) => {
    if (!node.geometry?.attributes[attribute]) return;
    node.geometry.setAttribute('vatPlace', node.geometry.attributes[attribute]);
    node.frustumCulled = false; // three.js knows the box of the first frame only
    node.material = node.material.clone();
    node.material.onBeforeCompile = (program) => {
      Object.assign(program.uniforms, uniforms);
      program.vertexShader = `attribute vec2 vatPlace;\n${shader}\n${program.vertexShader}`
        .replace('#include <begin_vertex>', '$&\ntransformed = vatPosition(position, vatPlace);')
        .replace('#include <beginnormal_vertex>', normals ? '$&\nobjectNormal = vatNormal(vatPlace);' : '$&');
    };
  });
  const play = (name, seconds) => {
    const { startFrame, endFrame, framerate } = clips[name];
    const count = endFrame - startFrame + 1, frame = (seconds * framerate) % count, first = Math.floor(frame);
    // The last frame holds until the clip starts again.
    uniforms.vatFrames.value = [startFrame - 1 + first, startFrame - 1 + Math.min(first + 1, count - 1)];
    uniforms.vatBlend.value = frame - first;
  };
  return { object: gltf.scene, clips, uniforms, attribute, info, play };
}
