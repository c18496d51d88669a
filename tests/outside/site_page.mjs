// SPDX-License-Identifier: MIT
// The page of `make site` in a real browser: `node site_page.mjs BROWSER SITE STEPS.json ANSWERS.json`. The browser goes offline once the page
// is loaded, so what follows can send nothing. A step: [NAME, ARGUMENTS…], below. The answers: what each step gave, the seconds that it took,
// all complaints of the browser, and all addresses that it asked for.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, extname, join } from 'node:path';
import { launch } from './browser.mjs';

const [browser, folder, list, answers] = process.argv.slice(2);
const types = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html', '.css': 'text/css' };
const server = createServer(({ url }, response) => {
  try {
    const path = url === '/' ? '/index.html' : decodeURIComponent(url);
    const body = readFileSync(join(folder, path));
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const started = await launch(browser);
const context = await started.newContext({ reducedMotion: 'reduce', viewport: { width: 1360, height: 900 } });
const page = await context.newPage();
page.setDefaultTimeout(60000);
const [complaints, asked] = [[], []];
page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
page.on('pageerror', (error) => complaints.push(String(error)));
page.on('request', (request) => asked.push(`${request.method()} ${request.url().replace(/^blob:.*/, 'blob:')}`));

const picture = () => page.frameLocator('iframe');
const steps = {
  async open() {
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForSelector('body[data-ready]');
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
  },
  /** Drops files, of this machine, on an element; `inside`: on the picture. */
  async drop(paths, inside = false) {
    const given = paths.map((path) => [basename(path), readFileSync(path).toString('base64')]);
    const dropping = ([given, inside]) => {
      const data = new DataTransfer();
      for (const [name, base64] of given) data.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
      const target = inside ? document.querySelector('iframe').contentDocument.body : document.body;
      target.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    };
    await page.evaluate(dropping, [given, inside]);
  },
  /** Waits until nothing runs. */
  async idle() {
    await page.waitForSelector('body:not([data-busy])');
  },
  /** Waits until the picture of this file is drawn. */
  async drawn(name) {
    await page.locator(`iframe[title="Picture of ${name}"]`).waitFor();
    await picture().locator('body[data-ready=true]').waitFor({ state: 'attached' });
  },
  /** Of the picture: the part that is no background. */
  async filled() {
    return picture().locator('#canvas').evaluate((canvas) => {
      const small = Object.assign(document.createElement('canvas'), { width: 80, height: 80 });
      const pen = small.getContext('2d');
      pen.drawImage(canvas, 0, 0, 80, 80);
      const { data } = pen.getImageData(0, 0, 80, 80);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) count += [0, 1, 2].some((c) => Math.abs(data[at + c] - data[c]) > 6);
      return count / 6400;
    });
  },
  async choose(operation) {
    await page.getByRole('radio', { name: operation, exact: true }).check();
  },
  async set(label, value) {
    const field = page.getByLabel(label, { exact: true }).and(page.locator('#form *')).filter({ visible: true });
    if (typeof value === 'boolean') await field.setChecked(value);
    else if ((await field.evaluate((each) => each.tagName)) === 'SELECT') await field.selectOption(value);
    else await field.fill(value);
  },
  async look(name) {
    await page.locator('#files').getByRole('radio', { name, exact: true }).check();
  },
  /** Runs what is chosen; gives the command, what the page says of it, and the text. */
  async run() {
    const command = await page.locator('#command').innerText();
    const result = await page.evaluate(async () => {
      document.getElementById('run').click();
      for (;;) {
        await new Promise((done) => setTimeout(done, 20));
        if (!document.body.hasAttribute('data-busy')) break;
      }
      return document.getElementById('output-text').innerText;
    });
    return { command, text: result, status: await page.locator('#status').innerText(), failure: await page.locator('#failure').innerText() };
  },
  /** Starts what is chosen, and cancels it by a key as soon as it runs. */
  async cancel() {
    await page.locator('#run').click();
    await page.waitForSelector('body[data-busy]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('body:not([data-busy])');
    return page.locator('#status').innerText();
  },
  async save(name, path) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: `Save ${name}`, exact: true }).click()]);
    await download.saveAs(path);
    return download.suggestedFilename();
  },
  async texts(selector) {
    return page.locator(selector).allInnerTexts();
  },
  /** Whether the list shows the row of the file that the page shows. */
  async listed() {
    return page.locator('[name=model]:checked').evaluate((radio) => {
      const [row, list] = [radio.closest('li'), document.getElementById('files')].map((each) => each.getBoundingClientRect());
      return row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
    });
  },
  async press(name) {
    await page.getByRole('button', { name, exact: true }).first().click();
  },
  /** Presses Tab so often; gives what had the focus: its role or element, and its name. */
  async tabs(count) {
    const seen = [];
    for (let i = 0; i < count; ++i) {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate(() => `${document.activeElement.tagName} ${document.activeElement.id || document.activeElement.value || ''}`.trim()));
    }
    return seen;
  },
  async keys(...keys) {
    for (const key of keys) await page.keyboard.press(key);
  },
  /** Controls that a screen reader could not name. */
  async nameless() {
    return page.evaluate(() =>
      [...document.querySelectorAll('button, a, input, select, iframe')]
        .filter((each) => !(each.getAttribute('aria-label') || each.title || each.labels?.[0]?.innerText.trim() || each.labels?.[0]?.textContent.trim() || each.textContent.trim()))
        .map((each) => each.outerHTML),
    );
  },
  async scheme(colorScheme, width, height) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    if (width) await page.setViewportSize({ width, height });
  },
  /** The background, and how much wider the page is than the window. */
  async looks() {
    return page.evaluate(() => [getComputedStyle(document.body).backgroundColor, document.documentElement.scrollWidth - innerWidth]);
  },
  async screenshot(path, fullPage = true) {
    await page.screenshot({ path, fullPage });
  },
};

const results = [];
let failed = null;
for (const [name, ...words] of JSON.parse(readFileSync(list, 'utf8'))) {
  const before = performance.now();
  try {
    results.push([(await steps[name](...words)) ?? null, (performance.now() - before) / 1000]);
  } catch (error) {
    failed = `${name} ${JSON.stringify(words)}: ${error.message}`;
    break;
  }
}
writeFileSync(answers, JSON.stringify({ results, failed, complaints, asked }));
await started.close();
server.close();
