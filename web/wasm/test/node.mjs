// SPDX-License-Identifier: MIT
// node node.mjs PACKAGE JOBS.json ANSWERS.json: the jobs of jobs.js in Node.
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

import { run } from './jobs.js';

const [folder, jobs, answers] = process.argv.slice(2);
const sinew = await import(pathToFileURL(`${folder}/sinew.js`).href);
writeFileSync(answers, JSON.stringify(await run(sinew, undefined, JSON.parse(readFileSync(jobs, 'utf8')), readFile)));
