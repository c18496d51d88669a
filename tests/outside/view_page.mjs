// SPDX-License-Identifier: MIT
// The page of `sinew view` in a real browser: `node view_page.mjs BROWSER` starts one, prints an empty line, reads lists of jobs, a line of JSON
// each, and prints a line with the answers to each list, or with what went wrong, until standard input ends.
// A job: {"url": …, "steps": [[NAME, ARGUMENTS…], …], "user": {…}}; steps are below; `user`: what the browser knows of its user, as
// playwright's contexts name it. Unless it says otherwise the user wants no motion: then nothing plays by itself. The answers: one list per job of what its steps gave, and all
// complaints of the browser. Nothing waits for a time, all for what is to happen.
import { createInterface } from 'node:readline';
import { launch } from './browser.mjs';

/** Waits until what was set has been asked for and drawn; where something moves by itself there is always a question under way. */
const settle = (page) =>
  page.evaluate(async () => {
    const end = performance.now() + 60000;
    const busy = () => document.body.hasAttribute('data-busy') && !document.querySelector('button[aria-pressed=true]');
    while (busy()) {
      if (performance.now() > end) throw Error('the page is busy for a minute');
      await new Promise(requestAnimationFrame);
    }
    for (let i = 0; i < 2; ++i) await new Promise(requestAnimationFrame);
  });

/** The picture on a grid of 160 × 120: for each pixel 0 where it is background, else its brightness from 1 to 255. */
const picture = async (page) => {
  const text = await page.evaluate(() => {
    const small = Object.assign(document.createElement('canvas'), { width: 160, height: 120 });
    const pen = small.getContext('2d');
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(document.getElementById('canvas'), 0, 0, 160, 120);
    const { data } = pen.getImageData(0, 0, 160, 120);
    const same = (i, j) => [0, 1, 2].every((c) => Math.abs(data[i + c] - data[j + c]) < 6);
    const pixels = Array.from({ length: 160 * 120 }, (_, p) => (same(4 * p, 0) ? 0 : Math.max(1, Math.round((data[4 * p] + data[4 * p + 1] + data[4 * p + 2]) / 3))));
    return btoa(String.fromCharCode(...pixels));
  });
  return Array.from(Buffer.from(text, 'base64'));
};

