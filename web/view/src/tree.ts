// SPDX-License-Identifier: MIT
// The nodes as a tree: one stop of the Tab key, arrows inside (the WAI-ARIA pattern of a tree view).
import type { Model } from './model';
import { element } from './widgets';

export const nodeName = (model: Model, node: number) => model.nodes[node].name || `node ${node}`;

export class NodeTree {
  readonly root = element('ul', { role: 'tree', class: 'tree', 'aria-label': 'Nodes' });
  private readonly items = new Map<number, HTMLLIElement>();
  private current: HTMLLIElement | null = null;

  constructor(
    private readonly model: Model,
    private readonly choose: (node: number) => void,
  ) {
    const shown = this.shown();
    const children = new Map<number | null, number[]>();
    for (const n of shown) {
      const parent = shown.has(model.nodes[n].parent ?? -1) ? model.nodes[n].parent : null;
      const known = children.get(parent);
      if (known) known.push(n);
      else children.set(parent, [n]);
    }
    // A list of open places instead of recursion: a chain of nodes may be thousands deep.
    const open = (children.get(null) ?? []).map((node) => ({ into: this.root as Element, node, level: 1 })).reverse();
    for (let next = open.pop(); next; next = open.pop()) {
      const { into, node, level } = next;
      const label = element('span', { class: model.nodes[node].joint || model.nodes[node].bone ? 'joint' : 'plain' }, nodeName(model, node));
      const item = element('li', { role: 'treeitem', tabindex: -1, 'aria-level': level, 'aria-selected': 'false', 'data-node': node }, label);
      const { bone } = model.nodes[node];
      if (bone) item.append(element('span', { class: 'bone' }, bone));
      this.items.set(node, item);
      into.append(item);
      const below = children.get(node) ?? [];
      if (!below.length) continue;
      item.setAttribute('aria-expanded', String(shown.size < 200 || level < 3));
      const group = element('ul', { role: 'group' });
      item.append(group);
      for (let i = below.length; i-- > 0; ) open.push({ into: group, node: below[i], level: level + 1 });
    }
    this.current = this.root.querySelector('li');
    if (this.current) this.current.tabIndex = 0;
    this.root.addEventListener('keydown', (event) => this.key(event));
    this.root.addEventListener('click', (event) => this.clicked(event));
  }

  select(node: number | null): void {
    for (const item of this.root.querySelectorAll('[aria-selected=true]')) item.setAttribute('aria-selected', 'false');
    const item = node === null ? undefined : this.items.get(node);
    if (!item) return;
    item.setAttribute('aria-selected', 'true');
    for (let above = item.parentElement?.closest('li'); above; above = above.parentElement?.closest('li')) above.setAttribute('aria-expanded', 'true');
    this.moveTo(item, false);
    item.scrollIntoView({ block: 'nearest' });
  }

  /** Bones and what leads to them; where there are none, everything. */
  private shown(): Set<number> {
    const reached = this.model.nodes.flatMap((node, n) => (node.reached ? [n] : []));
    const joints = reached.filter((n) => this.model.nodes[n].joint || this.model.nodes[n].bone);
    if (!joints.length) return new Set(reached);
    const kept = new Set(joints);
    for (const joint of joints) for (let n = this.model.nodes[joint].parent; n !== null && !kept.has(n); n = this.model.nodes[n].parent) kept.add(n);
    return new Set(reached.filter((n) => kept.has(n)));
  }

  private moveTo(item: HTMLLIElement, focus: boolean): void {
    if (this.current) this.current.tabIndex = -1;
    this.current = item;
    item.tabIndex = 0;
    if (focus) item.focus();
  }

  private toggle(item: HTMLLIElement, open?: boolean): void {
    const now = item.getAttribute('aria-expanded');
    if (now !== null) item.setAttribute('aria-expanded', String(open ?? now !== 'true'));
  }

  private clicked(event: MouseEvent): void {
    const item = (event.target as Element).closest<HTMLLIElement>('li[role=treeitem]');
    if (!item) return;
    const onLabel = (event.target as Element).tagName === 'SPAN';
    this.moveTo(item, true);
    if (onLabel) this.choose(Number(item.dataset.node));
    else this.toggle(item);
  }

  private key(event: KeyboardEvent): void {
    const item = this.current;
    if (!item) return;
    const visible = [...this.root.querySelectorAll<HTMLLIElement>('li')].filter((li) => !li.parentElement!.closest('li[aria-expanded=false]'));
    const at = visible.indexOf(item);
    const go = (to: HTMLLIElement | null | undefined) => to && this.moveTo(to, true);
    const expanded = item.getAttribute('aria-expanded');
    const actions: Record<string, () => void> = {
      ArrowDown: () => go(visible[at + 1]),
      ArrowUp: () => go(visible[at - 1]),
      Home: () => go(visible[0]),
      End: () => go(visible.at(-1)),
      ArrowRight: () => (expanded === 'false' ? this.toggle(item, true) : go(item.querySelector('li'))),
      ArrowLeft: () => (expanded === 'true' ? this.toggle(item, false) : go(item.parentElement?.closest('li'))),
      Enter: () => this.choose(Number(item.dataset.node)),
      ' ': () => this.choose(Number(item.dataset.node)),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }
}
