// SPDX-License-Identifier: MIT
// The page of `sinew view --export` (web/view) for files in memory, in a frame: what PageFile of src/show/page/export_page.cpp writes.
// @ts-check

/** Texts of files of this folder, or null where the site was made without them. @param {string} name */
const part = (name) => fetch(name).then((answer) => (answer.ok ? answer.blob() : null)).catch(() => null); // prettier-ignore

/** Base64 of bytes. @param {Blob} blob @returns {Promise<string>} */
function base64(blob) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(/** @type {string} */ (reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(blob);
  });
}
/** @param {string} id @param {Blob} blob */
const script = async (id, blob) => new Blob([`<script type="application/json" id="${id}">{"deflate":false,"base64":"`, await base64(blob), '"}</scr', 'ipt>\n']);

/** Arrays of bytes by name, as src/show/page/packet.cpp writes them. @param {[string, Blob][]} arrays */
function packet(arrays) {
  let offset = 0;
  const about = /** @type {Record<string, object>} */ ({});
  const body = [];
  for (const [name, blob] of arrays) {
    about[name] = { type: 'uint8', width: 1, rows: blob.size, offset };
    const fill = (4 - (blob.size % 4)) % 4;
    body.push(blob, new Uint8Array(fill));
    offset += blob.size + fill;
  }
  const header = new TextEncoder().encode(JSON.stringify({ arrays: about, about: {} }));
  const fill = (4 - (header.length % 4)) % 4;
  return new Blob([new Uint32Array([header.length + fill]), header, ' '.repeat(fill), ...body]);
}

/** The page of the viewer with its module, up to where the model belongs, and the rest; null: the site has none. */
let prepared = /** @type {Promise<[Blob, string] | null> | null} */ (null);
export function prepare() {
  prepared ??= (async () => {
    const [page, module] = await Promise.all([part('view.html'), part('view.wasm')]);
    if (!page || !module) return null;
    const [begin, end] = (await page.text()).replace(' nonce="SINEW_NONCE"', '').split('<!-- SINEW_MODEL -->');
    return /** @type {[Blob, string]} */ ([new Blob([begin, await script('module', module)]), end]);
  })();
  return prepared;
}

/** Names of files that a model of text mentions; those of binary files are inside. @param {string} name @param {Blob} blob */
export async function mentioned(name, blob) {
  if (!/\.(gltf|g4tf)$/i.test(name)) return [];
  try {
    const json = JSON.parse(await blob.text());
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    const uris = ['buffers', 'images', 'textures'].flatMap((kind) => (json[kind] ?? []).map((/** @type {any} */ each) => each.uri));
    return uris.filter((uri) => typeof uri === 'string' && !uri.startsWith('data:')).map((uri) => folder + decodeURIComponent(uri));
  } catch {
    return []; // the viewer says what is wrong
  }
}

/** The address of a page that shows a model; revoke it after use. @param {string} name @param {Map<string, Blob>} files @param {string} findings JSON */
export async function pictureOf(name, files, findings) {
  const page = await prepare();
  if (!page) return null;
  const of = (/** @type {string} */ each) => /** @type {Blob} */ (files.get(each));
  const beside = (await mentioned(name, of(name))).filter((each) => files.has(each) && each !== name);
  const text = (/** @type {string} */ each) => new Blob([each]);
  const nothing = '{"nodes":{},"blendAmounts":{}}';
  const choices = JSON.stringify({ name, force: false, revision: '', scene: null, clip: null, expressions: [] });
  const arrays = /** @type {[string, Blob][]} */ ([[name, of(name)], ...[...new Set(beside)].map((each) => [each, of(each)]),
    ['/choices', text(choices)], ['/base', text(nothing)], ['/edit', text(nothing)], ['/findings', text(findings)]]); // prettier-ignore
  return URL.createObjectURL(new Blob([page[0], await script('carried', packet(arrays)), page[1]], { type: 'text/html' }));
}
