# SPDX-License-Identifier: MIT
"""Each file of `make release`, installed and used on a clean Debian 12 that has no network, as docs/releases.md says. What Debian itself must
give is fetched before; then each command runs in a network of its own, which is empty. As root. `scripts/test --full` runs it.

usage: released.py RELEASE FOLDER [TEST…]      RELEASE: build/release-VERSION. FOLDER: for the chroots, which are removed at the end
Exit status 77, and a line that says why, where a chroot cannot be made.
"""
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import unittest
from pathlib import Path
from urllib.parse import unquote, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))
import clean_debian
from clean_debian import ROOT, Debian, Skip, blocks

RELEASE = None
VERSION = None
PAGE = "docs/releases.md"
SAMPLE = ROOT / "samples" / "gltf" / "simple_skin.gltf"
BROKEN = "sed 's/\"skeleton\": 1/\"skeleton\": 7/' simple_skin.gltf > broken.gltf"
OFFLINE = "if grep -qv -e lo: -e '|' /proc/net/dev; then echo there is a network; exit 9; fi"  # a device besides the loop


def commands(heading):
    """The lines of a section's block that a user types, by what they are for: the comment at their end."""
    [block] = blocks(PAGE, "sh", heading)
    return {comment: line.rstrip() for line, comment in re.findall(r"^(.*?)\s+# (.*)$", block, re.M)}


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found += [value for name, value in attributes if name in ("href", "src") and value]


