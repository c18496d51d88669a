// SPDX-License-Identifier: MIT
// The controls beside the picture.
import { AXES, planesOf, type ComparedPart, type Comparison, type Distance, type Finding, type Look, type Model, type Packet, type Source } from './model';
import { Dimensions, Legend, Reading } from './dimensions';
import { FlexList } from './flex';
import type { Player } from './player';
import type { Looks, Scene } from './scene';
import { NodeTree, nodeName } from './tree';
import { Slider, busily, button, checkbox, choice, download, element, planePicture, printable, section } from './widgets';

const SEVERITIES = ['error', 'warning', 'information', 'hint'];

const greater = (a: Distance, b: Distance) => Number(a) > Number(b);
const nameOf = (part: ComparedPart) =>
  ({ rest: 'own pose', animation: `clip ${part.name || part.a}`, stress: `all joints turned in ${part.name}`, shown: 'all parts shown', blendShape: `blend shape ${part.name || part.a}` })[part.kind];
const distanceText = (distance: Distance, diagonal: number | null) =>
  distance === 'Infinity' ? 'infinite' : `${Number(distance.toPrecision(3))}${diagonal ? `, ${Number((distance / diagonal).toPrecision(3))} of the diagonal` : ''}`;

/** What is known about the poses that were not measured. */
function everyPose({ everyPose: { proved, bound, why }, diagonal }: Comparison): string {
  if (proved) return 'Proved: the vertices agree in all poses.';
  const limit = bound === null ? 'There is no bound for other poses' : `While joints only turn: at most ${distanceText(bound * (diagonal ?? 0), diagonal)}`;
  return why ? `${limit}. ${why}` : `${limit}.`;
}

interface Parts {
  program: Source;
  scene: Scene;
  model: Model;
  player: Player;
}

export class Panel {
  private readonly tree: NodeTree;
  private readonly turns = element('div', { class: 'turns' });
  private readonly findings = element('div', {});
  private readonly looks: Looks = { bones: true, wireframe: false, surface: true };
  private heat: 'none' | 'weights' | 'distances' = 'none';
  private readonly heats = new Map<'weights' | 'distances', HTMLInputElement>();
  private readonly comparison = element('div', {});
  private node: number | null = null;
  private legend: Legend | null = null;
  private surface: HTMLInputElement | null = null;
  private kind: Look['kind'] = 'perspective';
  private ghost = true;
  private playButton: HTMLButtonElement | null = null;
  private readonly resets: (() => void)[] = [];

  constructor(
    root: HTMLElement,
    private readonly parts: Parts,
  ) {
    const { model, scene } = parts;
    this.tree = new NodeTree(model, (node) => this.selectNode(node));
    scene.onPick = (node) => this.selectNode(node);
    if (model.clips.some((clip) => clip.usable)) root.append(this.animation());
    const { live } = parts.program;
    if (model.dimension > 3) root.append(this.dimensions());
    root.append(this.pose());
    if (live && model.gaze) root.append(this.gaze());
    if (live && model.expressions.length) root.append(this.expressions());
    if (live && model.instances.some((instance) => instance.shapes.length)) root.append(this.blends());
    root.append(this.display(), this.comparison, this.checks());
    void this.showFlex(root);
    if (live) void this.compare();
    this.showTurns();
    scene.setLooks(this.looks);
    this.showColours();
  }

  togglePlay(): void {
    this.playButton?.click();
  }

  /** Pauses, and shows the clip so many frames later; a frame takes a thirtieth of a second. */
  step(frames: number): void {
    const { player } = this.parts;
    if (!player.duration) return;
    if (player.playing) this.togglePlay();
    player.move(frames / 30);
  }

  private change(): void {
    this.parts.player.leave();
    void this.parts.player.refresh();
  }

