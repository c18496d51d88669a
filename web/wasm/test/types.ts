// A user's program that is compiled and not run: every part of the interface, by its types.
import { load, SinewError, type Deformer, type Influences, type Instance, type Model, type OpenOptions, type PlayedClip, type Player, type RayHit, type Report, type TriangleRange, type Vertices } from 'sinew';

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

const run: PlayedClip = { animation: 'Run', weight: 0.5, speed: 2, seconds: 1, loops: false, additive: false, mask: new Float32Array(2) };
using player: Player = model.player(['Walk', 0, run], { root: 'Hips' });
player.setWeight(1, 0.5).setSpeed(1, -1).seek(2, 0).advance(1 / 60);
const sword: Float64Array<ArrayBuffer> = player.world('Hand');
const moved: number = player.rootMotion[0] + player.seconds(0) + sword[0];
deformer.deform(player.pose.turn('Head', [1, 0, 0, 0]).blend('smile', 1).express({ happy: 0.5 }));
const found: RayHit | undefined = deformer.hit([0, 1, 5], [0, 0, -1]);
const range: TriangleRange | undefined = deformer.triangleRanges().find(({ first, count }) => found && found.triangle >= first && found.triangle < first + count);
const of: string | undefined = range?.material === undefined ? undefined : model.materials[range.material];
const influences: Influences = model.deformer({ normals: 'computed' }).influences();
const sizes: number = influences.first.length + deformer.triangles().length + deformer.textureCoordinates(pose, 1).length + deformer.boneBoxes(0.5).length + moved;
const read: Float64Array[] = [pose.translation(0), pose.scale(0), pose.rotor('Hips'), pose.matrix(0), pose.amounts(0), pose.worlds()];
const above: number | undefined = model.parent('Head') ?? model.joints(0)[0] ?? read.length + sizes + (of?.length ?? 0);
const smile: string = model.meshes[0].shapeNames[0];

try {
  model.free();
} catch (error) {
  if (error instanceof SinewError) console.log(error.failure === 'limit', error.code, error.pointer ?? '', error.offset ?? drawn, first, above, smile);
}
