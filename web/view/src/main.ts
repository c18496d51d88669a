// SPDX-License-Identifier: MIT
import './style.css';
import { openCarried, readChoices } from './carried';
import { Program, type Model, type Source } from './model';
import { Materials } from './materials';
import { takeMotions } from './motion';
import { Panel } from './panel';
import { Player } from './player';
import { Scene } from './scene';
import { choice, printable } from './widgets';

const note = document.getElementById('note')!;

async function start(): Promise<void> {
  const { module, carried } = await chosen();
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
  if (program instanceof Program) await takeMotions(program, document.getElementById('controls')!, note);
  await player.refresh();
  if (player.duration && !matchMedia('(prefers-reduced-motion: reduce)').matches) panel.togglePlay();
  document.body.dataset.ready = 'true';
}

/** What the page carries. Of several models it shows the one that the address names by its number, or the first. */
async function chosen(): Promise<{ module: string | null | undefined; carried: string | null | undefined }> {
  const text = (id: string) => document.getElementById(id)?.textContent;
  const [module, models] = [text('module'), text('models')];
  if (!models) return { module, carried: text('carried') };
  const list = await readChoices(models);
  const wanted = list[Number(location.hash.slice(1)) - 1];
  const shown = wanted?.id ? wanted : list.find((each) => each.id)!;
  const { row, select } = choice(
    'Model',
    list.map((each, i): [string, string] => [String(i + 1), each.name]),
    (value) => {
      location.hash = value;
      location.reload();
    },
  );
  list.forEach((each, i) => {
    if (each.id) return;
    select.options[i].disabled = true;
    select.options[i].text += ` (${printable(each.why)})`;
  });
  select.value = String(list.indexOf(shown) + 1);
  document.getElementById('subtitle')!.after(row);
  return { module, carried: text(shown.id) };
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
