# SPDX-License-Identifier: MIT
"""Links have targets, and the pages make a site."""
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


def pages():
    return [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "samples").rglob("*.md")]


def prose(page):
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(page):
    """Returns the anchor that code hosts make of a heading: lower case, without punctuation, spaces as hyphens."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", prose(page), re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return found


class Links(unittest.TestCase):
    def test_lead_somewhere(self):
        followed = 0
        for page in pages():
            for target, anchor in LINK.findall(prose(page)):
                if re.match(r"[a-z]+:", target):
                    continue
                with self.subTest(page=page.relative_to(ROOT), target=target, anchor=anchor):
                    place = (page.parent / target).resolve() if target else page
                    self.assertTrue(place.exists(), "no such file")
                    if anchor and place.suffix == ".md":
                        self.assertIn(anchor, anchors(place))
                    followed += 1
        self.assertGreater(followed, 50)

    def test_every_page_can_be_reached_from_the_first(self):
        reached, waiting = set(), [ROOT / "README.md"]
        while waiting:
            page = waiting.pop()
            if page in reached:
                continue
            reached.add(page)
            targets = [(page.parent / target).resolve() for target, _ in LINK.findall(prose(page)) if target and ":" not in target]
            waiting += [target for target in targets if target.suffix == ".md" and target.exists()]
        self.assertEqual({str(page.relative_to(ROOT)) for page in pages() if page.parent == ROOT / "docs"} - {str(page.relative_to(ROOT)) for page in reached}, set())


    def test_every_page_is_in_the_navigation_of_the_site(self):
        listed = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
        self.assertEqual(sorted(set(listed)), sorted(listed))
        wanted = {str(page.relative_to(ROOT)) for page in pages() if page.parent in (ROOT, ROOT / "docs", ROOT / "docs" / "proposals")} | {"samples/README.md", "reference/index.md"}
        self.assertEqual(set(listed), wanted)
        self.assertLess(listed.index("docs/guides.md"), listed.index("docs/findings.md"), "guides come before the reference")


@unittest.skipUnless(shutil.which("mkdocs"), "mkdocs is not installed")
class Site(unittest.TestCase):
    def check_reference(self, folder):
        """No part of a header is missing, and every function of a namespace is in the index."""
        index = (folder / "index.md").read_text(encoding="utf-8")
        functions = 0
        for header in sorted((ROOT / "include" / "sinew").glob("*.h*")):
            page = (folder / f"{header.name}.md").read_text(encoding="utf-8")
            source = [line for line in header.read_text(encoding="utf-8").splitlines() if line and not line.startswith(("#include", "#pragma once", "// SPDX"))]
            shown = [line for block in re.findall(r"^```cpp\n(.*?)^```$", page, re.M | re.S) for line in block.splitlines() if line]
            self.assertEqual(shown, source, header.name)
            for name in re.findall(r"^(?:\[\[nodiscard\]\]|void|sinew_status|Result<\S*) [^\n(]*?\b(\w+)\(", "\n".join(source), re.M):
                self.assertRegex(index, rf"\| `{name}` \|[^\n]*{re.escape(header.name)}", name)
                self.assertRegex(page, rf"(?m)^## .*\b{name}\b", name)
                functions += 1
        self.assertGreater(functions, 120)

    def test_is_built_without_a_warning_and_asks_nobody(self):
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            subprocess.run([sys.executable, ROOT / "scripts" / "docs", place / "pages"], check=True)
            text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").replace("build/docs/", f"{folder}/")
            (place / "mkdocs.yml").write_text(text, encoding="utf-8")
            done = subprocess.run(["mkdocs", "build", "--strict", "-q", "-f", place / "mkdocs.yml"], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
            for header in (ROOT / "include" / "sinew").glob("*.hpp"):
                self.assertTrue((place / "site" / "reference" / f"{header.name}.html").exists(), header.name)
            self.check_reference(place / "pages" / "reference")
            for page in (place / "site").rglob("*.html"):
                loaded = re.findall(r'<(?:script|img|iframe)[^>]*src="(?:https?:)?//|<link[^>]*rel="stylesheet"[^>]*href="(?:https?:)?//', page.read_text(encoding="utf-8"))
                self.assertEqual(loaded, [], page.name)


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser()
    for name in ("--sinew", "--example", "--example-c", "--shared"):
        parser.add_argument(name)
    _, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
