// SPDX-License-Identifier: MIT
// The text of a paragraph, a heading or a table cell, and its sentences. A piece of code counts as one word, the address of a link as none.
"use strict";

async function textOf(node) {
  const { StringSource } = await import("textlint-util-to-string");
  const source = new StringSource(node, { replacer: ({ node: part, maskValue }) => (part.type === "Code" ? maskValue("x") : undefined) });
  return { text: source.toString(), original: (index) => source.originalIndexFromIndex(index) ?? 0 };
}

async function sentencesOf(node) {
  const { split } = await import("sentence-splitter");
  const { text, original } = await textOf(node);
  return split(text)
    .filter((part) => part.type === "Sentence" && part.raw.trim())
    .map((part) => ({ text: part.raw.replace(/\s+/g, " ").trim(), start: original(part.range[0]) }));
}

const wordsOf = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

module.exports = { textOf, sentencesOf, wordsOf };
