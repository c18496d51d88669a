// SPDX-License-Identifier: MIT
// Files with animations that are dropped on the page.
import type { Program } from './model';
import { button, element, printable, section } from './widgets';

const KINDS = '.vrma,.glb,.gltf,.vrm,.g4b,.g4tf';

/** Lets a file with animations move the model, if the program takes files; the page is read again with them. */
export async function takeMotions(program: Program, controls: HTMLElement, note: HTMLElement): Promise<void> {
  const notes = await program.motion();
  if (!notes) return;
  const say = (text: string, error = false) => {
    note.textContent = printable(text);
    note.classList.toggle('error', error);
  };
  const take = async (file: File | undefined) => {
    if (!file) return;
    say(`Reading ${file.name} …`);
    try {
      await program.take(file);
      location.reload();
    } catch (error) {
      say(`${file.name}: ${(error as Error).message}`, true);
    }
  };
  const input = element('input', { type: 'file', accept: KINDS, hidden: true, 'aria-label': 'A file with animations' });
  input.addEventListener('change', () => void take(input.files?.[0]));
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    void take(event.dataTransfer?.files[0]);
  });
  const about = element('p', { class: 'hint' }, 'Drop a VRM Animation, glTF or VRM file on the page: its animations move this model.');
  const told = notes.map((text) => element('p', { class: 'dropped' }, text));
  controls.append(section('Animations of other files', notes.length > 0, about, ...told, button('Add animations…', () => input.click()), input));
}
