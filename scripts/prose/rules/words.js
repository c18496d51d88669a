// SPDX-License-Identifier: MIT
// Text, code aside, has none of the words of rules.json. tests/structure/checks.py applies the same list.
"use strict";
const { words } = require("../rules.json");
const { textOf } = require("../sentences.js");

module.exports = function (context) {
  const { Syntax, RuleError, report, locator } = context;
  async function check(node) {
    const { text, original } = await textOf(node);
    for (const { pattern, instead, sentences } of words) {
      if (sentences && node.type === Syntax.Header) continue;
      for (const match of text.replace(/\s/g, " ").matchAll(new RegExp(pattern, "g"))) {
        report(node, new RuleError(`"${match[0]}": write ${instead}`, { padding: locator.at(original(match.index)) }));
      }
    }
  }
  return { [Syntax.Paragraph]: check, [Syntax.TableCell]: check, [Syntax.Header]: check };
};
