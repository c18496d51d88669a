// A user's program that is compiled and not run: every part of the interface, by its types.
import { load, SinewError, type Deformer, type Instance, type Model, type OpenOptions, type Report, type Vertices } from 'sinew';

const sinew = await load(new URL('https://example.org/sinew.wasm'));
const again = await load(await WebAssembly.compile(new Uint8Array()));
await load(fetch('sinew.wasm'));

const options: OpenOptions = { name: 'rig.gltf', files: { 'rig.bin': new ArrayBuffer(8) }, maxMemory: 2 ** 28, force: true, revision: '2026-01' };
const model: Model = sinew.open(new Uint8Array(12), options);
again.open(new DataView(new ArrayBuffer(4)), { files: new Map([['a', new Uint8Array()]]) });
again.open(new ArrayBuffer(4), { files: (name: string) => (name === 'a' ? new Uint8Array() : undefined) });

const report: Report = sinew.validate(new Uint8Array());
const errors: number = report.issues.numErrors + report.modelIssues.numErrors;
const first: string | undefined = report.issues.messages[0]?.pointer;
const shapes: number = model.meshes[0].shapes + model.find('node', 'Hips');
const seconds: number = model.animations.reduce((sum, { duration }) => sum + duration, 0);

using pose = model.pose();
pose.reset().sample('Run', 0.5).set(3, { quaternion: [0, 0, 0, 1], amounts: new Float32Array(2) });
using deformer: Deformer = model.deformer({ normals: true, tangents: true, maxInfluences: 4, scene: 0 });
const instance: Instance = deformer.instances[0];
const { positions, normals }: Vertices = deformer.deform(pose);
const owned: Float32Array<ArrayBuffer> = model.deform({ animation: 0, time: 1 });
const drawn: number = positions.length + (normals?.length ?? 0) + owned.length + instance.first + errors + shapes + seconds;

try {
  model.free();
} catch (error) {
  if (error instanceof SinewError) console.log(error.failure === 'limit', error.code, error.pointer ?? '', error.offset ?? drawn, first);
}
