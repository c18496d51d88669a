// SPDX-License-Identifier: MIT
// node wasm_page.mjs BROWSER PACKAGE JOBS.json ANSWERS.json: the jobs of web/wasm/test/jobs.js in a browser, which gets the package and
// the files of the jobs from a server on this machine.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';

const [browser, folder, jobs, answers] = process.argv.slice(2);
const types = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' };
const here = { '/': ['.html', '<!doctype html><link rel="icon" href="data:,">'], '/jobs.js': ['.js', readFileSync(new URL('../../web/wasm/test/jobs.js', import.meta.url))] };
const server = createServer(({ url }, response) => {
  const path = decodeURIComponent(url);
  const [type, body] = here[path] ?? [extname(path), readFileSync(path.startsWith('/package/') ? join(folder, path.slice(9)) : path.slice('/files'.length))];
  response.writeHead(200, { 'content-type': types[type] ?? 'application/octet-stream' }).end(body);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const started = await chromium.launch({ executablePath: browser, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const page = await started.newPage();
const complaints = [];
page.on('console', (message) => complaints.push(message.text()));
page.on('pageerror', (error) => complaints.push(String(error)));
await page.goto(`http://127.0.0.1:${server.address().port}/`);
const result = await page.evaluate(async (jobs) => {
  const [sinew, { run }] = [await import('/package/sinew.js'), await import('/jobs.js')];
  const read = async (path) => (await fetch(`/files${encodeURI(path)}`)).arrayBuffer();
  return run(sinew, undefined, jobs, read);
}, JSON.parse(readFileSync(jobs, 'utf8')));
writeFileSync(answers, JSON.stringify({ ...result, complaints }));
await started.close();
server.close();
