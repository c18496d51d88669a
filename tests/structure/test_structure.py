# SPDX-License-Identifier: MIT
"""The tree follows its rules (checks.py), and every check fails on a tree that breaks its rule."""
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


class ThisTree(unittest.TestCase):
    def setUp(self):
        self.tree = checks.Tree(ROOT)

    def test_keeps_every_rule(self):
        for check in checks.ALL:
            with self.subTest(check.__name__):
                problems = check(self.tree)
                self.assertFalse(problems, "\n" + "\n".join(problems))

    def test_was_really_read(self):
        """A check that saw nothing finds nothing: at least this much was there when the numbers were last raised."""
        checks.includes(self.tree)
        self.assertGreaterEqual(len(self.tree.cpp("src", "include", "app")), 100)
        self.assertGreaterEqual(self.tree.includes_seen, 600)
        self.assertGreaterEqual(len(self.tree.modules), 10)
        self.assertGreaterEqual(sum(len(checks.functions(self.tree.text(f))) for f in self.tree.cpp("src")), 400)
        self.assertIn(checks.PROSE_RULES, self.tree.files)
        self.assertGreaterEqual(sum(len(checks.paragraphs(self.tree.text(f))) for f in self.tree.files if f.startswith("docs/") and f.endswith(".md")), 3000)


GOOD = {
    "CMakeLists.txt": "# SPDX-License-Identifier: MIT\nproject(sinew VERSION 0.1.0)\nsinew_module(base LIBRARIES fmt::headers)\n"
                      "sinew_module(model DEPENDS base)\nsinew_module(gltf DEPENDS base model)\nsinew_module(g4mf DEPENDS base model)\n",
    "ARCHITECTURE.md": "| `base` | ground | `result.hpp` |\n| `model` | the model | `model.hpp` |\n",
    "CHANGELOG.md": "## 0.1.0\n",
    "cmake/SinewNotices.cmake": "# SPDX-License-Identifier: MIT\nsinew_part(fmt \"MIT\")\nsinew_part(tl-expected \"CC0-1.0\")\nsinew_part(CLI11 \"BSD-3-Clause\")\n",
    "include/sinew/result.hpp": "#pragma once\n#include <tl/expected.hpp>\n",
    "include/sinew/model.hpp": '#pragma once\n#include <vector>\n#include "sinew/result.hpp"\n',
    "src/base/result.cpp": '#include "sinew/result.hpp"\n#include <fmt/format.h>\nint f() {\n  return 1;\n}\n',
    "src/model/model.cpp": '#include "sinew/model.hpp"\n',
    "src/gltf/mesh.hpp": '#pragma once\n#include "sinew/model.hpp"\n',
    "src/gltf/mesh.cpp": '#include "gltf/mesh.hpp"\n',
    "src/g4mf/mesh.cpp": '#include "sinew/model.hpp"\n',
    "app/main.cpp": '#include <CLI/CLI.hpp>\n#include "sinew/model.hpp"\nint main() {}\n',
    "tests/unit/model/model_test.cpp": '#include <gtest/gtest.h>\n#include "sinew/model.hpp"\n',
}
SPDX = "// SPDX-License-Identifier: MIT\n"