  private animation(): HTMLElement {
    const { model, player } = this.parts;
    const time = new Slider('Time', { min: 0, max: player.duration || 1, step: 0.001, value: 0, unit: 'seconds' }, (value) => {
      player.state.time = value;
      this.change();
    });
    time.onArrow = (direction) => this.step(direction);
    const play = button('Play', () => setPlaying(!player.playing), { 'aria-pressed': 'false' });
    const setPlaying = (on: boolean) => {
      player.play(on);
      play.textContent = player.playing ? 'Pause' : 'Play';
      play.setAttribute('aria-pressed', String(player.playing));
    };
    this.playButton = play;
    const clips = choice(
      'Clip',
      [['', 'none (the stored pose)'], ...model.clips.flatMap((clip, c): [string, string][] => (clip.usable ? [[String(c), `${clip.name || `clip ${c}`} (${clip.duration.toFixed(2)} s)`]] : []))],
      (value) => {
        player.state.clip = value === '' ? null : Number(value);
        player.state.time = 0;
        sync();
        this.change();
      },
    );
    const sync = () => {
      clips.select.value = player.state.clip === null ? '' : String(player.state.clip);
      time.limit(player.duration || 1);
      time.value = player.state.time;
      play.disabled = !player.duration;
      if (!player.duration) setPlaying(false);
    };
    player.onTime = () => (time.value = player.state.time);
    const speed = choice('Speed', ['0.1', '0.25', '0.5', '1', '2'].map((factor) => [factor, `× ${factor}`]), (value) => (player.speed = Number(value)));
    speed.select.value = '1';
    sync();
    this.selectClip = (clip) => {
      player.state.clip = clip;
      player.state.time = 0;
      sync();
      this.change();
    };
    return section('Animation', true, clips.row, element('div', { class: 'row' }, play, speed.row), time.row);
  }
  private selectClip: (clip: number) => void = () => undefined;

  private pose(): HTMLElement {
    const { model, program, player } = this.parts;
    const reset = button('Reset', () => {
      player.state.turns = {};
      player.state.amounts = {};
      player.state.expressions = {};
      delete player.state.gaze;
      this.resets.forEach((each) => each());
      this.showTurns();
      this.change();
    });
    const save = button('Save pose…', () => {
      const name = (model.file.split(/[\\/]/).at(-1) || 'model').replace(/\.[^.]*$/, '');
      program.pose(player.shown).then((text) => download(`${name}.pose.json`, text), (error: Error) => this.say(error.message));
    });
    const title = model.nodes.some((node) => node.joint) ? 'Bones' : 'Nodes';
    return program.live ? section(title, true, this.tree.root, this.turns, element('div', { class: 'row' }, save, reset)) : section(title, true, this.tree.root);
  }

  private say(text: string): void {
    document.getElementById('note')!.textContent = printable(text);
  }

  private selectNode(node: number | null, instance: number | null = null): void {
    this.node = node;
    this.tree.select(node);
    this.parts.scene.select(node, instance);
    this.showTurns();
    void this.showHeat();
  }

  /** One slider for each plane in which the chosen node can turn. */
  private showTurns(): void {
    const { model, player } = this.parts;
    this.turns.replaceChildren();
    if (!this.parts.program.live) return;
    const node = this.node;
    if (node === null) {
      this.turns.append(element('p', { class: 'hint' }, 'Select a node here or in the picture to rotate it.'));
      return;
    }
    this.turns.append(element('p', { class: 'chosen' }, nodeName(model, node)));
    planesOf(model.dimension).forEach(([from, to], p, planes) => {
      const value = player.state.turns[node]?.[p] ?? 0;
      const slider = new Slider(`${AXES[from]} → ${AXES[to]}`, { min: -180, max: 180, step: 1, value, unit: 'degrees', picture: planePicture(from, to) }, (degrees) => {
        player.state.turns[node] ??= new Array(planes.length).fill(0);
        player.state.turns[node][p] = degrees;
        this.change();
      });
      this.turns.append(slider.row);
    });
  }

  private dimensions(): HTMLElement {
    const { model, player, program } = this.parts;
    if (model.pieces.some((piece) => piece.corners === 2)) {
      this.legend = new Legend(model);
      document.querySelector('main')!.append(this.legend.root);
    }
    const reading = new Reading(model);
    if (!program.live) return section('Hidden dimensions', true, reading.root);
    const made = new Dimensions(model, player, reading, (kind, ghost, cut) => {
      this.legend?.cutAt(kind === 'slice' ? cut : null);
      this.ghost = ghost;
      this.kind = kind;
      this.showColours();
    });
    return made.section;
  }

  /** After the theme, or what is shown: the legend, and whether there is a surface. */
  showColours(): void {
    this.legend?.paint(this.parts.scene.middle);
    if (this.legend) this.legend.root.hidden = (this.heat !== 'none' && (this.heat !== 'weights' || this.node !== null)) || (this.kind === 'slice' && !this.ghost);
    if (!this.surface) return;
    this.surface.disabled = !this.solid(this.kind);
    this.surface.checked = this.looks.surface && !this.surface.disabled;
  }

  /** Whether a way of showing shows surfaces: of more than three dimensions, bodies have one only where they are cut. */
  private solid(kind: Look['kind']): boolean {
    return this.parts.model.pieces.some((piece) => (kind === 'slice' ? piece.cut !== null : piece.corners === 3));
  }

