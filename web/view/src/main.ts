// SPDX-License-Identifier: MIT
import './style.css';
import { openCarried } from './carried';
import { Program, type Model, type Source } from './model';
import { Materials } from './materials';
import { Panel } from './panel';
import { Player } from './player';
import { Scene } from './scene';
import { printable } from './widgets';

const note = document.getElementById('note')!;

async function start(): Promise<void> {
  const [carried, module] = ['carried', 'module'].map((id) => document.getElementById(id)?.textContent);
  const program: Source = carried ? await openCarried(carried, module) : new Program();
  const [model, geometry] = await Promise.all([program.model(), program.geometry()]);
  title(model);
  const scene = new Scene(document.getElementById('canvas') as HTMLCanvasElement, model, geometry, await Materials.load(model, geometry));
  const player = new Player(program, scene, model, (text) => (note.textContent = printable(text)));
  const panel = new Panel(document.getElementById('controls')!, { program, scene, model, player });

  const dark = matchMedia('(prefers-color-scheme: dark)');
  const theme = () => {
    scene.setBackground(getComputedStyle(document.documentElement).getPropertyValue('--picture').trim());
    panel.showColours();
  };
  dark.addEventListener('change', theme);
  theme();
  scene.resize();
  const keys: Record<string, () => void> = {
    ' ': () => panel.togglePlay(),
    ',': () => panel.step(-1),
    '.': () => panel.step(1),
    ArrowLeft: () => panel.step(-1),
    ArrowRight: () => panel.step(1),
  };
  addEventListener('keydown', (event) => {
    const busy = event.target instanceof Element && event.target.closest('input, select, button, summary, [role=tree]');
    if (busy || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  await player.refresh();
  if (player.duration && !matchMedia('(prefers-reduced-motion: reduce)').matches) panel.togglePlay();
  document.body.dataset.ready = 'true';
}

function title(model: Model): void {
  const name = printable(model.file.split(/[\\/]/).at(-1) || 'Model');
  document.title = `${name} – Sinew`;
  document.getElementById('title')!.textContent = name;
  const space = model.dimension === 1 ? '1 dimension' : `${model.dimension} dimensions`;
  document.getElementById('subtitle')!.textContent = `${model.format} ${model.revision}, ${space}, ${model.vertices.toLocaleString('en')} vertices`;
}

start().catch((error: Error) => {
  note.textContent = printable(error.message);
  note.classList.add('error');
});