class BadTrees(unittest.TestCase):
    """One change at a time to a small tree that is in order."""

    def problems(self, check, changes):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in {**GOOD, **changes}.items():
                if text is None:
                    continue
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                is_cpp = path.suffix in checks.CPP and not text.startswith("!")
                path.write_text(SPDX + text if is_cpp else text.removeprefix("!"), encoding="utf-8")
            return check(checks.Tree(root))

    def test_the_good_tree_is_good(self):
        for check in checks.ALL:
            self.assertEqual(self.problems(check, {}), [], check.__name__)

    def refuse(self, check, changes, *words):
        problems = self.problems(check, changes)
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0])

    def test_module_without_folder(self):
        self.refuse(checks.modules, {"CMakeLists.txt": GOOD["CMakeLists.txt"] + "sinew_module(show DEPENDS base)\n"}, "show", "no folder")

    def test_folder_without_module(self):
        self.refuse(checks.modules, {"src/extra/a.cpp": ""}, "src/extra")

    def test_module_that_uses_a_later_one(self):
        self.refuse(checks.modules, {"CMakeLists.txt": GOOD["CMakeLists.txt"].replace("sinew_module(base ", "sinew_module(base DEPENDS model ")},
                    "base uses model")

    def test_formats_that_use_each_other(self):
        self.refuse(checks.modules, {"CMakeLists.txt": GOOD["CMakeLists.txt"].replace("g4mf DEPENDS base", "g4mf DEPENDS gltf base")}, "never")

    def test_format_that_includes_the_other(self):
        self.refuse(checks.includes, {"src/g4mf/a.cpp": '#include "gltf/mesh.hpp"\n'}, "src/g4mf/a.cpp:2", "g4mf may not include gltf")

    def test_library_without_a_notice(self):
        self.refuse(checks.notices, {"cmake/SinewNotices.cmake": GOOD["cmake/SinewNotices.cmake"].replace("sinew_part(fmt", "sinew_part(other")},
                    "sinew_part(fmt", "<fmt/")

    def test_operation_that_compares_formats(self):
        self.refuse(checks.format_names, {"src/model/a.cpp": 'bool f(const Model& m) { return m.format == "G4MF"; }\n'}, "src/model/a.cpp:2", "ask the model")

    def test_include_against_the_direction(self):
        self.refuse(checks.includes, {"src/base/a.cpp": '#include "sinew/model.hpp"\n'}, "base may not include model")

    def test_public_header_against_the_direction(self):
        self.refuse(checks.includes, {"include/sinew/result.hpp": '#pragma once\n#include "sinew/model.hpp"\n'}, "base may not include model")

    def test_reading_that_includes_checking(self):
        for part, used in (("read", "check"), ("read", "write"), ("write", "read"), ("write", "check"), ("check", "write"), ("schema", "read")):
            self.refuse(checks.format_parts, {f"src/gltf/{used}/a.hpp": "#pragma once\n", f"src/gltf/{part}/b.cpp": f'#include "gltf/{used}/a.hpp"\n'},
                        f"{part} may not include {used}")
        for part, used in (("read", "check"), ("write", "read"), ("write", "check"), ("write", "revise"), ("check", "write"), ("schema", "read")):
            self.refuse(checks.format_parts, {f"src/g4mf/{used}/a.hpp": "#pragma once\n", f"src/g4mf/{part}/b.cpp": f'#include "g4mf/{used}/a.hpp"\n'},
                        f"{part} may not include {used}")
        self.refuse(checks.format_parts, {"src/gltf/other/a.hpp": "#pragma once\n"}, "has the folders")

    def test_extension_that_other_code_names(self):
        own = {"src/gltf/extensions/KHR_new_thing.cpp": 'constexpr Extension list[] = {{.name = "KHR_new_thing"}};\n'}
        for line in ('if (name == "KHR_new_thing") {}', "int khr_new_thing_count = 0;", "struct KhrNewThing {};"):
            self.refuse(checks.extension_names, {**own, "src/gltf/write/update.cpp": line + "\n"}, "names the extension KHR_new_thing")
        self.assertFalse(self.problems(checks.extension_names, {**own, "src/gltf/read/ext/KHR_new_thing.cpp": 'auto x = "KHR_new_thing";\n'}))

    def test_core_that_includes_a_tool(self):
        cmake = GOOD["CMakeLists.txt"] + "sinew_module(io CORE load DEPENDS base model)\nsinew_module(ops TOOLS DEPENDS base io)\n"
        tree = {"CMakeLists.txt": cmake, "src/io/save/a.hpp": "#pragma once\n", "src/ops/b.cpp": '#include "io/save/a.hpp"\n'}
        self.assertEqual(self.problems(checks.core_library, {**tree, "src/io/save/c.cpp": '#include "io/save/a.hpp"\n'}), [])
        self.refuse(checks.core_library, {**tree, "src/io/load/c.cpp": '#include "io/save/a.hpp"\n'}, "src/io/load/c.cpp", "io/save/a.hpp")

    def test_public_header_with_a_private_one(self):
        self.refuse(checks.includes, {"include/sinew/model.hpp": '#pragma once\n#include "gltf/mesh.hpp"\n'}, "private")

    def test_public_header_with_a_library(self):
        self.refuse(checks.includes, {"include/sinew/model.hpp": "#pragma once\n#include <fmt/format.h>\n"}, "public header")

    def test_program_with_a_private_header(self):
        self.refuse(checks.includes, {"app/main.cpp": '#include "gltf/mesh.hpp"\n'}, "public headers only")

    def test_unit_test_beyond_its_module(self):
        self.refuse(checks.includes, {"tests/unit/model/a.cpp": '#include "gltf/mesh.hpp"\n'}, "model may not include gltf")

    def test_library_of_another_module(self):
        self.refuse(checks.includes, {"src/model/a.cpp": "#include <zstd.h>\n"}, "zstd")

    def test_unknown_library(self):
        self.refuse(checks.includes, {"src/model/a.cpp": "#include <qt/any.hpp>\n"}, "qt")

    def test_own_header_in_angle_brackets(self):
        self.refuse(checks.includes, {"src/model/a.cpp": "#include <sinew/model.hpp>\n"}, "quotes")

    def test_include_of_nothing(self):
        self.refuse(checks.includes, {"src/model/a.cpp": '#include "model/missing.hpp"\n'}, "missing.hpp")

    def test_header_of_no_module(self):
        self.refuse(checks.public_headers, {"include/sinew/new.hpp": "#pragma once\n"}, "new.hpp")

    def test_header_of_two_modules(self):
        self.refuse(checks.public_headers, {"ARCHITECTURE.md": GOOD["ARCHITECTURE.md"] + "| `gltf` | x | `model.hpp` |\n"}, "model and gltf")

    def test_listed_header_that_is_gone(self):
        self.refuse(checks.public_headers, {"include/sinew/model.hpp": None}, "does not exist")

    def test_long_file(self):
        long = "int x;\n" * checks.MAX_FILE_LINES
        self.refuse(checks.sizes, {"src/base/long.cpp": long}, "src/base/long.cpp", "601 lines")
        self.assertEqual(self.problems(checks.sizes, {"src/base/long.cpp": "// structure: long file, because it is a table\n" + long}), [])

    def test_long_function(self):
        body = "  g();\n" * checks.MAX_FUNCTION_LINES
        long = 'namespace a {\nstruct S {\n  int i = f({1, 2});\n};\nconst char* s = "{";  // }\nvoid f(int a,\n       int b) {\n' + body + "}\n}\n"
        self.refuse(checks.sizes, {"src/base/a.cpp": long}, "src/base/a.cpp:7", "83 lines")
        excused = long.replace("void f", "// structure: long function, because it is a table\nvoid f")
        self.assertEqual(self.problems(checks.sizes, {"src/base/a.cpp": excused}), [])

    def test_long_member_and_template_functions(self):
        body = "    g();\n" * checks.MAX_FUNCTION_LINES
        for head in ("class C {\n int f() const {\n", "template <class T>\nstruct S final : B {\n  S() : a_(1), b_{2} {\n",
                     "namespace x::y {\nenum class E { a, b };\nauto f(E e) -> int {\n"):
            self.refuse(checks.sizes, {"src/base/a.cpp": head + body + "}\n};\n"}, "a function of")

    def test_instructions_of_one_cpu(self):
        self.refuse(checks.intrinsics, {"src/model/a.cpp": "auto x = _mm256_setzero_ps();\n"}, "src/model/a.cpp:2")
        self.assertEqual(self.problems(checks.intrinsics, {"src/kernels/a.cpp": "auto x = _mm256_setzero_ps();\n"}), [])

    def test_second_form_of_one_thing(self):
        for line, place, advice in (("bool b = rotor_from_matrix(n, m, r);", "src/math/a.cpp", "rotation_and_scale"),
                                    ("double x = std::stod(text);", "src/base/number.hpp", "number_in"),
                                    ("} catch (const std::bad_alloc&) {", "src/base/guard.cpp", "ended_by_exception"),
                                    ("Result<> f(int a) try {", "src/show/page/serve.cpp", "SINEW_TRY"),
                                    ("low[i] = std::min(low[i], x);", "src/math/extent.hpp", "Extent"),
                                    ("Place{document.path().string(), {}, {}};", "app/b.cpp", "path_text"), ("SINEW_CATCH({from.string(), {}, {}})", "app/b.cpp", "path_text")):
            self.refuse(checks.one_form, {"src/model/a.cpp": "\n" + line + "\n"}, "src/model/a.cpp:3", advice)
            self.assertEqual(self.problems(checks.one_form, {place: ("#pragma once\n" if place.endswith(".hpp") else "") + line + "\n", "src/model/a.cpp": "// " + line + "\n"}), [])

    def test_exceptions_in_core(self):
        for line in ("throw 1;", "try {", "} catch (...) {", "auto a = dynamic_cast<B*>(c);"):
            self.refuse(checks.without_exceptions, {"src/model/a.cpp": "\n" + line + "\n"}, "src/model/a.cpp:3", line.split("(")[0].strip("}1;{ ").split()[-1].split("<")[0])
            self.assertEqual(self.problems(checks.without_exceptions, {"src/model/a.cpp": "#ifndef SINEW_NO_EXCEPTIONS\n" + line + "\n#endif\n", "src/model/b.cpp": f'auto a = "{line}";  // {line}\n'}), [])
        self.refuse(checks.without_exceptions, {"src/model/a.cpp": "#ifndef SINEW_NO_EXCEPTIONS\n#else\nthrow 1;\n#endif\n"}, "throw")

    def test_two_types_of_one_name(self):
        part = "namespace sinew {\nstruct Part {\n  int a;\n};\nstruct Part::Inner {};\n}  // namespace sinew\n"
        self.refuse(checks.one_definition,
                    {"src/model/a.hpp": "#pragma once\n" + part, "src/gltf/a.hpp": "#pragma once\n" + part}, "sinew::Part is defined in")
        hidden = part.replace("sinew {", "sinew {\nnamespace {").replace("}  //", "}\n}  //")
        self.assertEqual(self.problems(checks.one_definition, {"src/model/a.cpp": hidden, "src/gltf/a.cpp": hidden}), [])

    def test_missing_licence_line(self):
        self.refuse(checks.licences, {"src/model/a.cpp": "!int x;\n"}, "src/model/a.cpp")
        self.refuse(checks.licences, {"scripts/tool": "#!/bin/sh\necho\n"}, "scripts/tool")

    def test_refusal_of_another_exit_status(self):
        self.refuse(checks.refusals, {"src/model/a.cpp": 'error("SINEW_EDIT_REFUSED"_code, Failure::input, {});\n'}, "a.cpp", "unsupported")

    def test_header_without_guard(self):
        self.refuse(checks.headers_guarded, {"src/model/a.hpp": "int x;\n"}, "src/model/a.hpp")

    def test_forbidden_words(self):
        for text in ("see /wor" + "k/main", "../share" + "d/spec", "as in D" + "-32", "reading A" + "-51", "TOD" + "O: later", "issue" + " 12",
                     "https://registry" + ".npmjs.org"):
            self.refuse(checks.forbidden_words, {"docs/page.md": text + "\n"}, "docs/page.md:1")
        for text in ("a workload", "UUID-32", "A-512", "the issue at hand"):
            self.assertEqual(self.problems(checks.forbidden_words, {"docs/page.md": text + "\n"}), [])

    def test_dead_link(self):
        self.refuse(checks.markdown_links, {"docs/page.md": "[x](missing.md) [y](../CHANGELOG.md) [z](https://example.org)\n"}, "missing.md")

    def test_prose(self):
        rules = {checks.PROSE_RULES: (ROOT / checks.PROSE_RULES).read_text(encoding="utf-8")}
        for text, word in (("It tells why.", "tells"), ("| a | as it was told |", "told"), ("* Good.\n  *What* is left goes.", "What"), ("Good text\nmade by\nmending it.", "mending"),
                           ("x " * 71, "142 columns"), ("# How it stands", "stands")):
            self.refuse(checks.prose, {**rules, "docs/page.md": text + "\n"}, "docs/page.md:", word)
        for text in ("# What is in a file", "It says so: `sinew tells`.", "```text\nWho tells " + "x" * 140 + "\n```", "| " + "x " * 80 + "|", "[x](stands.md)", "What is this?"):
            self.assertEqual(self.problems(checks.prose, {**rules, "docs/page.md": text + "\n"}), [], text)

    def test_code_of_no_finding(self):
        catalogue = '// SPDX-License-Identifier: MIT\nSINEW_FINDING("NODE_MATRIX_TRS", error, "", "", "", "", "")\n'
        self.refuse(checks.codes_in_pages, {"src/base/catalogue/gltf.inc": catalogue, "docs/page.md": "`NODE_MATRIX_TRS` `NODE_MATRIX_GONE`\n"},
                    "NODE_MATRIX_GONE")

    def test_leniency_that_no_page_tells(self):
        self.refuse(checks.leniencies, {"docs/semantics.md": "`NODE_MATRIX_TRS`\n",
                                        "src/gltf/a.cpp": 'report("NODE_MATRIX_TRS"_code, x); report("NODE_LOOSE"_code, x);\n'}, "NODE_LOOSE")

    def test_version_that_differs(self):
        self.refuse(checks.version, {"CHANGELOG.md": "## 0.2.0\n\n## 0.1.0\n"}, "0.1.0")
        self.refuse(checks.version, {"web/wasm/package.json": '{"version": "0.0.9"}\n'}, "web/wasm/package.json")
        self.refuse(checks.version, {"docs/install.md": "find_package(sinew 0.0 REQUIRED)\n"}, "docs/install.md")
        defined = "#define SINEW_VERSION_MAJOR 0\n#define SINEW_VERSION_MINOR 2\n#define SINEW_VERSION_PATCH 0\n"
        self.refuse(checks.version, {"include/sinew/sinew.h": defined}, "include/sinew/sinew.h")


if __name__ == "__main__":
    unittest.main()
