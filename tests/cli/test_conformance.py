# SPDX-License-Identifier: MIT
"""The conformance suite: the program passes all cases, the suite is what its script writes, and the checker and `sinew conformance` notice
wrong vertices."""
import filecmp
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import numpy as np

from program import DONE, FINDINGS, INPUT, PATIENCE, ROOT, SETTINGS, USAGE, ProgramTest, main, sinew

SUITE = os.path.join(ROOT, "conformance")
LEAST = 390  # cases


class Conformance(ProgramTest):
    def check(self, *command, **environment):
        """Runs the checker; returns its process and the results by case."""
        out = self.path("results.json")
        done = subprocess.run([sys.executable, os.path.join(SUITE, "check.py"), "--json", out, "--batch", "100", *command], capture_output=True, text=True,
                              timeout=300 * PATIENCE, env={**os.environ, **environment})
        with open(out, encoding="utf-8") as file:
            return done, json.load(file)

    def test_program_passes_all_cases(self):
        done, results = self.check(sys.executable, os.path.join(SUITE, "adapters", "sinew_program.py"), SINEW=SETTINGS.sinew)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreaterEqual(len(results), LEAST)
        print(f"conformance: {len(results)} cases, largest error {max(results.values()):.1e} of the diagonal", file=sys.stderr)

    def test_webassembly_module_passes_all_cases(self):
        package = os.path.abspath(os.environ.get("SINEW_WASM", os.path.join(ROOT, "build", "wasm", "package")))
        if not os.path.exists(os.path.join(package, "sinew.wasm")) or not shutil.which("node"):
            self.skipTest(f"no node, or {package} is not there: make wasm")
        done, results = self.check("node", os.path.join(SUITE, "adapters", "sinew_wasm.mjs"), SINEW_WASM=package)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreaterEqual(len(results), LEAST)

    def test_page_has_the_right_numbers(self):
        with open(os.path.join(ROOT, "docs", "conformance.md"), encoding="utf-8") as file:
            page = file.read()
        counts = {folder: len(os.listdir(os.path.join(SUITE, "cases", folder))) for folder in os.listdir(os.path.join(SUITE, "cases"))}
        self.assertEqual({name: int(count) for name, count in re.findall(r"^\| `(\w+)` \| (\d+) \|", page, re.M)}, counts)
        total = sum(counts.values())
        self.assertIn(f"{total} of {total} cases pass", page)
        self.assertIn(f"It has {total} small models", page)

    def test_checker_notices_wrong_vertices(self):
        """An adapter that writes the origin for every vertex passes nothing, and one that writes nothing neither."""
        zeros = ("import sys, json, os, numpy as np\n"
                 "for model, *_, out in zip(*[iter(sys.argv[1:])] * 5):\n"
                 "    np.save(out, 0 * np.load(os.path.join(os.path.dirname(model), 'vertices.npy'))[0])\n")
        for program in (zeros, "pass"):
            done, results = self.check(sys.executable, "-c", program)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"0 of {len(results)} cases pass", done.stdout)

    def test_suite_is_what_its_script_writes(self):
        subprocess.run([sys.executable, os.path.join(SUITE, "make_suite.py"), self.path("cases")], check=True, capture_output=True, timeout=300 * PATIENCE)
        seen = 0
        for folder, _, files in os.walk(self.path("cases")):
            beside = os.path.join(SUITE, "cases", os.path.relpath(folder, self.path("cases")))
            self.assertEqual(sorted(os.listdir(beside)), sorted(os.listdir(folder)), beside)
            same, different, missing = filecmp.cmpfiles(folder, beside, files, shallow=False)
            self.assertEqual((different, missing), ([], []), beside)
            seen += len(same)
        self.assertGreaterEqual(seen, 3 * LEAST)

    def test_scoreboard_is_what_its_script_writes(self):
        page, pictures = self.path("page.md"), self.path("pictures")
        subprocess.run([sys.executable, os.path.join(SUITE, "scoreboard.py"), page, pictures], check=True, capture_output=True, timeout=60 * PATIENCE)
        stored = os.path.join(ROOT, "docs", "conformance-scoreboard.md")
        self.assertTrue(filecmp.cmp(page, stored, shallow=False), "run conformance/scoreboard.py")
        beside = os.path.join(ROOT, "docs", "images", "conformance")
        self.assertEqual(sorted(os.listdir(pictures)), sorted(os.listdir(beside)), "run conformance/scoreboard.py")
        self.assertEqual(filecmp.cmpfiles(pictures, beside, os.listdir(beside), shallow=False)[1:], ([], []))
        with open(stored, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(sorted(re.findall(r"images/conformance/(.+?)\)", text)), sorted(os.listdir(beside)))
        with open(os.path.join(SUITE, "adapters", "package.json"), encoding="utf-8") as file:
            versions = json.load(file)["dependencies"]
        for name, package in (("three.js", "three"), ("Babylon.js", "@babylonjs/core"), ("PlayCanvas", "playcanvas")):
            self.assertIn(f"| {name} {versions[package]} |", text)

    def test_stored_vertices_have_the_stated_errors(self):
        """The pictures show what the numbers on the page say."""
        sys.path.insert(0, SUITE)
        import pictures

        seen = 0
        for name in os.listdir(os.path.join(SUITE, "results")):
            if name.endswith(".rows.json"):
                with open(os.path.join(SUITE, "results", name), encoding="utf-8") as file:
                    rows = json.load(file)
                with open(os.path.join(SUITE, "results", name.replace(".rows", "")), encoding="utf-8") as file:
                    results = json.load(file)
                for case, entry in rows.items():
                    with self.subTest(engine=name, case=case):
                        got = np.array([[np.nan if x is None else x for x in row] for row in entry["rows"]])
                        error = pictures.error_of(got, pictures.case_of(case)[2][entry["pose"]])
                        stated = np.inf if isinstance(results[case], str) else results[case]
                        self.assertTrue(error == stated or abs(error - stated) <= 0.006 * stated, (error, stated))
                        seen += 1
        self.assertGreater(seen, 80)


class ConformanceCommand(ProgramTest):
    """`sinew conformance`."""

    def run_suite(self, *options, status=DONE, suite=SUITE):
        ran = sinew("conformance", "--suite", suite, *options, timeout=120 * PATIENCE)
        self.assertEqual(ran.status, status, str(ran))
        return ran

    def adapter(self, body):
        """Returns the command of an adapter; `body` handles one group of arguments."""
        path = self.write("an adapter.py", "import os, sys, numpy as np\nfor model, clip, time, attribute, out in zip(*[iter(sys.argv[1:])] * 5):\n"
                          "    wanted = np.load(os.path.join(os.path.dirname(model), 'vertices.npy'))\n" + body)
        return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"

    def copy_of(self, case):
        """Returns a suite that has one case only, and the folder of the case."""
        suite = self.path("suite")
        shutil.copytree(os.path.join(SUITE, "cases", case), os.path.join(suite, "cases", case))
        return suite, os.path.join(suite, "cases", case)

    def test_sinew_passes_all_cases(self):
        report = json.loads(self.run_suite("--format", "json").out)
        self.assertGreaterEqual(len(report["cases"]), LEAST)
        self.assertEqual(report["counts"]["pass"], len(report["cases"]))
        self.assertLess(max(case["error"] for case in report["cases"]), 1e-4)

    def test_adapter_of_the_checker_works_as_it_is(self):
        command = f"{shlex.quote(sys.executable)} {shlex.quote(os.path.join(SUITE, 'adapters', 'sinew_program.py'))}"
        ran = sinew("conformance", "--suite", SUITE, "--engine", command, "--only", "skins/", "--batch", 20, env={"SINEW": SETTINGS.sinew},
                    timeout=120 * PATIENCE)
        self.assertEqual(ran.status, DONE, str(ran))
        self.assertRegex(ran.out, r"required: (\d+) of \1 cases pass")

    def test_wrong_vertices_are_noticed_at_any_pose(self):
        """The first pose is right and the last one is off by a thousandth of the diagonal."""
        suite, folder = self.copy_of("animation/cubic_ends")
        wanted = np.load(os.path.join(folder, "vertices.npy"))
        self.assertGreater(len(wanted), 1)
        body = ("    k = min(range(len(wanted)), key=lambda i: abs(TIMES[i] - float(time)))\n"
                "    np.save(out, wanted[k] + (k == len(wanted) - 1) * 1e-3 * np.linalg.norm(np.ptp(wanted[k], 0)))\n")
        with open(os.path.join(folder, "case.json"), encoding="utf-8") as file:
            times = [pose["time"] for pose in json.load(file)["poses"]]
        command = self.adapter(body.replace("TIMES", repr(times)))
        report = json.loads(self.run_suite("--engine", command, "--format", "json", status=FINDINGS, suite=suite).out)
        self.assertEqual(report["cases"][0]["result"], "differs")
        self.assertAlmostEqual(report["cases"][0]["error"], 1e-3, delta=1e-5)

    def test_other_outputs(self):
        """What is neither right nor wrong vertices has a reason."""
        suite, folder = self.copy_of("skins/equal_names")
        for body, result, reason in (
            ("    pass\n", "failed", "no output"),
            ("    open(out + '.txt', 'w').write('unsupported: no skins\\nmore')\n", "not covered", "unsupported: no skins"),
            ("    open(out + '.txt', 'w').write('failed: <crash>')\n", "failed", "failed: <crash>"),
            ("    np.save(out, wanted[0][:-1])\n", "differs", "the shape is"),
            ("    np.save(out, wanted[0] * np.nan)\n", "differs", "a coordinate is not a number"),
            ("    np.save(out, wanted[0].astype(int))\n", "failed", 'found the type "<i8"'),
            ("    np.save(out, np.asfortranarray(wanted[0]))\n", "failed", "expected C order"),
            ("    open(out, 'wb').write(b'PK')\n", "failed", "expected a .npy file"),
            ("    np.save(out, wanted[0])\n    os.truncate(out, os.path.getsize(out) - 1)\n", "failed", "the numbers are cut short"),
            ("    np.lib.format.open_memmap(out, 'w+', 'f8', (1 << 16, 1 << 16, 1 << 16)) if 0 else open(out, 'wb').write(b'\\x93NUMPY\\x01\\0' + "
             "(118).to_bytes(2, 'little') + b\"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296, 2), }\".ljust(117) + b'\\n')\n",
             "failed", "expected at most"),
        ):
            with self.subTest(body=body):
                ran = self.run_suite("--engine", self.adapter(body), "--format", "json", status=FINDINGS, suite=suite)
                case = json.loads(ran.out)["cases"][0]
                self.assertEqual(case["result"], result)
                self.assertIn(reason, case["reason"])
                page = self.run_suite("--engine", self.adapter(body), "--format", "html", status=FINDINGS, suite=suite).out
                self.assertNotIn("<crash>", page)
                self.assertIn("<td class=\"" + result, page)

    def test_command_that_fails_is_reported(self):
        suite, _ = self.copy_of("skins/equal_names")
        ran = sinew("conformance", "--suite", SUITE, "--only", "skins/own", "--engine", "exit 3;")
        self.assertEqual(ran.err.count("calls failed"), 1, str(ran))
        ran = self.run_suite("--engine", "echo gone wrong >&2; exit 7;", status=FINDINGS, suite=suite)
        self.assertIn("exit status 7: gone wrong", ran.err)
        self.assertIn("failed: no output", ran.out)
        self.assertIn("signal 9", self.run_suite("--engine", "kill -9 $$;", status=FINDINGS, suite=suite).err)

    def test_broken_suites(self):
        suite, folder = self.copy_of("skins/equal_names")
        path = os.path.join(folder, "case.json")
        with open(path, encoding="utf-8") as file:
            good = json.load(file)
        for change, says in (({"tolerance": "1"}, "tolerance"), ({"poses": []}, "poses"), ({"poses": [{"clip": -1, "time": 0}]}, "poses"),
                             ({"attribute": "colour"}, "attribute"), ({"status": "odd"}, "status"), ({"model": None}, "model"), ({"poses": good["poses"] * 2}, "expected (2, ")):
            with self.subTest(change=change):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump({**good, **change}, file)
                self.fails(INPUT, "conformance", "--suite", suite, says=[says, "skins/equal_names"])
        for text in ("", "[]", "{"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self.fails(INPUT, "conformance", "--suite", suite, says=["case.json", "expected a JSON object"])
        self.fails(USAGE, "conformance", "--suite", self.path("nowhere"), says=["--suite", "cases"])
        self.fails(USAGE, "conformance", "--suite", SUITE, "--only", "no such case", says=["no case"])
        self.fails(USAGE, "conformance", "--suite", SUITE, "--batch", "0", says=["--batch"])

    def test_adapters_that_do_not_end_or_write_too_much(self):
        """A call has a limit of time; a pipe in place of an output is no output; of long messages, only the end is read."""
        suite, _ = self.copy_of("skins/equal_names")
        started = time.monotonic()
        ran = self.run_suite("--engine", "sleep 100;", "--timeout", "0.2", status=FINDINGS, suite=suite)
        self.assertLess(time.monotonic() - started, 20)
        self.assertIn("no end after 0.2 s (--timeout is for each pose)", ran.err)
        pipe = self.run_suite("--engine", 'mkfifo "$5"; :', status=FINDINGS, suite=suite)
        self.assertIn("no output", pipe.out)
        long = self.run_suite("--engine", "head -c 100000000 /dev/zero | tr '\\0' x >&2; exit 7;", "--max-memory", "64M", status=FINDINGS, suite=suite)
        self.assertIn("exit status 7: xxx", long.err)
        self.assertLess(len(long.err), 5000)
        text = self.run_suite("--engine", 'mkfifo "$5.txt"; :', status=FINDINGS, suite=suite)
        self.assertIn("no output", text.out)
        order = self.run_suite("--engine", self.adapter("    np.save(out, np.asfortranarray(wanted[0]))\n"), status=FINDINGS, suite=suite)
        self.assertIn("found Fortran order, expected C order", order.out)
        self.fails(USAGE, "conformance", "--suite", suite, "--engine", "true", "--timeout", "0", says=["--timeout"])

    def test_processes_of_an_adapter_end_with_it(self):
        """After a time-out and after an interrupt, nothing of the adapter goes on, and the temporary folder is gone."""
        suite, _ = self.copy_of("skins/equal_names")
        mark, begun = self.path("mark"), self.path("begun")
        engine = f"(sleep 3; echo late > {shlex.quote(mark)}) & echo > {shlex.quote(begun)}; sleep 100;"
        command = [SETTINGS.sinew, "conformance", "--suite", suite, "--engine", engine]
        subprocess.run([*command, "--timeout", "0.2"], capture_output=True, timeout=60 * PATIENCE, check=False)
        if os.path.exists(begun):
            os.remove(begun)
        folder = self.path("temporary")
        os.mkdir(folder)
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": folder})
        self.addCleanup(running.kill)
        until = time.monotonic() + 20 * PATIENCE
        while not os.path.exists(begun) and time.monotonic() < until and running.poll() is None:
            time.sleep(0.05)
        running.terminate()
        self.assertEqual(running.wait(60 * PATIENCE), -signal.SIGTERM)
        time.sleep(4)
        self.assertFalse(os.path.exists(mark))
        self.assertEqual(os.listdir(folder), [])

    def test_page_shows_what_differs(self):
        """A picture of the worst pose and the command that runs the case again, for a case that differs only."""
        suite, _ = self.copy_of("skins/equal_names")
        wrong = self.adapter("    np.save(out, wanted[0] + [0, 0.25, 0])\n")
        page = self.run_suite("--engine", wrong, "--format", "html", status=FINDINGS, suite=suite).out
        self.assertIn("--only skins/equal_names</code><svg", page)
        rows = len(np.load(os.path.join(SUITE, "cases", "skins", "equal_names", "vertices.npy"))[0])
        self.assertEqual([len(re.search(rf'class="{name}" d="([^"]+)"', page)[1].split("M")) - 1 for name in ("wanted", "got", "moved")], [rows] * 3)
        self.assertNotIn("<svg", self.run_suite("--format", "html", suite=suite).out)

    def test_report_goes_to_a_file(self):
        suite, _ = self.copy_of("skins/equal_names")
        out = self.path("page.html")
        self.run_suite("--format", "html", "-o", out, suite=suite)
        with open(out, encoding="utf-8") as file:
            self.assertIn("required: 1 of 1 cases pass", file.read())
        self.assertEqual(os.listdir(os.path.dirname(out)).count("page.html"), 1)


if __name__ == "__main__":
    main()
