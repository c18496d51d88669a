// SPDX-License-Identifier: MIT
// The page of the site: files in memory, and the program's own commands on them, in a worker.
// @ts-check
import { mentioned, pictureOf, prepare } from './picture.js';

/** @typedef {{ status: number, out: string, err: string, made: [string, Blob][] }} Ran */
const get = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
/** @param {string} tag @param {Record<string, any>} more @param {(Element | string)[]} inside */
const element = (tag, more = {}, ...inside) => {
  const made = Object.assign(document.createElement(tag), more);
  made.append(...inside);
  return made;
};
/** Characters that could hide or reorder text are shown as what they are. @param {string} text */
const printable = (text) => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
const sizeOf = (/** @type {number} */ bytes) => (bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1000).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
const isModel = (/** @type {string} */ name) => /\.(vrm|glb|gltf|vrma|g4b|g4tf)$/i.test(name);
const isMotion = (/** @type {string} */ name) => /\.vrma$/i.test(name);

/** The files of the page, by the names that the program sees. */
const files = /** @type {Map<string, Blob>} */ (new Map());
const made = /** @type {Set<string>} */ (new Set());
let current = '';

class Cancelled extends Error {}

/** The program, in a worker: one run after the other. */
class Program {
  constructor() {
    this.module = fetch('program.wasm').then(async (answer) => {
      if (!answer.ok) throw new Error(`program.wasm: ${answer.status} ${answer.statusText}`);
      return WebAssembly.compile(await answer.arrayBuffer());
    });
    // Kept, so that another worker can be made without a network.
    this.code = fetch('worker.js').then(async (answer) => URL.createObjectURL(new Blob([await answer.text()], { type: 'text/javascript' })));
    this.module.catch((error) => fail(`The program cannot be loaded: ${error.message}. Open this page through a file server.`));
    this.worker = /** @type {Worker | null} */ (null);
    this.last = /** @type {Promise<unknown>} */ (Promise.resolve());
    this.giveUp = /** @type {((reason: Error) => void) | null} */ (null);
  }

  /** @param {string[]} words @returns {Promise<Ran>} */
  run(words) {
    const next = this.last.catch(() => {}).then(() => this.now(words));
    this.last = next;
    return next;
  }

  /** @param {string[]} words @returns {Promise<Ran>} */
  async now(words) {
    const [module, code] = await Promise.all([this.module, this.code]);
    this.worker ??= new Worker(code);
    const { worker } = this;
    const done = busy();
    try {
      return await new Promise((resolve, reject) => {
        this.giveUp = reject;
        worker.onmessage = ({ data }) => (data.failed === undefined ? resolve(data) : reject(new Error(data.failed)));
        worker.onerror = (event) => reject(new Error(event.message || 'The worker ended.'));
        worker.postMessage({ module, words, files: [...files] });
      });
    } catch (error) {
      worker.terminate();
      this.worker = null; // the next run makes a new one
      throw error;
    } finally {
      this.giveUp = null;
      done();
    }
  }

  cancel() {
    this.giveUp?.(new Cancelled('Cancelled.'));
  }
}

/** Shows that something runs, until the function that it returns is called. */
function busy() {
  const start = performance.now();
  const show = () => (get('seconds').textContent = `working… ${Math.floor((performance.now() - start) / 1000)} s`);
  show();
  const timer = setInterval(show, 250);
  const set = (/** @type {boolean} */ on) => {
    get('busy').hidden = !on;
    get('run').disabled = on;
    document.body.toggleAttribute('data-busy', on);
  };
  get('result').hidden = false;
  get('status').textContent = 'working…';
  set(true);
  return () => {
    clearInterval(timer);
    get('status').textContent = '';
    set(false);
    get('status').dataset.seconds = ((performance.now() - start) / 1000).toFixed(2);
  };
}

/** @param {string} text */
function fail(text) {
  get('result').hidden = false;
  get('failure').textContent = printable(text.trim());
  get('failure').hidden = false;
}
function clearResult() {
  get('failure').hidden = true;
  get('failure').textContent = get('status').textContent = '';
  get('output-text').replaceChildren();
}

