// SPDX-License-Identifier: MIT
// At most the share of rules.json of a page's sentences is in the passive voice. Pages of a few sentences are not judged.
"use strict";
const passive = require("passive-voice");
const { passiveShare: max } = require("../rules.json");
const { sentencesOf } = require("../sentences.js");

const least = 8;

module.exports = function (context) {
  const { Syntax, RuleError, report } = context;
  const paragraphs = [];
  return {
    [Syntax.Paragraph]: (node) => void paragraphs.push(node),
    async [Syntax.DocumentExit](page) {
      const sentences = (await Promise.all(paragraphs.map(sentencesOf))).flat();
      const found = sentences.filter(({ text }) => passive(text).length > 0);
      if (sentences.length < least || found.length <= max * sentences.length) return;
      const list = found.map(({ text }) => `\n    ${text.slice(0, 100)}`).join("");
      report(page, new RuleError(`${found.length} of ${sentences.length} sentences are passive, at most ${Math.floor(max * sentences.length)} may be:${list}`));
    },
  };
};