const steps = {
  picture,
  /** Red, green and blue at a place of the picture, both from 0 to 1. */
  async pixel(page, x, y) {
    return page.evaluate(
      ([x, y]) => {
        const canvas = document.getElementById('canvas');
        const one = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
        const pen = one.getContext('2d');
        pen.drawImage(canvas, Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1, 0, 0, 1, 1);
        return Array.from(pen.getImageData(0, 0, 1, 1).data.subarray(0, 3));
      },
      [x, y],
    );
  },
  /** Width by height of the picture. */
  async aspect(page) {
    return page.$eval('#canvas', (canvas) => canvas.clientWidth / canvas.clientHeight);
  },
  /** Sets a number by its field. */
  async set(page, label, value) {
    await page.getByLabel(label, { exact: true }).fill(String(value));
    await settle(page);
  },
  async choose(page, label, value) {
    await page.getByLabel(label, { exact: true }).selectOption(value);
    await settle(page);
  },
  async check(page, label, on) {
    await page.getByLabel(label, { exact: true }).setChecked(on);
    await settle(page);
  },
  /** Leaves the surface alone in the picture. */
  async bare(page) {
    const bones = page.getByLabel('Bones', { exact: true });
    if (await bones.count()) await bones.setChecked(false);
    await settle(page);
  },
  /** Drops a file on the page, and waits until the page was read again. */
  async drop(page, name, base64) {
    await Promise.all([
      page.waitForEvent('load'),
      page.evaluate(
        ([name, base64]) => {
          const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
          const data = new DataTransfer();
          data.items.add(new File([bytes], name));
          document.getElementById('canvas').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        },
        [name, base64],
      ),
    ]);
    await page.waitForSelector('body[data-ready]');
    await settle(page);
  },
  async press(page, name) {
    await page.getByRole('button', { name, exact: true }).click();
    await settle(page);
  },
  async node(page, name) {
    await page.getByRole('treeitem').locator(':scope > span').getByText(name, { exact: true }).click();
    await settle(page);
  },
  async keys(page, ...keys) {
    for (const key of keys) await page.keyboard.press(key);
    await settle(page);
  },
  async focus(page, selector) {
    await page.locator(selector).focus();
  },
  async finding(page, code) {
    for (const details of await page.locator('details', { has: page.locator('.findings') }).all()) await details.evaluate((each) => (each.open = true));
    await page.locator('.finding', { hasText: code }).first().click();
    await settle(page);
  },
  /** The part of the picture that has the colour of marks: red, not pink as the chosen joint. */
  async marked(page) {
    return page.evaluate(() => {
      const canvas = document.getElementById('canvas');
      const whole = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
      const pen = whole.getContext('2d');
      pen.drawImage(canvas, 0, 0);
      const { data } = pen.getImageData(0, 0, whole.width, whole.height);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at] > data[at + 1] + 90 && data[at + 2] < data[at + 1] + 25) ++count;
      return (4 * count) / data.length;
    });
  },
  /** Waits until a number is this one. */
  async reaches(page, label, value) {
    const field = await page.getByLabel(label, { exact: true }).elementHandle();
    await page.waitForFunction(([field, value]) => field.value === value, [field, value], { timeout: 60000 });
    return value;
  },
  /** Of a list: text, and whether it can be chosen. */
  async options(page, label) {
    return page.getByLabel(label, { exact: true }).evaluate((list) => Array.from(list.options, (each) => [each.text, !each.disabled]));
  },
  /** Chooses one of several models, which the page loads again to show. */
  async model(page, value) {
    await Promise.all([page.waitForEvent('load'), page.getByLabel('Model', { exact: true }).selectOption(value)]);
    await page.waitForSelector('body[data-ready]', { timeout: 60000 });
    await settle(page);
  },
  async text(page, selector) {
    return page.locator(selector).allInnerTexts();
  },
  async texts(page, selector) {
    return page.locator(selector).allTextContents();
  },
  /** All arrays of floats that WebGL has for vertices, in base64. */
  async uploaded(page) {
    return page.evaluate(() => {
      const some = 1 << 15; // arguments of a call
      const parts = (bytes) => Array.from({ length: Math.ceil(bytes.length / some) }, (_, p) => String.fromCharCode(...bytes.subarray(p * some, (p + 1) * some)));
      return [...window.uploaded.values()].map((bytes) => btoa(parts(bytes).join('')));
    });
  },
  /** Milliseconds for one frame of a clip, each of `count`: from asking to the picture's commands, and until the next picture of the screen. */
  async frames(page, count) {
    return page.evaluate(async (count) => {
      const field = document.querySelector('input[type=number][aria-label^="Time"]');
      const took = [];
      for (let i = 0; i < count; ++i) {
        const before = performance.now();
        field.value = String(((i + 1) / (count + 1)).toFixed(3));
        field.dispatchEvent(new Event('input'));
        while (document.body.hasAttribute('data-busy')) await new Promise((done) => setTimeout(done));
        const answered = performance.now();
        await new Promise(requestAnimationFrame);
        await new Promise((done) => setTimeout(done));
        took.push([answered - before, performance.now() - before]);
      }
      return took;
    }, count);
  },
  /** The labels of all controls. */
  async labels(page) {
    return page.$$eval('input, select', (list) => list.map((each) => each.getAttribute('aria-label') ?? each.labels[0].textContent));
  },
  async save(page, path) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save pose…' }).click()]);
    await download.saveAs(path);
    return download.suggestedFilename();
  },
  /** Plays until the time has moved by so many seconds. */
  async play(page, seconds) {
    const field = page.getByLabel('Time, seconds');
    const before = Number(await field.inputValue());
    await page.getByRole('button', { name: 'Play' }).click();
    const element = await field.elementHandle();
    await page.waitForFunction(([field, from, seconds]) => Math.abs(Number(field.value) - from) >= seconds, [element, before, seconds], { timeout: 60000 });
    await page.getByRole('button', { name: 'Pause' }).click();
    await settle(page);
    return Number(await field.inputValue());
  },
  /** Waits until the time has moved by itself to more than so many seconds. */
  async moving(page, seconds) {
    const field = await page.getByLabel('Time, seconds').elementHandle();
    await page.waitForFunction(([field, seconds]) => Number(field.value) > seconds, [field, seconds], { timeout: 60000 });
    return true;
  },
  async value(page, label) {
    return page.getByLabel(label, { exact: true }).inputValue();
  },
  /** Waits until a number has changed by itself. */
  async changes(page, label) {
    const field = await page.getByLabel(label, { exact: true }).elementHandle();
    await page.waitForFunction(([field, before]) => field.value !== before, [field, await field.inputValue()], { timeout: 60000 });
  },
  /** Whether it is ticked, and whether it can be. */
  async ticked(page, label) {
    const box = page.getByLabel(label, { exact: true });
    return [await box.isChecked(), await box.isEnabled()];
  },
  /** The colours of the legend, from left to right. */
  async ramp(page) {
    return page.$eval('#legend .ramp', (each) => getComputedStyle(each).backgroundImage.match(/rgb\([^)]*\)/g));
  },
  async named(page, selector) {
    return page.locator(selector).getAttribute('aria-label');
  },
  /** By the finger: one name of a button, or one place of the picture, both from 0 to 1. */
  async tap(page, ...where) {
    if (where.length === 1) {
      const button = page.getByRole('button', { name: where[0], exact: true });
      await button.evaluate((each) => each.addEventListener('click', () => (window.tapped = true), { once: true }));
      await button.tap();
      await page.waitForFunction(() => window.tapped);
      await page.evaluate(() => delete window.tapped);
    } else {
      const { x, y, width, height } = await page.locator('#canvas').boundingBox();
      await page.touchscreen.tap(x + where[0] * width, y + where[1] * height);
    }
    await settle(page);
  },
  /** A finger drawn across the picture, which rests at the end: else the browser would take the next tap for the end of a fling. */
  async swipe(page) {
    const session = await page.context().newCDPSession(page);
    const start = Date.now() / 1000 - 3;
    const send = (type, timestamp, touchPoints) => session.send('Input.dispatchTouchEvent', { type, timestamp, touchPoints });
    const finger = (k) => [{ x: 150 + 20 * k, y: 200 }];
    await send('touchStart', start, finger(0));
    for (let k = 1; k < 6; ++k) await send('touchMove', start + 0.02 * k, finger(k));
    await send('touchMove', start + 1, finger(5));
    await send('touchEnd', start + 2, []);
    await settle(page);
  },
  /** Heights of the buttons and lists that are visible. */
  async sizes(page) {
    return page.$$eval('button, select', (list) => list.filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().height));
  },
  /** Of an element: red, green and blue of its text and of what is behind. */
  async colours(page, selector) {
    return page.$eval(selector, (each) => {
      const { color, backgroundColor } = getComputedStyle(each);
      return [color, backgroundColor].map((text) => text.match(/\d+/g).slice(0, 3).map(Number));
    });
  },
  /** All that the browser keeps for the page. */
  async kept(page) {
    return page.evaluate(() => [document.cookie, { ...localStorage }, { ...sessionStorage }, location.hash]);
  },
  /** Controls that a screen reader could not name. */
  async nameless(page) {
    return page.$$eval('input, select, button, canvas, summary, [role=tree]', (list) =>
      list
        .filter((each) => !(each.labels?.length || each.getAttribute('aria-label') || (each.matches('button, summary') && each.textContent.trim())))
        .map((each) => each.outerHTML.slice(0, 200)),
    );
  },
  /** What the Tab key reaches, in its order, until it comes round. */
  async stops(page) {
    const found = [];
    await page.evaluate(() => document.activeElement?.blur?.());
    for (let i = 0; i < 200; ++i) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const all = [...document.querySelectorAll('canvas, input, select, button, summary, [role=treeitem]')];
        const at = document.activeElement;
        return at === document.body ? null : { place: all.indexOf(at), tag: at.tagName, role: at.getAttribute('role') };
      });
      if (!stop || found.some((each) => each.place === stop.place)) break;
      found.push(stop);
    }
    return found;
  },
  /** How many of the elements that the Tab key should reach there are: visible, enabled. */
  async reachable(page) {
    return page.$$eval('canvas, input, select, button, summary', (list) => list.filter((each) => each.checkVisibility() && !each.disabled).length);
  },
  async screenshot(page, path) {
    await page.screenshot({ path });
  },
};