const program = new Program();

// Operations: the words for the program, and how its answer is shown.

/** A name as a word: never an option. @param {string} name */
const word = (name) => (name.startsWith('-') ? `./${name}` : name);
const checked = (/** @type {string} */ id) => [...get(id).querySelectorAll('input:checked')].map((each) => word(each.value));
const option = (/** @type {string} */ name, /** @type {string} */ value) => (value ? [name, value] : []);

/** @type {Record<string, { title: string, ending?: string, words: (model: string, output: string) => string[], lacks?: () => string }>} */
const operations = {
  validate: { title: 'Check', words: (model) => ['validate', model, '--format', 'json'] },
  info: { title: 'Describe', words: (model) => ['info', model] },
  bounds: { title: 'Compute boxes', words: (model) => ['bounds', model] },
  compare: {
    title: 'Compare',
    words: (model) => ['compare', model, word(get('other').value), ...(get('match').checked ? ['--match'] : [])],
    lacks: () => (get('other').value ? '' : 'Drop the other file first.'),
  },
  merge: {
    title: 'Dress',
    ending: '-dressed',
    words: (model, output) => ['merge', model, ...checked('clothes'), '-o', output, ...(get('names').checked ? ['--names', 'auto'] : []),
      ...madeFor(), ...option('--mesh', get('mesh').value.trim())], // prettier-ignore
    lacks: () => (checked('clothes').length ? '' : 'Drop clothes, and choose them above.'),
  },
  retarget: {
    title: 'Move',
    ending: '-moving',
    words: (model, output) => ['retarget', model, ...checked('motions'), '-o', output, ...(get('align').checked ? ['--align', 'auto'] : [])],
    lacks: () => (checked('motions').length ? '' : 'Drop a file with animations, such as a .vrma, and choose it above.'),
  },
  optimize: {
    title: 'Shrink',
    ending: '-small',
    words: (model, output) => ['optimize', model, '-o', output, '--max-error', get('max-error').value, ...option('--triangles', get('triangles').value),
      ...option('--compress', get('compress').value)], // prettier-ignore
  },
};
function madeFor() {
  const { value } = get('made-for');
  return value === 'fit' ? ['--fit', 'auto'] : value ? ['--made-for', word(value.slice(1))] : [];
}
const chosen = () => /** @type {HTMLInputElement} */ (document.querySelector('[name=operation]:checked')).value;

/** The name of a new file: another one than those here, and binary, so that it is one file. @param {string} ending */
function outputName(ending) {
  const [, stem, extension] = /** @type {string[]} */ (/([^/]*?)(\.[^.]*)?$/.exec(current) ?? ['', 'new', '']);
  const binary = /** @type {Record<string, string>} */ ({ '.gltf': '.glb', '.g4tf': '.g4b', '.vrma': '.glb' });
  for (let number = 1; ; ++number) {
    const name = `${stem}${ending}${number > 1 ? `-${number}` : ''}${binary[extension.toLowerCase()] ?? extension}`;
    if (!files.has(name)) return name;
  }
}

function words() {
  const operation = operations[chosen()];
  return operation.words(word(current), word(get('output').value.trim()));
}

/** Shows the fields of the operation, and the command. */
function showForm() {
  const name = chosen();
  const { title, ending, lacks } = operations[name];
  for (const each of document.querySelectorAll('[data-for]')) /** @type {HTMLElement} */ (each).hidden = /** @type {HTMLElement} */ (each).dataset.for !== name;
  const output = get('output');
  get('output-row').hidden = output.disabled = !ending;
  const of = `${name} ${current}`;
  if (ending && output.dataset.of !== of) {
    output.value = outputName(ending);
    output.dataset.of = of;
  }
  const lacking = lacks?.() ?? '';
  const quoted = (/** @type {string} */ each) => (/^[\w./=+-]+$/.test(each) ? each : `'${each.replaceAll("'", "'\\''")}'`);
  get('command').textContent = lacking || printable(`sinew ${words().map(quoted).join(' ')}`);
  get('run').textContent = title;
}