  /** Where an avatar looks: its eyes turn, or expressions do it. */
  private gaze(): HTMLElement {
    const { player } = this.parts;
    const rows = ['To its left', 'Down'].map((name, axis) => {
      const slider = new Slider(name, { min: -90, max: 90, step: 1, value: 0, unit: 'degrees' }, (degrees) => {
        const gaze = (player.state.gaze ??= [0, 0]);
        gaze[axis] = degrees;
        if (gaze.every((angle) => angle === 0)) delete player.state.gaze;
        this.change();
      });
      this.resets.push(() => (slider.value = 0));
      return slider.row;
    });
    return section('Look', true, ...rows);
  }

  /** One slider for each expression of an avatar. All are set together: they turn each other down, and what none of them moves is at rest. */
  private expressions(): HTMLElement {
    const { model, player } = this.parts;
    const values = new Map(model.expressions.map((each) => [each.index, each.amount]));
    const started = model.expressions.some((each) => each.amount !== 0);
    const rows = model.expressions.map((each) => {
      const name = each.stored === each.name ? each.name : `${each.name} (${each.stored})`;
      const slider = new Slider(name, { min: 0, max: 1, step: each.binary ? 1 : 0.01, value: each.amount, unit: 'expression' }, (amount) => {
        values.set(each.index, amount);
        const on = [...values].filter(([, value]) => value !== 0);
        player.state.expressions = Object.fromEntries(on.length || !started ? on : values);
        this.change();
      });
      this.resets.push(() => {
        slider.value = each.amount;
        values.set(each.index, each.amount);
      });
      return slider.row;
    });
    return section('Expressions', true, element('div', { class: 'blends' }, ...rows));
  }

  private blends(): HTMLElement {
    const { model, player } = this.parts;
    const rows: Node[] = [];
    for (const instance of model.instances) {
      if (!instance.shapes.length) continue;
      if (model.instances.filter((each) => each.shapes.length).length > 1) rows.push(element('p', { class: 'chosen' }, instance.name || `node ${instance.node}`));
      instance.shapes.forEach((shape, s) => {
        const slider = new Slider(shape.name || `shape ${s}`, { min: Math.min(0, shape.amount), max: Math.max(1, shape.amount), step: 0.01, value: shape.amount, unit: 'amount' }, (amount) => {
          player.state.amounts[instance.node] ??= {};
          player.state.amounts[instance.node][s] = amount;
          this.change();
        });
        this.resets.push(() => (slider.value = shape.amount));
        rows.push(slider.row);
      });
    }
    return section('Blend shapes', true, element('div', { class: 'blends' }, ...rows));
  }

  private display(): HTMLElement {
    const { scene, model } = this.parts;
    const look = (name: keyof Looks) => (on: boolean) => {
      this.looks[name] = on;
      scene.setLooks(this.looks);
    };
    const rows: Node[] = [];
    if (this.solid('perspective') || (this.parts.program.live && this.solid('slice'))) {
      const surface = checkbox('Surface', true, look('surface'));
      surface.title = model.dimension > 3 ? 'A cross-section of a body has a surface; a projection of it has edges' : '';
      this.surface = surface.querySelector('input')!;
      rows.push(surface);
    }
    if (this.solid('perspective')) rows.push(checkbox('Wireframe', false, look('wireframe')));
    if (model.nodes.some((node) => node.joint)) rows.push(checkbox('Bones', true, look('bones')));
    if (this.parts.program.live && model.instances.some((instance) => instance.skinned))
      rows.push(this.heatChoice('weights', 'Weights of the selected bone'));
    if (this.parts.program.live && model.boxes) rows.push(...this.boxChoice());
    rows.push(element('div', { class: 'row' }, button('Show all', () => scene.frameAll())));
    return section('Display', true, ...rows);
  }

  /** The surface has one kind of colours at a time. */
  private heatChoice(kind: 'weights' | 'distances', text: string): HTMLElement {
    const row = checkbox(text, false, (on) => {
      this.heat = on ? kind : 'none';
      for (const [other, box] of this.heats) box.checked = other === this.heat;
      void this.showHeat();
    });
    this.heats.set(kind, row.querySelector('input')!);
    return row;
  }

  private async showHeat(): Promise<void> {
    const { program, scene } = this.parts;
    this.showColours();
    if (this.heat === 'distances') scene.setHeat(await busily(program.distances()));
    else scene.setHeat(this.heat === 'weights' && this.node !== null ? await busily(program.weights(this.node)) : null);
  }

