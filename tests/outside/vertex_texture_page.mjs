// SPDX-License-Identifier: MIT
// node vertex_texture_page.mjs BROWSER FOLDER JOBS.json ANSWERS.json: plays textures of `sinew bake` (FOLDER) with examples/vertex_texture.
// A job: {"model": NAME, "frames": [[first, second, blend], …]}. Its answer: what the shader of the example computes on the graphics
// processor for each vertex, read back by transform feedback: {"positions": […], "normals": […]} per frame, and the colours that the page
// has drawn.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from './browser.mjs';

const [browser, folder, jobs, answers] = process.argv.slice(2);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const types = { '.js': 'text/javascript', '.html': 'text/html', '.json': 'application/json' };
const server = createServer(({ url }, response) => {
  const path = decodeURIComponent(new URL(url, 'http://here').pathname);
  const file = path.startsWith('/node_modules/') ? here(`.${path}`) : path.startsWith('/baked/') ? join(folder, path.slice(7)) : here(`../../examples/vertex_texture${path}`);
  try {
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const started = await launch(browser);
const page = await started.newPage({ viewport: { width: 320, height: 240 } });
const complaints = [];
page.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !message.text().includes('GPU stall')) complaints.push(message.text()); });
page.on('pageerror', (error) => complaints.push(String(error)));

/** Runs in the page: the example's shader for every vertex of the mesh, without drawing. */
const computed = async ({ model, frames }) => {
  const { load, shader } = await import('/vertex_texture.js');
  const { object, uniforms, attribute } = await load(`/baked/${model}`);
  const gl = document.createElement('canvas').getContext('webgl2');
  const compiled = (kind, text) => {
    const made = gl.createShader(kind);
    gl.shaderSource(made, text);
    gl.compileShader(made);
    if (!gl.getShaderParameter(made, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(made));
    return made;
  };
  const program = gl.createProgram();
  gl.attachShader(program, compiled(gl.VERTEX_SHADER, `#version 300 es
in vec3 base;
in vec2 place;
out vec3 foundPosition;
out vec3 foundNormal;
${shader}
void main() { foundPosition = vatPosition(base, place); foundNormal = vatNormal(place); }`));
  gl.attachShader(program, compiled(gl.FRAGMENT_SHADER, '#version 300 es\nvoid main() {}'));
  gl.transformFeedbackVaryings(program, ['foundPosition', 'foundNormal'], gl.SEPARATE_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  gl.useProgram(program);
  const at = (name) => gl.getUniformLocation(program, name);
  ['vatPositions', 'vatNormals'].forEach((name, unit) => {
    const image = uniforms[name].value?.image;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, image?.width ?? 1, image?.height ?? 1, 0, gl.RGBA, gl.FLOAT, image?.data ?? new Float32Array(4));
    gl.uniform1i(at(name), unit);
  });
  gl.uniform3fv(at('vatMin'), uniforms.vatMin.value.toArray());
  gl.uniform3fv(at('vatMax'), uniforms.vatMax.value.toArray());
  gl.enable(gl.RASTERIZER_DISCARD);
  const meshes = [];
  object.traverse((node) => { if (node.geometry?.attributes[attribute]) meshes.push(node.geometry.attributes); });
  const found = [];
  for (const [first, second, blend] of frames) {
    gl.uniform2iv(at('vatFrames'), [first, second]);
    gl.uniform1f(at('vatBlend'), blend);
    const answer = { positions: [], normals: [] };
    for (const attributes of meshes) {
      for (const [name, values, width] of [['base', attributes.position, 3], ['place', attributes[attribute], 2]]) {
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ARRAY_BUFFER, values.array, gl.STATIC_DRAW);
        gl.enableVertexAttribArray(gl.getAttribLocation(program, name));
        gl.vertexAttribPointer(gl.getAttribLocation(program, name), width, gl.FLOAT, false, 0, 0);
      }
      const count = attributes.position.count;
      const buffers = [0, 1].map((binding) => {
        const buffer = gl.createBuffer();
        gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, buffer);
        gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, count * 12, gl.STATIC_READ);
        gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, binding, buffer);
        return buffer;
      });
      gl.beginTransformFeedback(gl.POINTS);
      gl.drawArrays(gl.POINTS, 0, count);
      gl.endTransformFeedback();
      ['positions', 'normals'].forEach((name, binding) => {
        const values = new Float32Array(count * 3);
        gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, binding, null);
        gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, buffers[binding]);
        gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, values);
        answer[name].push(...values);
      });
    }
    found.push(answer);
  }
  if (gl.getError()) throw new Error('WebGL reports an error');
  return found;
};

const results = [];
for (const job of JSON.parse(readFileSync(jobs, 'utf8'))) {
  await page.goto(`http://127.0.0.1:${server.address().port}/index.html?model=baked/${encodeURIComponent(job.model)}`);
  await page.waitForFunction(() => document.body.dataset.drawn, null, { timeout: 60000 });
  const colors = await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const canvas = document.querySelector('canvas');
    const pen = Object.assign(document.createElement('canvas'), { width: 320, height: 240 }).getContext('2d');
    pen.drawImage(canvas, 0, 0, 320, 240);
    return new Set(new Uint32Array(pen.getImageData(0, 0, 320, 240).data.buffer)).size;
  });
  results.push({ frames: await page.evaluate(computed, job), colors });
}
writeFileSync(answers, JSON.stringify({ results, complaints }));
await started.close();
server.close();