/** Fills a list with names, and keeps what was chosen. @param {string} id @param {[string, string][]} options */
function fillSelect(id, options) {
  const list = get(id);
  const before = list.value;
  list.replaceChildren(...options.map(([value, text]) => element('option', { value, textContent: printable(text) })));
  if (options.some(([value]) => value === before)) list.value = before;
}
/** @param {string} id @param {string[]} names @param {string} none @param {string} first chosen if nothing was */
function fillChecks(id, names, none, first) {
  const list = get(id);
  const before = new Set(checked(id));
  for (const each of list.querySelectorAll('label, p')) each.remove();
  const wanted = names.some((name) => before.has(word(name))) ? before : new Set(first ? [word(first)] : []);
  const rows = names.map((value) =>
    element('label', { className: 'check' }, element('input', { type: 'checkbox', value, checked: wanted.has(word(value)) }), printable(value)));
  list.append(...(rows.length ? rows : [element('p', { textContent: none })]));
}

function showFiles() {
  const names = [...files.keys()];
  get('files').replaceChildren(...names.map(fileRow));
  showRow(document.querySelector('[name=model]:checked'));
  get('work').hidden = !current;
  get('model').textContent = printable(current);
  const others = names.filter((name) => isModel(name) && name !== current);
  const figures = others.filter((name) => !isMotion(name));
  const motions = others.filter(isMotion);
  fillSelect('other', others.map((name) => [name, name]));
  fillSelect('made-for', [['', 'this body'], ['fit', 'another body: fit them'], ...figures.map((name) => /** @type {[string, string]} */ ([`=${name}`, name]))]);
  fillChecks('clothes', figures, 'No other models yet: drop clothes.', figures.length === 1 ? figures[0] : '');
  fillChecks('motions', [...motions, ...figures], 'No other files yet: drop a .vrma, or a model with animations.', motions.length === 1 ? motions[0] : '');
  showForm();
  void tellMissing();
}

/** Scrolls the list of files, and nothing else, to what is shown.
 * @param {Element | null} shown */
function showRow(shown) {
  const row = /** @type {HTMLElement | null | undefined} */ (shown?.closest('li')), list = get('files');
  if (row) list.scrollTop = Math.max(row.offsetTop - list.offsetTop + row.offsetHeight - list.clientHeight, 0);
}

/** @param {string} name */
function fileRow(name) {
  const blob = /** @type {Blob} */ (files.get(name));
  const row = element('li');
  if (isModel(name)) {
    const radio = element('input', { type: 'radio', name: 'model', value: name, checked: name === current });
    radio.addEventListener('change', () => void look(name));
    row.append(element('label', {}, radio, element('span', { className: made.has(name) ? 'made' : '', textContent: printable(name) })));
  } else row.append(element('span', { className: 'beside', textContent: printable(name) }));
  row.append(element('small', { textContent: sizeOf(blob.size) }));
  if (made.has(name)) {
    const link = element('a', { className: 'button', textContent: 'Save', download: name.split('/').at(-1), href: URL.createObjectURL(blob) });
    link.setAttribute('aria-label', `Save ${name}`);
    row.append(link);
  }
  const remove = element('button', { type: 'button', textContent: '×' });
  remove.setAttribute('aria-label', `Remove ${name}`);
  remove.addEventListener('click', () => removeFile(name));
  row.append(remove);
  return row;
}

/** @param {string} name */
function removeFile(name) {
  files.delete(name);
  made.delete(name);
  const next = [...files.keys()].find((each) => isModel(each) && !isMotion(each)) ?? [...files.keys()].find(isModel) ?? '';
  if (name === current && next) return void look(next);
  if (name === current) {
    current = '';
    clearResult();
    showPicture(guide);
  }
  showFiles();
}