  /** The box that holds the clip at every time, and its sides in numbers. */
  private boxChoice(): Node[] {
    const { player } = this.parts;
    const numbers = element('p', { class: 'hint', hidden: true });
    player.onFrame = (frame: Packet) => {
      const sides = frame.arrays.get('sides');
      numbers.hidden = !sides;
      if (!sides) return;
      const axes = sides.length / 2;
      const text = (value: number) => String(Number(value.toPrecision(4)));
      const rows = Array.from({ length: axes }, (_, i) => `${AXES[i]} ${text(sides[i])} … ${text(sides[axes + i])}`);
      numbers.textContent = `${rows.join(', ')}. Bones that you turn may leave the box.`;
    };
    const row = checkbox('Box of the whole clip', false, (on) => {
      player.state.box = on;
      void player.refresh();
    });
    return [row, numbers];
  }

  private async compare(): Promise<void> {
    const found = await busily(this.parts.program.comparison());
    if (!found) return;
    const rows: Node[] = [element('p', { class: 'chosen' }, found.verdict), element('p', { class: 'hint' }, everyPose(found))];
    const sizes = new Map<string, { part: ComparedPart; max: Distance }>();
    for (const instance of found.instances) {
      if (instance.why) rows.push(element('p', { class: 'hint' }, `${instance.name}: ${instance.why}`));
      for (const part of instance.parts ?? []) {
        const name = nameOf(part);
        const known = sizes.get(name);
        if (!known || greater(part.max, known.max)) sizes.set(name, { part, max: part.max });
      }
    }
    for (const [list, where] of [[found.onlyA, 'this model'], [found.onlyB, 'the other model']] as const)
      for (const alone of list) rows.push(element('p', { class: 'hint' }, `Only in ${where}: ${alone.kind} ${alone.name}`));
    const list = element('ul', { class: 'findings' });
    for (const [name, { part, max }] of sizes) {
      const row = button('', () => part.kind === 'animation' && this.selectClip(part.a!), { class: 'finding' });
      row.append(element('strong', {}, name), element('span', {}, distanceText(max, found.diagonal)));
      list.append(element('li', {}, row));
    }
    if (found.max !== null && found.max !== 'Infinity') rows.push(this.heatChoice('distances', 'Distances from dark (none) to bright'));
    this.comparison.replaceWith(section(`Compared with ${found.b.split(/[\\/]/).at(-1)}`, true, ...rows, list));
  }

  private async showFlex(root: HTMLElement): Promise<void> {
    const { program, scene, player } = this.parts;
    const flex = await busily(program.flex());
    if (!flex) return;
    const list = new FlexList(flex, { scene, player, live: program.live }, (node) => {
      if (player.playing) this.togglePlay();
      this.selectNode(node);
    });
    root.prepend(list.section);
  }

  private checks(): HTMLElement {
    const made = section('Findings', false, this.findings);
    this.findings.append(element('p', { class: 'hint' }, 'Checking …'));
    busily(this.parts.program.findings()).then(
      (list) => {
        if (!list) return made.remove();
        this.showFindings(list);
        made.querySelector('summary')!.append(element('span', { class: 'count' }, String(list.length)));
        made.open = list.some((finding) => finding.severity < 2);
      },
      (error: Error) => this.findings.replaceChildren(element('p', { class: 'hint' }, error.message)),
    );
    return made;
  }

  private showFindings(list: Finding[]): void {
    const most = 500;
    const rows = list.slice(0, most).map((finding) => {
      const place = finding.pointer ?? (finding.offset === undefined ? '' : `byte ${finding.offset}`);
      const row = button('', () => this.point(finding.pointer ?? ''), { class: `finding ${SEVERITIES[finding.severity]}` });
      row.append(element('strong', {}, `${SEVERITIES[finding.severity]} ${finding.code}`), element('span', {}, finding.message), element('code', {}, place));
      return element('li', {}, row);
    });
    if (!rows.length) this.findings.replaceChildren(element('p', { class: 'hint' }, 'sinew validate found no problems.'));
    else this.findings.replaceChildren(element('ul', { class: 'findings' }, ...rows));
    if (list.length > most) this.findings.append(element('p', { class: 'hint' }, `${list.length - most} more; run sinew validate to list them.`));
  }

  /** Chooses what a finding is about: a node, an instance of a mesh, a clip. */
  private point(pointer: string): void {
    const { model } = this.parts;
    const holds = (own: string) => own !== '' && (pointer === own || pointer.startsWith(`${own}/`));
    const node = model.nodes.findIndex((each) => holds(each.pointer));
    const instance = model.instances.findIndex((each) => holds(each.pointer));
    const clip = model.clips.findIndex((each) => each.usable && holds(each.pointer));
    if (node >= 0) {
      const own = model.instances.findIndex((each) => each.node === node);
      this.selectNode(node, own >= 0 ? own : null);
    } else if (instance >= 0) this.selectNode(model.instances[instance].node, instance);
    else if (clip >= 0) this.selectClip(clip);
  }
}
