// SPDX-License-Identifier: MIT
// No sentence of a paragraph, a list or a table has more words than rules.json allows.
"use strict";
const { wordsPerSentence: max } = require("../rules.json");
const { sentencesOf, wordsOf } = require("../sentences.js");

module.exports = function (context) {
  const { Syntax, RuleError, report, locator, getSource } = context;
  async function check(node) {
    for (const { text, start } of await sentencesOf(node)) {
      const words = wordsOf(text).length;
      if (words <= max) continue;
      const shown = getSource(node).slice(start, start + 60).replace(/\s+/g, " ");
      report(node, new RuleError(`${words} words in one sentence, at most ${max} are allowed: "${shown}…"`, { padding: locator.at(start) }));
    }
  }
  return { [Syntax.Paragraph]: check, [Syntax.TableCell]: check };
};
