// SPDX-License-Identifier: MIT
// Checks JSON texts of G4MF with the official JSON Schemas.
//   node g4mf_schemas.mjs SCHEMAS REVISION=FILE...      SCHEMAS: a folder with one folder of schemas per revision
// Writes {"FILE": [{"path", "message"}]} as JSON.
import { readFileSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";

// References are resolved by file name: those of 2025-08 leave out the `../` that they need.
function compile(folder) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".json"));
  for (const name of files) {
    const text = readFileSync(join(folder, name), "utf8").replace(/("\$ref":\s*")([^"#]*\/)?([^"#/]+\.json)/g, "$1$3");
    const schema = JSON.parse(text);
    schema.$id = "file:///" + basename(name);
    ajv.addSchema(schema);
  }
  return ajv.getSchema("file:///g4mf.schema.json");
}

const [schemas, ...cases] = process.argv.slice(2);
const compiled = {};
const found = {};
for (const entry of cases) {
  const revision = entry.slice(0, entry.indexOf("="));
  const file = entry.slice(revision.length + 1);
  const validate = (compiled[revision] ??= compile(resolve(schemas, revision)));
  validate(JSON.parse(readFileSync(file, "utf8")));
  found[file] = (validate.errors ?? []).map(({ instancePath, message }) => ({ path: instancePath, message }));
}
console.log(JSON.stringify(found));