class Released(unittest.TestCase):
    def setUp(self):
        self.debian = Debian(self._testMethodName)
        self.addCleanup(shutil.rmtree, self.debian.root, ignore_errors=True)
        for path in [*RELEASE.iterdir(), SAMPLE]:
            shutil.copy(path, self.debian.root / "root")

    def prepare(self, script):
        """With the network: packages of Debian."""
        return self.debian.run(script)

    def run_(self, script, folder="/root"):
        return self.debian.run(f"{OFFLINE}\n{script}", folder, network=False)

    def fails(self, script, says):
        with self.assertRaisesRegex(AssertionError, f"(?s)exit status 1.*{says}"):
            self.run_(script)

    def program(self, sinew):
        """What every program with these commands must do."""
        self.assertEqual(self.run_(f"{sinew} --version").split()[1], VERSION)
        self.assertIn("10 vertices", self.run_(f"{sinew} info simple_skin.gltf"))
        self.run_(f"{sinew} validate simple_skin.gltf\n{BROKEN}")
        self.fails(f"{sinew} validate broken.gltf", "UNRESOLVED_REFERENCE")
        self.assertIn("1.13751", self.run_(f"{sinew} bounds simple_skin.gltf"))
        self.run_(f"{sinew} optimize simple_skin.gltf -o small.glb --max-error 1e-3 -q\n{sinew} compare simple_skin.gltf small.glb --tolerance 1e-3")
        self.assertLess((self.debian.root / "root/small.glb").stat().st_size, SAMPLE.stat().st_size)

    def test_sums(self):
        said = self.run_(commands("Using them")["the download"])
        self.assertEqual(said.count(": OK\n"), len(list(RELEASE.iterdir())) - 1)
        spdx = json.loads((RELEASE / f"sinew-{VERSION}.spdx.json").read_text())
        self.assertEqual(spdx["spdxVersion"], "SPDX-2.3")
        self.assertGreater(len(spdx["packages"]), 5)

    def test_program(self):
        line = commands("Using them")["the program"]
        self.prepare(line.replace("apt install", "apt-get install --download-only -qq"))
        self.run_(line)
        self.program("sinew")
        self.assertIn("v -0.99999994 1.5 0\n", self.run_("sinew deform simple_skin.gltf --animation Swing --time 1.375 -o a.obj -q\ncat a.obj"))
        self.assertIn("sinew", self.run_("cat /usr/share/doc/sinew/copyright").lower())

    def test_libraries(self):
        line = commands("Using them")["the libraries"]
        self.prepare("apt-get install -qq g++ cmake make pkg-config\n" + line.replace("apt install", "apt-get install --download-only -qq"))
        self.run_(line)
        shutil.copytree(ROOT / "tests/package/consumer", self.debian.root / "root/consumer")
        self.assertIn("the last at -1.000 1.500 0.000",
                      self.run_("cmake -B . && cmake --build . && ./door ../simple_skin.gltf Swing 1.375", "/root/consumer"))

    def test_wheel(self):
        lines = commands("Using them")
        self.prepare(lines["Python"] + "\n" + lines["what the module links"])
        self.run_(lines["an environment"])
        self.run_(lines["the module"].replace("pip install", "pip install --no-index"))
        session = "".join(line[4:] + "\n" for line in blocks("docs/python.md", "pycon")[0].splitlines() if line[:4] in (">>> ", "... "))
        session = session.replace("samples/gltf/", "") + "import pickle\nprint(pickle.loads(pickle.dumps(deformer)).positions(pose)[9].round(4).tolist(), sinew.__version__)\n"
        (self.debian.root / "root/session.py").write_text(session)
        self.assertIn(f"[-1.0, 1.5, 0.0] {VERSION}", self.run_("~/sinew-python/bin/python session.py"))

    def test_npm(self):
        lines = commands("Using them")
        self.prepare("apt-get install -qq nodejs npm")
        self.run_(lines["the package for JavaScript"])
        self.program("npx sinew")
        [shown] = [block for block in blocks("docs/wasm.md", "js") if "Swing" in block]
        (self.debian.root / "root/first.mjs").write_text(shown.replace("samples/gltf/", ""))
        self.assertIn("30 [ -1, 1.5, 0 ]", self.run_("node first.mjs"))
        self.assertTrue((self.debian.root / "root/node_modules/sinew/sinew.d.ts").stat().st_size)

    def test_pages(self):
        """Every page is there, and each link leads to a file of the archive."""
        site = self.debian.root / "root/site"
        site.mkdir()
        self.run_(f"tar -xf ../sinew-{VERSION}-docs.tar.gz", "/root/site")
        pages, checked = sorted(site.rglob("*.html")), 0
        self.assertGreater(len(pages), 30)
        for page in pages:
            for link in Links(page.read_text(encoding="utf-8")).found:
                parts = urlsplit(link)
                if parts.scheme or parts.netloc or not parts.path or page.name == "404.html":
                    continue
                target = page.parent / unquote(parts.path)
                self.assertTrue(target.exists(), f"{page.relative_to(site)}: {link}")
                self.assertFalse(target.is_dir() and not (target / "index.html").exists(), f"{page.relative_to(site)}: {link}")
                checked += 1
        self.assertGreater(checked, 1000)
        self.assertLessEqual({"index.html", "docs/python.html", "docs/releases.html"}, {page.relative_to(site).as_posix() for page in pages})

    def test_conformance(self):
        self.prepare("apt-get install -qq python3-numpy\napt-get install --download-only -qq ./sinew_*.deb")
        said = self.run_(f"apt-get install -qq ./sinew_*.deb\ntar -xf sinew-{VERSION}-conformance.tar.gz\ncd conformance\n"
                         "SINEW=sinew python3 check.py --batch 1000 python3 adapters/sinew_program.py | tail -n 1")
        self.assertRegex(said.splitlines()[-1], r"^(\d{3}) of \1 cases pass$")

    def test_hooks(self):
        """pre-commit takes the hooks from a repository, which has no network address, and runs the installed program."""
        self.prepare("apt-get install -qq git pre-commit\napt-get install --download-only -qq ./sinew_*.deb")
        self.run_(f"apt-get install -qq ./sinew_*.deb\ngit config --global user.name A\ngit config --global user.email a@b\ntar -xf sinew-{VERSION}.tar.gz\n"
                  f"cd sinew-{VERSION}\ngit init -q .\ngit add -A\ngit commit -qm all\ngit tag v{VERSION}")
        [settings] = [block for block in blocks(PAGE, "yaml") if "repos:" in block]
        project = self.debian.root / "root/project"
        project.mkdir()
        (project / ".pre-commit-config.yaml").write_text(settings.replace("<the address of this repository>", f"file:///root/sinew-{VERSION}")
                                                         .replace("{id: sinew-validate}", "{id: sinew-validate}, {id: sinew-flex}"))
        begin = "cp ../simple_skin.gltf .\ngit init -q .\ngit add -A\npre-commit install"
        said = self.run_(f"{begin}\ngit commit -m first", "/root/project")
        self.assertRegex(said, r"(?s)sinew validate\.+Passed.*sinew flex\.+Passed")
        self.run_(BROKEN, "/root/project")
        with self.assertRaisesRegex(AssertionError, r"(?s)sinew validate\.+Failed.*UNRESOLVED_REFERENCE"):
            self.run_("git add -A\ngit commit -m second", "/root/project")

    def test_workflow(self):
        """The steps of packaging/ci/models.yml that are commands; the actions of a code host are not run."""
        self.prepare("apt-get install --download-only -qq ./sinew_*.deb")
        text = (ROOT / "packaging/ci/models.yml").read_text(encoding="utf-8")
        steps = {name: re.sub(r"^ {10}", "", run, flags=re.M) for name, run in
                 re.findall(r"- name: (.*)\n(?: {8}if: .*\n)? {8}run: \|?\n?((?: {10}.*\n)+|.*\n)", text)}
        self.assertEqual(set(steps), {"Install", "Validate", "Find bad deformation"})
        values = {"inputs.package": f"sinew_{VERSION}_amd64.deb", "inputs.folder": "models", "inputs.fail-on": "error"}
        for name, script in steps.items():
            steps[name] = re.sub(r"\$\{\{ (\S+) \}\}", lambda found: values[found[1]], script)
        self.run_("mkdir models\ncp simple_skin.gltf models\n" + steps["Install"].replace("apt-get -qq update", ": no network"))
        self.run_(steps["Validate"])
        self.run_(steps["Find bad deformation"])
        self.assertEqual(json.loads((self.debian.root / "root/flex.sarif").read_text())["version"], "2.1.0")
        self.run_(f"cd models\ncp ../simple_skin.gltf .\n{BROKEN}")
        self.fails(steps["Validate"], "UNRESOLVED_REFERENCE")

    def test_source(self):
        """Last by its name and the longest: compiles the program."""
        line = commands("Using them")["the sources"]
        unpack, build = line.split(" && ", 1)
        self.prepare(f"{unpack}\nsinew-{VERSION}/scripts/setup --for build")
        self.run_(build)
        self.program(f"sinew-{VERSION}/build/release/sinew")


def main():
    global RELEASE, VERSION
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    RELEASE = Path(sys.argv[1]).resolve()
    VERSION = RELEASE.name.removeprefix("release-")
    clean_debian.FOLDER = Path(sys.argv[2]).resolve()
    try:
        Debian.make()
    except Skip as reason:
        print(f"skipped: {reason}")
        return 77
    done = unittest.main(argv=[sys.argv[0], *sys.argv[3:]], exit=False).result
    shutil.rmtree(clean_debian.FOLDER, ignore_errors=True)
    return 0 if done.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
