// SPDX-License-Identifier: MIT
// Writes streams of KHR_meshopt_compression that meshoptimizer makes of random data, and broken ones, each with what meshoptimizer decodes
// it to:
//   node meshopt_streams.mjs OUT SEED ROUNDS MOST      at most MOST elements per stream
// Per stream six 32-bit numbers (kind, mode, filter, count, stride, length of the stream), the stream, the decoded bytes. The kind is 0 for
// a good stream, 1 for a broken one that meshoptimizer decodes all the same, 2 for one that it refuses (without decoded bytes).
import { writeFileSync } from 'node:fs';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';

const modes = ['ATTRIBUTES', 'TRIANGLES', 'INDICES'];
const filters = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR'];
const [out, seed, rounds, most] = [process.argv[2], ...process.argv.slice(3).map(Number)];
await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);

let state = seed;
function random(end) { // xorshift
	state ^= state << 13;
	state ^= state >>> 17;
	state ^= state << 5;
	return (state >>> 0) % end;
}
const unit = () => random(2 ** 24) / 2 ** 23 - 1;
const bytes = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

const streams = [], parts = [];
function write(kind, mode, filter, count, stride, stream, decoded) {
	parts.push(bytes(new Uint32Array([kind, modes.indexOf(mode), filters.indexOf(filter), count, stride, stream.length])), stream, decoded);
}

function add(mode, filter, count, stride, stream) {
	const decoded = new Uint8Array(count * stride);
	MeshoptDecoder.decodeGltfBuffer(decoded, count, stride, stream, mode, filter);
	write(0, mode, filter, count, stride, stream, decoded);
	streams.push({ mode, count, stride, stream });
}

/** A good stream with other bytes, with a wrong end, or for another number of elements. */
function addBroken() {
	const { mode, count, stride, stream } = streams[random(streams.length)];
	let broken = stream.slice(), elements = count;
	const kind = random(5);
	if (kind === 0) broken = broken.slice(0, random(broken.length) || 1);
	else if (kind === 1) broken = new Uint8Array([...broken, ...new Array(1 + random(9)).fill(random(256))]);
	else if (kind === 2) elements += 3 * (1 + random(count));
	else for (let i = random(4); i >= 0; --i) broken[random(random(3) ? broken.length : Math.min(broken.length, 40))] = random(256);
	const decoded = new Uint8Array(elements * stride);
	try {
		MeshoptDecoder.decodeGltfBuffer(decoded, elements, stride, broken, mode, 'NONE');
		write(1, mode, 'NONE', elements, stride, broken, decoded);
	} catch {
		write(2, mode, 'NONE', elements, stride, broken, new Uint8Array());
	}
}

/** In both versions; version 1 also at the levels that choose modes for the channels. */
function addAttributes(data, count, stride, filter) {
	for (const [level, version] of [[0, 0], [2, 0], [0, 1], [2, 1], [3, 1]])
		add('ATTRIBUTES', filter, count, stride, MeshoptEncoder.encodeVertexBufferLevel(data, count, stride, level, version));
}

const someCount = () => 1 + random([Math.min(most, 20), most >> 2, most][random(3)]);

/** Bytes, 16-bit numbers and floats that grow by small steps, jump or stay, mixed by channels. */
function addPlain() {
	const count = someCount(), stride = 4 * (1 + random(random(4) === 0 ? 64 : 8));
	const data = new DataView(new ArrayBuffer(count * stride));
	for (let channel = 0; channel < stride; channel += 4) {
		const kind = random(6), step = 1 + random(1 << random(9));
		let number = random(2 ** 32), point = unit();
		for (let i = 0; i < count; ++i) {
			const at = i * stride + channel;
			if (kind === 0) number = random(2 ** 32);
			if (kind === 1) number = random(step) === 0 ? random(2 ** 32) : number;
			if (kind === 2) for (let k = 0; k < 4; ++k) number = (number & ~(255 << 8 * k)) | ((((number >>> 8 * k) + random(step) - (step >> 1)) & 255) << 8 * k);
			if (kind === 3) number = ((number + random(step)) & 0xffff) | (((number >>> 16) - random(7)) << 16);
			data.setUint32(at, number >>> 0, true);
			if (kind >= 4) data.setFloat32(at, (point = kind === 4 ? unit() : point + unit() / (16 * step)), true);
		}
	}
	addAttributes(new Uint8Array(data.buffer), count, stride, 'NONE');
}

function addFiltered() {
	const count = someCount();
	const values = new Float32Array(4 * count).map(unit);
	for (let i = 0; i < 4 * count; i += 4 * (1 + random(9))) values.fill(0, i, i + 4).fill(random(3) - 1, i + random(4), i + 4);
	const unsigned = values.map(Math.abs);
	const turned = values.slice();
	for (let i = 0; i < 4 * count; i += 4) {
		const length = Math.hypot(...turned.subarray(i, i + 4));
		if (length === 0) turned[i] = 1;
		else for (let k = 0; k < 4; ++k) turned[i + k] /= length;
	}
	for (const stride of [4, 8]) {
		const bits = 2 + random(2 * stride - 1);
		addAttributes(MeshoptEncoder.encodeFilterOct(turned, count, stride, bits), count, stride, 'OCTAHEDRAL');
		addAttributes(MeshoptEncoder.encodeFilterColor(unsigned, count, stride, bits), count, stride, 'COLOR');
	}
	addAttributes(MeshoptEncoder.encodeFilterQuat(turned, count, 8, 4 + random(13)), count, 8, 'QUATERNION');
	const scaled = values.map((value) => value * 2 ** (random(60) - 30));
	const mode = ['Separate', 'SharedVector', 'SharedComponent', 'Clamped'][random(4)];
	addAttributes(MeshoptEncoder.encodeFilterExp(scaled, count, 16, 1 + random(24), mode), count, 16, 'EXPONENTIAL');
}

function addIndexed() {
	const width = 2 + random(12), height = 2 + random(2 + (most >> 6)), list = [];
	for (let y = 0; y + 1 < height; ++y)
		for (let x = 0; x + 1 < width; ++x) {
			const a = y * width + x;
			list.push(a, a + 1, a + width, a + width, a + 1, a + width + 1);
		}
	for (let i = random(list.length); i < list.length; i += 3 + random(40)) list[i] = random(width * height);
	if (random(2)) list.push(...list.slice(0, 3 * random(30)));
	const [order] = random(2) ? MeshoptEncoder.reorderMesh(new Uint32Array(list), true, true) : [new Uint32Array(list.length)];
	const indices = new Uint32Array(list);
	if (order.some((to) => to !== 0)) indices.forEach((from, i) => (indices[i] = order[from]));
	const far = indices.map((index) => index + random(2 ** 28));
	for (const [data, stride] of [[indices, 4], [new Uint16Array(indices), 2], [far, 4]]) {
		add('TRIANGLES', 'NONE', data.length, stride, MeshoptEncoder.encodeIndexBuffer(bytes(data), data.length, stride));
		add('INDICES', 'NONE', data.length, stride, MeshoptEncoder.encodeIndexSequence(bytes(data), data.length, stride));
	}
}

for (let round = 0; round < rounds; ++round) {
	addPlain();
	addFiltered();
	addIndexed();
	for (let i = 0; i < 40; ++i) addBroken();
}
writeFileSync(out, Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))));
