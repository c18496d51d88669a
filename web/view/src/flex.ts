// SPDX-License-Identifier: MIT
// The findings of `sinew flex`: a list, and the worst pose of the chosen one with its place marked.
import type { Flex, FlexFinding } from './model';
import type { Player } from './player';
import type { Scene } from './scene';
import { Slider, button, checkbox, element, printable, section } from './widgets';

const SEVERITIES = ['error', 'warning', 'note'];
const WAY = 900; // milliseconds from the rest pose to the worst pose
const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Whether the pose of a finding differs from the rest pose. */
const moves = ({ state }: FlexFinding) => !state.bound || state.swing !== undefined || Object.keys(state.amounts).length > 0;

interface Parts {
  scene: Scene;
  player: Player;
  live: boolean;
}

export class FlexList {
  readonly section: HTMLDetailsElement;
  private readonly rows: { row: HTMLButtonElement; item: HTMLLIElement; found: FlexFinding }[] = [];
  private readonly share: Slider;
  private readonly controls = element('div', { hidden: true });
  private readonly said = element('p', { class: 'hint', role: 'status', 'aria-live': 'polite' });
  private chosen: number | null = null;
  /** Counts the motions, so that a new one ends the one before. */
  private motion = 0;

  /** `select`: chooses the node of a finding, or none. */
  constructor(
    private readonly flex: Flex,
    private readonly parts: Parts,
    private readonly select: (node: number | null) => void,
  ) {
    const { error, warning, info } = flex.summary;
    const text = [error && counted(error, 'error'), warning && counted(warning, 'warning'), info && counted(info, 'note')].filter(Boolean).join(', ');
    const list = element('ul', { class: 'findings' }, ...flex.findings.map((found, number) => this.item(found, number)));
    const notes = checkbox('Notes, too', !error && !warning, (on) => this.showNotes(on));
    this.showNotes(!error && !warning);
    const left = [...flex.skipped.map(({ code, reason }) => `Not checked: ${code}: ${reason}`), ...flex.notCovered.map(({ pointer, what }) => `Not covered: ${pointer}: ${what}`)];
    this.share = new Slider('How far', { min: 0, max: 1, step: 0.01, value: 1, unit: 'from the rest pose to the worst pose' }, (share) => {
      ++this.motion;
      if (this.chosen !== null) void this.pose(this.chosen, share);
    });
    const play = button('Play the worst pose', () => this.chosen !== null && void this.play(this.chosen));
    const look = button('Look at the place', () => this.chosen !== null && this.look(this.chosen));
    this.controls.append(this.share.row, element('div', { class: 'row' }, play, look));
    this.section = section('Bad deformation', true, ...(info ? [notes] : []), ...(flex.findings.length ? [list] : []), this.controls, this.said, ...left.map((text) => element('p', { class: 'hint' }, text)));
    this.section.querySelector('summary')!.append(element('span', { class: 'count' }, text || 'nothing found'));
    parts.player.onLeave = () => this.leave();
  }

  private item(found: FlexFinding, number: number): HTMLLIElement {
    const severity = SEVERITIES[Math.min(found.severity, 2)];
    const row = button('', () => void this.choose(number), { class: `finding ${severity}`, 'aria-current': 'false' });
    row.append(element('strong', {}, `${severity} ${found.code}${found.subject ? ` ${found.subject}` : ''}`), element('span', {}, found.message));
    const item = element('li', {}, row);
    this.rows.push({ row, item, found });
    return item;
  }

  private showNotes(on: boolean): void {
    for (const { item, found } of this.rows) item.hidden = !on && found.severity > 1;
  }

  private async choose(number: number): Promise<void> {
    const { found } = this.rows[number];
    this.select(found.node);
    this.mark(number);
    this.controls.hidden = !this.playable(found) || !moves(found);
    await this.pose(number, 1); // the camera looks at the place as it is then
    this.look(number);
    const place = found.vertices === 1 ? '1 vertex marked' : `${found.vertices} vertices marked`;
    const pose = !this.playable(found) ? 'This page had no room for the worst pose' : moves(found) ? 'The worst pose' : 'The rest pose';
    this.said.textContent = printable(`${pose} of ${found.code}${found.subject ? ` ${found.subject}` : ''}: ${place}.`);
    if (moves(found) && !matchMedia('(prefers-reduced-motion: reduce)').matches) await this.play(number);
  }

  private playable(found: FlexFinding): boolean {
    return this.parts.live || Boolean(found.frames);
  }

  private mark(number: number | null): void {
    this.chosen = number;
    this.rows.forEach(({ row }, each) => row.setAttribute('aria-current', String(each === number)));
    this.parts.scene.mark(number === null ? [] : this.rows[number].found.rows);
  }

  private look(number: number): void {
    const { rows, worst } = this.rows[number].found;
    this.parts.scene.lookAtRows(worst, rows);
  }

  private pose(number: number, share: number): Promise<void> {
    if (!this.playable(this.rows[number].found)) return Promise.resolve();
    this.share.value = share;
    return this.parts.player.show(number, this.rows[number].found, share, this.flex.lead);
  }

  /** Moves from the rest pose to the worst pose, and stays there. */
  private async play(number: number): Promise<void> {
    const own = ++this.motion;
    for (let start: number | null = null, share = 0; share < 1; ) {
      const now = await new Promise(requestAnimationFrame);
      if (own !== this.motion || this.chosen !== number) return;
      start ??= now;
      share = Math.min(1, (now - start) / WAY);
      await this.pose(number, share);
    }
  }

  /** Something else moves the model. */
  private leave(): void {
    ++this.motion;
    this.controls.hidden = true;
    this.said.textContent = '';
    this.mark(null);
  }
}