/** Reading pixels back makes the browser wait for its own drawing, and say so: that is the test's doing. */
const ofTheTest = (text) => /GPU stall due to ReadPixels/.test(text);

/** Keeps what is given to WebGL as data of vertices, as it is then. */
const keepUploads = () => {
  const kept = (window.uploaded = new Map());
  const proto = WebGL2RenderingContext.prototype;
  let bound = null;
  const around = (name, before) => {
    const original = proto[name];
    proto[name] = function (...all) {
      before(...all);
      return original.apply(this, all);
    };
  };
  const keep = (target, data) => data instanceof Float32Array && target === 0x8892 && kept.set(bound, new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice());
  around('bindBuffer', (target, buffer) => target === 0x8892 && (bound = buffer));
  around('bufferData', keep);
  around('bufferSubData', (target, offset, data) => keep(target, data));
};

/** One page for each kind of user and of address, which such jobs load in turn: it keeps its process, and what that has compiled. */
const pages = new Map();
const pageFor = async (browser, { url, user = {} }) => {
  const kind = new URL(url).protocol + JSON.stringify(user);
  if (!pages.has(kind)) {
    const context = await browser.newContext({ viewport: { width: 760, height: 560 }, acceptDownloads: true, reducedMotion: 'reduce', ...user });
    const page = await context.newPage();
    page.setDefaultTimeout(60000);
    await page.addInitScript(keepUploads);
    pages.set(kind, page);
  }
  return pages.get(kind);
};