/** @param {[string, Blob][]} given */
function take(given) {
  for (const [name, blob] of given) {
    files.set(name, blob);
    made.delete(name);
  }
  const models = given.map(([name]) => name).filter(isModel);
  const first = models.find((name) => !isMotion(name)) ?? models[0];
  const better = first && (!current || (isMotion(current) && !isMotion(first)));
  if (better || models.includes(current)) return void look(better ? first : current);
  showFiles();
  if (current && given.some(([name]) => !isModel(name))) void look(current); // perhaps what it lacked
  else if (!current) fail('None of these files is a model: .vrm, .glb, .gltf, .vrma, .g4b or .g4tf.');
}

let address = '';
const guide = /** @type {HTMLElement} */ (get('picture').firstElementChild);
/** @param {HTMLElement} inside */
function showPicture(inside) {
  get('picture').replaceChildren(inside);
  URL.revokeObjectURL(address);
  address = '';
}

/** Says which files the current one names that are not here. */
async function tellMissing() {
  const blob = files.get(current);
  const name = current;
  const missing = blob ? (await mentioned(name, blob)).filter((each) => !files.has(each)) : [];
  if (current !== name) return;
  get('missing').hidden = !missing.length;
  get('missing').textContent = missing.length ? printable(`Drop these, too, which ${name} names: ${[...new Set(missing)].join(', ')}`) : '';
}

/** Makes a file the current one: its findings and its picture. @param {string} name @param {boolean} keep the result that is shown */
async function look(name, keep = false) {
  current = name;
  if (!keep) clearResult();
  showFiles();
  const shown = keep ? get('status').textContent : null;
  try {
    const ran = await program.run(['validate', word(name), '--format', 'json']);
    if (current !== name) return;
    if (shown !== null) get('status').textContent = shown;
    else showFindings(ran);
    await draw(name, ran.out);
  } catch (error) {
    ended(error);
  }
}

/** @param {string} name @param {string} findings */
async function draw(name, findings) {
  const parsed = reportOf(findings);
  const page = await pictureOf(name, files, parsed ? findings : 'null');
  if (current !== name) return page ? URL.revokeObjectURL(page) : undefined;
  if (!page) return showPicture(element('p', { textContent: 'This site was built without the viewer: it shows no pictures. All operations work.' }));
  const frame = /** @type {HTMLIFrameElement} */ (element('iframe', { title: `Picture of ${name}`, src: page }));
  frame.addEventListener('load', () => {
    if (frame.contentWindow) takeDrops(frame.contentWindow);
  });
  showPicture(frame);
  address = page;
}

/** @param {unknown} error */
function ended(error) {
  if (error instanceof Cancelled) get('status').textContent = error.message;
  else fail(error instanceof Error ? error.message : String(error));
}

/** Runs the chosen operation. */
async function work() {
  const name = chosen();
  const operation = operations[name];
  const lacking = operation.lacks?.();
  clearResult();
  if (lacking) return fail(lacking);
  try {
    const ran = await program.run(words());
    const seconds = get('status').dataset.seconds;
    if (name === 'validate') return showFindings(ran);
    const fine = operation.ending ? ran.made.length > 0 && ran.status === 0 : ran.status === 0 || (name === 'compare' && ran.status === 1);
    showText(fine ? [ran.out, ran.err] : [ran.out]);
    if (!fine) return fail(ran.err || ran.out || `The program ended with status ${ran.status}.`);
    for (const [file, blob] of ran.made) {
      files.set(file, blob);
      made.add(file);
    }
    const what = ran.made.map(([file, blob]) => `${printable(file)}: ${sizeOf(blob.size)}, `).join('');
    get('status').textContent = what ? `${what}made in ${seconds} s` : `Done in ${seconds} s`;
    if (ran.made.length) await look(ran.made[0][0], true);
  } catch (error) {
    ended(error);
  }
}

