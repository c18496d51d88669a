// SPDX-License-Identifier: MIT
// Compresses arrays with meshoptimizer and Draco, and decodes the streams again:
//   node compress.mjs < REQUESTS.json > RESULTS.json       lists of the same length; bytes are in base64
// A request of meshopt has mode, filter, version, count, stride, bits and data (with a filter: floats, else the bytes of the elements). A
// request of draco has method, indices and attributes: name, component (of glTF), width, bits (0: not quantised) and data.
import { readFileSync } from 'node:fs';
import draco3d from 'draco3d';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';

const bytesOf = (text) => new Uint8Array(Buffer.from(text, 'base64'));
const textOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64');
const arrays = { 5121: Uint8Array, 5123: Uint16Array, 5126: Float32Array };
const names = { 5121: 'UInt8', 5123: 'UInt16', 5126: 'Float' };
const filters = {
	OCTAHEDRAL: MeshoptEncoder.encodeFilterOct, QUATERNION: MeshoptEncoder.encodeFilterQuat,
	EXPONENTIAL: (floats, count, stride, bits) => MeshoptEncoder.encodeFilterExp(floats, count, stride, bits, 'SharedVector'),
};

function meshopt({ mode, filter, version, count, stride, bits, data }) {
	let bytes = bytesOf(data);
	if (filter !== 'NONE') bytes = filters[filter](new Float32Array(bytes.buffer), count, stride, bits);
	const stream = mode === 'ATTRIBUTES' ? MeshoptEncoder.encodeVertexBufferLevel(bytes, count, stride, 2, version)
		: MeshoptEncoder.encodeGltfBuffer(bytes, count, stride, mode);
	const decoded = new Uint8Array(count * stride);
	MeshoptDecoder.decodeGltfBuffer(decoded, count, stride, stream, mode, filter);
	return { stream: textOf(stream), decoded: textOf(decoded) };
}

function encodeDraco(module, { method, indices, attributes }) {
	const encoder = new module.Encoder(), builder = new module.MeshBuilder(), mesh = new module.Mesh(), out = new module.DracoInt8Array();
	encoder.SetEncodingMethod(module[`MESH_${method}_ENCODING`]);
	builder.AddFacesToMesh(mesh, indices.length / 3, new Uint32Array(indices));
	const ids = {};
	for (const { name, component, width, bits, data } of attributes) {
		const values = new arrays[component](bytesOf(data).buffer);
		const type = { POSITION: module.POSITION, NORMAL: module.NORMAL }[name] ?? module.GENERIC;
		ids[name] = builder[`Add${names[component]}Attribute`](mesh, type, values.length / width, width, values);
		if (bits > 0) encoder.SetAttributeQuantization(type, bits);
	}
	const length = encoder.EncodeMeshToDracoBuffer(mesh, out);
	if (length === 0) throw new Error('Draco refuses the mesh');
	const stream = new Uint8Array(length).map((_, i) => out.GetValue(i));
	[encoder, builder, mesh, out].forEach((thing) => module.destroy(thing));
	return { stream, ids };
}

function decodeDraco(module, stream, ids, attributes) {
	const decoder = new module.Decoder(), buffer = new module.DecoderBuffer(), mesh = new module.Mesh();
	buffer.Init(stream, stream.length);
	if (!decoder.DecodeBufferToMesh(buffer, mesh).ok()) throw new Error('Draco refuses its own stream');
	const decoded = Object.fromEntries(attributes.map(({ name, component }) => {
		const values = new module[`Draco${names[component]}${component === 5126 ? '32' : ''}Array`]();
		decoder[`GetAttribute${names[component]}ForAllPoints`](mesh, decoder.GetAttributeByUniqueId(mesh, ids[name]), values);
		return [name, { id: ids[name], data: textOf(new arrays[component](values.size()).map((_, i) => values.GetValue(i))) }];
	}));
	const face = new module.DracoInt32Array(), indices = [];
	for (let i = 0; i < mesh.num_faces(); ++i) {
		decoder.GetFaceFromMesh(mesh, i, face);
		indices.push(face.GetValue(0), face.GetValue(1), face.GetValue(2));
	}
	return { stream: textOf(stream), attributes: decoded, indices };
}

await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
const encoders = await draco3d.createEncoderModule(), decoders = await draco3d.createDecoderModule();
const requests = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(requests.map((request) => {
	if (request.codec === 'meshopt') return meshopt(request);
	const { stream, ids } = encodeDraco(encoders, request);
	return decodeDraco(decoders, stream, ids, request.attributes);
})));
