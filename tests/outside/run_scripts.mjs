// SPDX-License-Identifier: MIT
// Runs scripts of this folder one after another in one process, which keeps what it has loaded and compiled. Reads a line of JSON for each,
// [SCRIPT, ARGUMENTS…], and prints one: {"said": what the script has printed}, or {"failed": the error}.
import { createInterface } from 'node:readline';

const answer = console.log;
let runs = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const [script, ...rest] = JSON.parse(line);
  process.argv.splice(2, Infinity, ...rest);
  const said = [];
  console.log = (...values) => said.push(`${values.join(' ')}\n`);
  try {
    await import(`${new URL(script, import.meta.url)}?run=${++runs}`);
    answer(JSON.stringify({ said: said.join('') }));
  } catch (error) {
    answer(JSON.stringify({ failed: String(error.stack) }));
  }
}