/** @param {string[]} texts */
function showText(texts) {
  const text = texts.map((each) => each.trim()).filter(Boolean).join('\n'); // prettier-ignore
  get('output-text').replaceChildren(...(text ? [element('pre', { tabIndex: 0, textContent: printable(text) })] : []));
}

const severities = ['error', 'warning', 'info', 'hint'];

/** The report of validate, or null. @param {string} text @returns {any} */
function reportOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @param {Ran} ran of validate */
function showFindings(ran) {
  const report = reportOf(ran.out);
  if (!report) return fail(ran.err || ran.out);
  const found = [...report.issues.messages, ...report.modelIssues.messages].sort((a, b) => a.severity - b.severity);
  const counts = severities.map((name, i) => [found.filter((each) => each.severity === i).length, name]).filter(([count]) => count);
  get('status').textContent = found.length ? counts.map(([count, name]) => `${count} ${name}${count === 1 ? '' : 's'}`).join(', ') : 'Nothing was found: the file keeps all rules.';
  get('output-text').replaceChildren(element('ul', { className: 'findings' }, ...found.map(findingRow)));
}

/** @param {any} finding */
function findingRow({ code, message, severity, pointer, line, column }) {
  const place = [pointer, line && `line ${line}, column ${column}`].filter(Boolean).join(', ');
  const why = element('button', { type: 'button', textContent: 'Why?' });
  why.setAttribute('aria-label', `Why? ${code}`);
  const row = element('li', { className: severities[severity] }, element('b', { textContent: severities[severity] }), ` ${printable(message)} `,
    element('div', { className: 'place', textContent: printable(place) }), element('code', { textContent: code }), ' ', why); // prettier-ignore
  why.addEventListener('click', async () => {
    const before = get('status').textContent;
    try {
      const { out, err } = await program.run(['explain', code]);
      why.replaceWith(element('pre', { textContent: printable((out || err).trim()), tabIndex: 0 }));
      get('status').textContent = before;
    } catch (error) {
      ended(error);
    }
  });
  return row;
}

// Files come in.

/** Files of a folder that was dropped, with their paths. @param {any} entry @returns {Promise<[string, Blob][]>} */
async function within(entry) {
  if (entry.isFile) return [[entry.fullPath.slice(1), await new Promise((done, failed) => entry.file(done, failed))]];
  const reader = entry.createReader();
  const all = [];
  for (;;) {
    const some = /** @type {any[]} */ (await new Promise((done, failed) => reader.readEntries(done, failed)));
    if (!some.length) return all;
    for (const each of some) all.push(...(await within(each)));
  }
}

/** Takes what is dropped on a window: this one, or that of the picture. @param {Window} target */
function takeDrops(target) {
  const over = (/** @type {boolean} */ on) => document.body.classList.toggle('over', on);
  target.addEventListener('dragover', (event) => {
    event.preventDefault();
    over(true);
  });
  target.addEventListener('dragleave', () => over(false));
  target.addEventListener('drop', async (event) => {
    event.preventDefault();
    over(false);
    const items = [...(event.dataTransfer?.items ?? [])].filter((item) => item.kind === 'file');
    const taken = items.map((item) => [item.webkitGetAsEntry?.(), item.getAsFile()]);
    const given = /** @type {[string, Blob][]} */ ([]);
    for (const [entry, file] of /** @type {[any, File | null][]} */ (taken)) {
      if (entry?.isDirectory) given.push(...(await within(entry)));
      else if (file) given.push([file.name, file]);
    }
    if (given.length) take(given);
  });
}

takeDrops(window);
get('choose').addEventListener('change', (/** @type {any} */ event) => {
  const list = /** @type {File[]} */ ([...event.target.files]);
  if (list.length) take(list.map((file) => [file.webkitRelativePath || file.name, file]));
  event.target.value = '';
});
get('form').addEventListener('input', showForm);
get('form').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  void work();
});
get('cancel').addEventListener('click', () => program.cancel());
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') program.cancel();
});
Promise.all([program.module, program.code, prepare()]).then(() => (document.body.dataset.ready = 'true'));
