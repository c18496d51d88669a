// SPDX-License-Identifier: MIT
// The few kinds of controls that the page is made of.

import { AXES } from './model';

type Attributes = Record<string, string | number | boolean | undefined>;

/** Shows control characters, marks that change the direction of text, and separators of lines, as the program does in a terminal. */
export const printable = (text: string) =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** An element; texts of the model in it are shown as they are, whatever they hold. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : printable(String(value)));
  made.append(...children.map((child) => (typeof child === 'string' ? printable(child) : child)));
  return made;
}

export function section(title: string, open: boolean, ...children: Node[]): HTMLDetailsElement {
  return element('details', { class: 'section', open }, element('summary', {}, title), ...children);
}

export function button(text: string, action: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', action);
  return made;
}

export function checkbox(text: string, checked: boolean, change: (on: boolean) => void): HTMLLabelElement {
  const box = element('input', { type: 'checkbox', checked });
  box.addEventListener('change', () => change(box.checked));
  return element('label', { class: 'check' }, box, text);
}

let numbered = 0;

export function choice(text: string, options: [value: string, text: string][], change: (value: string) => void): { row: HTMLElement; select: HTMLSelectElement } {
  const id = `choice${++numbered}`;
  const select = element('select', { id }, ...options.map(([value, label]) => element('option', { value }, label)));
  select.addEventListener('change', () => change(select.value));
  return { row: element('div', { class: 'choice' }, element('label', { for: id }, text), select), select };
}

/** A named number: a slider for the hand and a field for the exact value. */
export class Slider {
  readonly row: HTMLDivElement;
  /** What the arrow keys do instead of one step of the slider: −1 or 1. */
  onArrow: ((direction: number) => void) | null = null;
  private readonly range: HTMLInputElement;
  private readonly field: HTMLInputElement;
  /** The text that the field gets when its user leaves it. */
  private late: string | null = null;

  constructor(text: string, limits: { min: number; max: number; step: number; value: number; unit?: string; picture?: Element }, change: (value: number) => void) {
    const { min, max, step, value, unit, picture } = limits;
    const id = `slider${++numbered}`;
    this.range = element('input', { type: 'range', min, max, step, value, id });
    this.field = element('input', { type: 'number', step, value, 'aria-label': unit ? `${text}, ${unit}` : text });
    this.range.addEventListener('input', () => {
      this.field.value = this.range.value;
      change(Number(this.range.value));
    });
    this.field.addEventListener('blur', () => {
      if (this.late !== null) this.field.value = this.late;
      this.late = null;
    });
    this.field.addEventListener('input', () => {
      this.late = null;
      if (!Number.isFinite(this.field.valueAsNumber)) return;
      this.range.value = this.field.value;
      change(this.field.valueAsNumber);
    });
    this.range.addEventListener('keydown', (event) => {
      const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
      if (!this.onArrow || !direction) return;
      event.preventDefault();
      this.onArrow(direction);
    });
    this.row = element('div', { class: 'slider' }, element('span', { class: 'name' }, ...(picture ? [picture] : []), element('label', { for: id, title: text }, element('bdi', {}, text))), this.range, this.field);
    this.value = value;
  }

  limit(max: number): void {
    this.range.max = String(max);
  }

  /** What moves by itself leaves the field alone while its user types. */
  set value(value: number) {
    this.range.value = String(value);
    const text = String(Number(value.toFixed(4)));
    if (document.activeElement === this.field) this.late = text;
    else this.field.value = text;
  }
}

/** Two axes and an arrow from one to the other; axes that the picture of the model lacks are dashed. */
export function planePicture(from: number, to: number): SVGElement {
  const draw = (tag: string, attributes: Attributes, text = '') => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    made.textContent = text;
    return made;
  };
  const axis = (index: number, d: string) => draw('path', { d, class: index < 3 ? 'axis' : 'axis hidden' });
  const picture = draw('svg', { viewBox: '-4 0 40 28', class: 'plane', 'aria-hidden': 'true' });
  picture.append(
    axis(from, 'M9 23H32'),
    axis(to, 'M9 23V2'),
    draw('path', { d: 'M23 23A14 14 0 0 0 12.6 9.5M15.2 12.6L12.6 9.5L16.4 8.1', class: 'turn' }),
    draw('text', { x: 27, y: 20 }, AXES[from]),
    draw('text', { x: -4, y: 9 }, AXES[to]),
  );
  return picture;
}

let waiting = 0;

/** While something is asked for, `data-busy` is at the page's body. */
export async function busily<T>(work: Promise<T>): Promise<T> {
  ++waiting;
  document.body.toggleAttribute('data-busy', true);
  try {
    return await work;
  } finally {
    document.body.toggleAttribute('data-busy', --waiting > 0);
  }
}

export function download(name: string, text: string): void {
  const link = element('a', { href: URL.createObjectURL(new Blob([text], { type: 'application/json' })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