/** What the steps of a job gave. */
const done = async (browser, job, complaints) => {
  const page = await pageFor(browser, job);
  const complain = (text) => complaints.push(`${job.url}: ${text}`);
  const near = [new URL(job.url).origin, 'data:', 'blob:'];
  const listeners = {
    console: (message) => ['error', 'warning'].includes(message.type()) && !ofTheTest(message.text()) && complain(message.text()),
    dialog: (dialog) => (complain(`a dialog: ${dialog.message()}`), dialog.dismiss()),
    pageerror: (error) => complain(error.message),
    request: (request) => request.url().split('#')[0] !== job.url && !near.some((start) => request.url().startsWith(start)) && complain(`asks for ${request.url()}`),
  };
  for (const [event, listener] of Object.entries(listeners)) page.on(event, listener);
  try {
    await page.goto(job.url);
    await page.waitForSelector('body[data-ready]', { timeout: 60000 });
    await settle(page);
    const seen = [];
    for (const [name, ...rest] of job.steps) seen.push((await steps[name](page, ...rest)) ?? null);
    return seen;
  } finally {
    await page.goto('about:blank');
    for (const [event, listener] of Object.entries(listeners)) page.off(event, listener);
  }
};

const browser = await launch(process.argv[2]);
console.log();
for await (const line of createInterface({ input: process.stdin })) {
  const [answers, complaints] = [[], []];
  try {
    for (const job of JSON.parse(line)) answers.push(await done(browser, job, complaints));
    console.log(JSON.stringify({ answers, complaints }));
  } catch (error) {
    console.log(JSON.stringify({ failed: String(error.stack) }));
  }
}
await browser.close();
