// SPDX-License-Identifier: MIT
// Writes .glb files without EXT_meshopt_compression or KHR_meshopt_compression, with the decoder of npm's meshoptimizer:
//   node decode_meshopt.mjs IN.glb OUT.glb [IN.glb OUT.glb …]
import { readFileSync, writeFileSync } from 'node:fs';
import { MeshoptDecoder } from 'meshoptimizer';

await MeshoptDecoder.ready;
const names = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

function decoded(data) {
	const length = data.readUInt32LE(12), json = JSON.parse(data.subarray(20, 20 + length)), parts = [];
	const chunk = data.subarray(28 + length);
	let end = 0;
	for (const view of json.bufferViews ?? []) {
		const stored = names.map((name) => view.extensions?.[name]).find(Boolean) ?? view, start = stored.byteOffset ?? 0;
		let bytes = chunk.subarray(start, start + stored.byteLength);
		if (stored !== view) {
			const rows = new Uint8Array(stored.count * stored.byteStride);
			MeshoptDecoder.decodeGltfBuffer(rows, stored.count, stored.byteStride, bytes, stored.mode, stored.filter);
			bytes = rows.subarray(0, view.byteLength);
		}
		delete view.extensions;
		Object.assign(view, { buffer: 0, byteOffset: end });
		const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
		padded.set(bytes);
		parts.push(padded);
		end += padded.length;
	}
	for (const list of ['extensionsUsed', 'extensionsRequired']) json[list] = json[list]?.filter((name) => !names.includes(name));
	json.buffers = [{ byteLength: end }];
	const text = Buffer.from(JSON.stringify(json)), jsonChunk = Buffer.alloc(Math.ceil(text.length / 4) * 4, 0x20);
	jsonChunk.set(text);
	const header = Buffer.alloc(20), binHeader = Buffer.alloc(8);
	header.write('glTF');
	[2, 28 + jsonChunk.length + end, jsonChunk.length, 0x4e4f534a].forEach((value, i) => header.writeUInt32LE(value, 4 + 4 * i));
	binHeader.writeUInt32LE(end, 0);
	binHeader.writeUInt32LE(0x004e4942, 4);
	return Buffer.concat([header, jsonChunk, binHeader, ...parts]);
}

for (let i = 2; i + 1 < process.argv.length; i += 2) writeFileSync(process.argv[i + 1], decoded(readFileSync(process.argv[i])));
