// SPDX-License-Identifier: MIT
// What is shown now, and asking for it: one question at a time, and the newest state next.
import type { FlexFinding, Model, Packet, Source, State } from './model';
import type { Scene } from './scene';
import { busily } from './widgets';

export class Player {
  readonly state: State;
  playing = false;
  speed = 1;
  /** The time has moved by itself. */
  onTime: () => void = () => undefined;
  /** A question had no answer. */
  onFailure: () => void = () => undefined;
  /** A slice has the projected whole around it. */
  ghost = true;
  onFrame: (frame: Packet) => void = () => undefined;
  /** The pose of a finding of flex, which hides the other one until something moves. */
  private finding: { number: number; found: FlexFinding; share: number; lead: number } | null = null;
  /** It is gone. */
  onLeave: () => void = () => undefined;

  private dirty = false;
  private asking: Promise<void> | null = null;
  private last = 0;
  private frame = 0;
  private readonly took: number[] = [];

  constructor(
    private readonly program: Source,
    private readonly scene: Scene,
    private readonly model: Model,
    private readonly say: (text: string) => void,
  ) {
    const first = model.clips.findIndex((clip) => clip.usable && clip.duration > 0);
    this.state = { clip: model.clip ?? (first < 0 ? null : first), time: 0, turns: {}, amounts: {}, expressions: {} };
  }

  /** What the picture shows. */
  get shown(): State {
    if (!this.finding) return this.state;
    const { number, found, share, lead } = this.finding;
    const { bound, clip, time, swing, amounts } = found.state;
    const part = Object.entries(amounts).map(([node, shapes]) => [node, Object.fromEntries(Object.entries(shapes).map(([shape, amount]) => [shape, share * amount]))]);
    return {
      clip,
      time: Math.max(0, time - (1 - share) * lead),
      bound,
      ...(swing && { swing: { ...swing, degrees: share * swing.degrees } }),
      amounts: Object.fromEntries(part),
      turns: {},
      expressions: {},
      look: this.state.look,
      finding: number,
      share,
    };
  }

  /** Shows the worst pose of a finding; `share` below 1: on the way to it. */
  show(number: number, found: FlexFinding, share: number, lead: number): Promise<void> {
    this.finding = { number, found, share, lead };
    return this.refresh();
  }

  /** Goes back to the state. */
  leave(): void {
    if (!this.finding) return;
    this.finding = null;
    this.onLeave();
  }

  get duration(): number {
    return this.state.clip === null ? 0 : this.model.clips[this.state.clip].duration;
  }

  /** Shows the state as it is now; done when the picture has it. */
  refresh(): Promise<void> {
    this.dirty = true;
    this.asking ??= busily(this.ask()).finally(() => (this.asking = null));
    return this.asking;
  }

  play(on: boolean): void {
    if (on === this.playing) return;
    this.playing = on && this.duration > 0;
    if (this.playing) this.leave();
    cancelAnimationFrame(this.frame);
    if (!this.playing) return;
    this.frame = requestAnimationFrame((now) => {
      this.last = now; // performance.now() can be later than the time of the first frame
      this.step(now);
    });
  }

  /** Moves the time by hand, round the ends of the clip. */
  move(seconds: number): void {
    this.leave();
    this.state.time = (this.state.time + (seconds % this.duration) + this.duration) % this.duration;
    this.onTime();
    void this.refresh();
  }

  private step(now: number): void {
    if (!this.playing) return;
    if (!this.asking) {
      this.state.time = (this.state.time + ((now - this.last) / 1000) * this.speed) % this.duration;
      this.last = now;
      this.onTime();
      void this.refresh();
    }
    this.frame = requestAnimationFrame((next) => this.step(next));
  }

  private async ask(): Promise<void> {
    while (this.dirty) {
      this.dirty = false;
      try {
        const before = performance.now();
        const { shown } = this;
        const frame = await this.program.frame(shown);
        const { look } = shown;
        const ghost = look?.kind === 'slice' && this.ghost;
        const whole = ghost ? await this.program.frame({ ...shown, box: false, look: { ...look, kind: 'orthographic' } }) : null;
        this.figures(performance.now() - before);
        this.scene.show(frame, whole);
        this.onFrame(frame);
        this.say(this.program.notice);
      } catch (error) {
        this.play(false);
        this.onFailure();
        this.say(this.program.live && error instanceof TypeError ? 'The program has ended. Run sinew view again.' : (error as Error).message);
      }
    }
  }

  private figures(milliseconds: number): void {
    this.took.push(milliseconds);
    if (this.took.length > 20) this.took.shift();
    const mean = this.took.reduce((sum, each) => sum + each, 0) / this.took.length;
    document.getElementById('figures')!.textContent = `${mean.toFixed(1)} ms a frame`;
  }
}
