// SPDX-License-Identifier: MIT
// Writes a GLB with EXT_meshopt_compression again with KHR_meshopt_compression: streams of ATTRIBUTES in version 1, the others as they are.
// Prints the number of streams:
//   node meshopt_twin.mjs IN.glb OUT.glb
import { readFileSync, writeFileSync } from 'node:fs';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';

const [input, output] = process.argv.slice(2);
await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
const glb = readFileSync(input);
const length = glb.readUInt32LE(12);
const text = glb.toString('utf8', 20, 20 + length).replaceAll('EXT_meshopt_compression', 'KHR_meshopt_compression');
const json = JSON.parse(text);
const parts = [];
let size = 0, streams = 0;
for (const view of json.bufferViews) {
	const extension = view.extensions?.KHR_meshopt_compression ?? view;
	const from = 28 + length + (extension.byteOffset ?? 0);
	let bytes = new Uint8Array(glb.subarray(from, from + extension.byteLength));
	if (extension.mode === 'ATTRIBUTES') {
		const { count, byteStride } = extension;
		const decoded = new Uint8Array(count * byteStride);
		MeshoptDecoder.decodeGltfBuffer(decoded, count, byteStride, bytes, 'ATTRIBUTES', 'NONE');
		bytes = MeshoptEncoder.encodeVertexBufferLevel(decoded, count, byteStride, 3, 1);
		++streams;
	}
	extension.byteOffset = size;
	extension.byteLength = bytes.length;
	parts.push(Buffer.from(bytes), Buffer.alloc(-bytes.length & 3));
	size += (bytes.length + 3) & ~3;
}
json.buffers[0].byteLength = size;
const chunk = (type, content) => {
	const head = Buffer.alloc(8);
	head.writeUInt32LE(content.length, 0);
	head.write(type, 4, 'latin1');
	return Buffer.concat([head, content]);
};
let document = Buffer.from(JSON.stringify(json));
document = Buffer.concat([document, Buffer.alloc(-document.length & 3, ' ')]);
const body = Buffer.concat([chunk('JSON', document), chunk('BIN\0', Buffer.concat(parts))]);
const head = Buffer.alloc(12);
head.write('glTF', 'latin1');
head.writeUInt32LE(2, 4);
head.writeUInt32LE(12 + body.length, 8);
writeFileSync(output, Buffer.concat([head, body]));
console.log(streams);
