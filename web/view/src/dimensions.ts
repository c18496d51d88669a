// SPDX-License-Identifier: MIT
// More than three dimensions: how the model is looked at, what its colours mean, and how to read the picture.
import { hiddenStyle } from './colours';
import { AXES, planesOf, type Look, type Model } from './model';
import type { Player } from './player';
import { Slider, button, checkbox, choice, element, planePicture, section } from './widgets';

const SWEEP = 4; // seconds for the whole way of a moving cut
const listed = (axes: string[]) => (axes.length < 2 ? axes.join() : `${axes.slice(0, -1).join(', ')} and ${axes.at(-1)}`);
const short = (value: number) => String(Number(value.toPrecision(3))).replace('-', '−');

/** What the colours of edges say: a place along the first hidden axis. */
export class Legend {
  readonly root = element('figure', { id: 'legend', role: 'img' });
  private readonly ramp = element('div', { class: 'ramp' });
  private readonly mark = element('div', { class: 'mark', hidden: true });

  constructor(private readonly model: Model) {
    const [low, middle, high] = [-1, 0, 1].map((side) => short(model.center[3] + side * model.radius));
    this.root.setAttribute('aria-label', `Colours of edges by w: blue at ${low}, grey at ${middle}, red at ${high}`);
    this.ramp.append(this.mark);
    this.root.append(element('figcaption', {}, 'Colour: place along w'), this.ramp, element('div', { class: 'ticks' }, ...[low, middle, high].map((each) => element('span', {}, each))));
  }

  /** `grey`: the brightness of the middle, linear. */
  paint(grey: number): void {
    const stops = Array.from({ length: 17 }, (_, i) => hiddenStyle(i / 8 - 1, grey));
    this.ramp.style.background = `linear-gradient(to right, ${stops.join(', ')})`;
  }

  /** Shows where a slice is cut; null: nowhere. */
  cutAt(w: number | null): void {
    this.mark.hidden = w === null;
    if (w !== null) this.mark.style.left = `${Math.min(100, Math.max(0, 50 + (50 * (w - this.model.center[3])) / this.model.radius))}%`;
  }
}

/** A short text for each way of showing. */
export class Reading {
  readonly root = element('details', { class: 'reading', open: true }, element('summary', {}, 'How to read this'));
  private readonly kinds = new Map<Look['kind'], HTMLElement>();

  constructor(model: Model) {
    const hidden = listed(AXES.slice(3, model.dimension));
    const one = model.dimension === 4;
    const texts: [Look['kind'], string][] = [
      ['perspective', `What has ${one ? `a larger ${hidden}` : `larger ${hidden}`} is drawn larger, as if it were nearer to you.`],
      ['orthographic', `The picture leaves ${hidden} out, as a shadow on a wall leaves out the depth of a body.`],
      ['slice', `The solid part is all that the model has at one place along ${hidden}, as a cut through a body shows an outline. The thin lines are the ghost: the whole model.`],
    ];
    const colours = `Blue edges have a small w, red ones a large w.${one ? '' : ' The other hidden axes have no colour.'}`;
    this.root.append(element('p', {}, `The model has ${one ? 'an axis' : 'axes'} besides x, y and z that no picture can show: ${hidden}. ${colours}`));
    for (const [kind, text] of texts) this.kinds.set(kind, element('p', { hidden: kind !== 'perspective' }, text));
    this.root.append(...this.kinds.values(), element('p', {}, 'The slider x → w turns the model: what points along x turns towards w, and what lay along w comes into the picture.'));
  }

  show(kind: Look['kind']): void {
    for (const [each, text] of this.kinds) text.hidden = each !== kind;
  }
}

/** The controls: projected, or cut; turned before. */
export class Dimensions {
  readonly section: HTMLElement;
  readonly look: Look;
  private readonly stops: (() => void)[] = [];

  constructor(
    private readonly model: Model,
    player: Player,
    reading: Reading,
    changed: (kind: Look['kind'], ghost: boolean, cut: number) => void,
  ) {
    const planes = planesOf(model.dimension);
    this.look = { kind: 'perspective', turns: new Array(planes.length).fill(0), offsets: model.center.slice(3) };
    const { look } = this;
    player.state.look = look;
    const tell = () => {
      changed(look.kind, player.ghost, look.offsets[0]);
      return player.refresh();
    };
    const cuts = look.offsets.map((_, i) => this.cut(i, tell));
    player.onFailure = () => this.stop();
    const ghost = checkbox('Ghost of the whole', player.ghost, (on) => {
      player.ghost = on;
      void tell();
    });
    const cutRows = element('div', { hidden: true }, ...cuts.map((cut) => cut.row), ghost);
    const kinds = choice(
      'Show',
      [
        ['perspective', 'perspective'],
        ['orthographic', 'without perspective'],
        ['slice', 'cross-section'],
      ],
      (kind) => {
        look.kind = kind as Look['kind'];
        cutRows.hidden = kind !== 'slice';
        this.stop();
        reading.show(look.kind);
        void tell();
      },
    );
    const turns = planes.flatMap(([from, to], p) => {
      if (to < 3) return [];
      const limits = { min: -180, max: 180, step: 1, value: 0, unit: 'degrees, whole model', picture: planePicture(from, to) };
      return new Slider(`${AXES[from]} → ${AXES[to]}`, limits, (degrees) => {
        look.turns[p] = degrees;
        void tell();
      });
    });
    const straight = button('Reset rotation', () => {
      this.stop();
      look.turns.fill(0);
      look.offsets = model.center.slice(3);
      turns.forEach((slider) => (slider.value = 0));
      cuts.forEach((slider, i) => (slider.value = look.offsets[i]));
      void tell();
    });
    const hint = element('p', { class: 'hint' }, 'Rotate the model in its own space before it is projected or cut.');
    this.section = section('Hidden dimensions', true, reading.root, kinds.row, cutRows, hint, ...turns.map((slider) => slider.row), element('div', { class: 'row' }, straight));
  }

  private stop(): void {
    this.stops.forEach((each) => each());
  }

  /** The slider of a cut; its button moves it there and back. */
  private cut(i: number, tell: () => Promise<void>): Slider {
    const { look, model } = this;
    const [min, max] = [-1, 1].map((side) => model.center[i + 3] + side * model.radius);
    const slider = new Slider(`Cut at ${AXES[i + 3]}`, { min, max, step: model.radius / 500, value: look.offsets[i], unit: 'position' }, (value) => {
      setMoving(false);
      look.offsets[i] = value;
      void tell();
    });
    let moving = false;
    let direction = 1;
    const move = async () => {
      let last = performance.now();
      while (moving) {
        const now = await new Promise(requestAnimationFrame);
        if (!moving) return;
        const value = look.offsets[i] + (direction * Math.min(Math.max(now - last, 0), 100) * (max - min)) / (SWEEP * 1000);
        last = now;
        if (value >= max || value <= min) direction = value >= max ? -1 : 1;
        look.offsets[i] = slider.value = Math.min(max, Math.max(min, value));
        await tell();
      }
    };
    const play = button('▶', () => setMoving(!moving), { class: 'icon', 'aria-label': `Move the cut along ${AXES[i + 3]}`, 'aria-pressed': 'false' });
    const setMoving = (on: boolean) => {
      if (on === moving) return;
      moving = on;
      play.textContent = on ? '⏸' : '▶';
      play.setAttribute('aria-pressed', String(on));
      if (on) void move();
    };
    this.stops.push(() => setMoving(false));
    slider.row.append(play);
    return slider;
  }
}
