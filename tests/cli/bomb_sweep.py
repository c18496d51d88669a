# SPDX-License-Identifier: MIT
"""Runs every command on bombs (bombs.py), each in a process of its own, and measures it.

    bomb_sweep.py --sinew PROGRAM [--only NAME]… [--command NAME]… [--memory SIZE]… [--generic] [--products I/N]
                  [--files FILE…] [--scale S] [--max-seconds S] [--table FILE]

A run breaks the promise where it takes more processor time than 5 s and 1 s per MB of file (30 s and 10 s for commands of many
poses), has more memory than the limit, the file and 64 MiB (96 with a picture), ends by a signal, or refuses the file without one line that names the option that raises the limit. With --max-seconds, the
commands get that deadline, and a run breaks the promise where it takes a second longer. A run that takes too long is measured again, up
to twice, when no other run of the sweep is under way. Prints those runs, and writes the worst figures of each bomb. Exit status 1 if any promise was broken.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import bomb_products
import bombs
import bombs_shared  # adds its bombs to those of bombs.py
from program import limited

SECONDS, SECONDS_PER_MB, ROOM, LATE = 5, 1, 64 << 20, 1
TRIES = 3  # of a run that takes too long: what else the machine does costs processor time too
MANY_POSES, MANY_SECONDS, MANY_PER_MB = ("compare", "optimize", "flex", "retarget"), 30, 10  # these move every vertex to many poses
ROOM_WITH_DRIVER, PICTURES = 96 << 20, ("render", "render edges", "render to frames", "compare --heat")  # with the code of OpenGL
MEMORY = {"256M": 256 << 20, "2G": 2 << 30}


def command_lines(model, out):
    suffix = os.path.splitext(model)[1]
    other, text = (".g4b", ".gltf") if suffix == ".glb" else (".glb", ".g4b" if suffix == ".g4tf" else ".g4tf")
    path = lambda name: os.path.join(out, name)
    return {
        "info": ["info", model], "info --json": ["info", model, "--json"], "validate": ["validate", model, "-q"],
        "deform to npy": ["deform", model, "-o", path("o.npy"), "-q"], "deform to glb": ["deform", model, "-o", path("o.glb"), "-q"],
        "deform to obj": ["deform", model, "-o", path("o.obj"), "-q"],
        "deform a clip": ["deform", model, "-o", path("o.npy"), "--animation", "0", "--frames", "3", "-q"],
        "convert to text": ["convert", model, path("o" + text), "-q"], "convert": ["convert", model, path("o" + other), "-q"],
        "bounds": ["bounds", model, "--json"], "compare": ["compare", model, model, "--clips"], "compare --match": ["compare", model, model, "--match"],
        "merge": ["merge", model, model, "-o", path("o" + suffix), "-q"], "rebind": ["rebind", model, "-o", path("o" + suffix), "--to", "rest", "-q"],
        "repair": ["repair", model, "-o", path("o" + suffix), "-q"], "optimize": ["optimize", model, "-o", path("o" + suffix), "--max-error", "1e-3", "-q"],
        "slice": ["slice", model, "-o", path("o.g4tf"), "--at", "0=0.1", "-q"], "render": ["render", model, "-o", path("o.png"), "--size", "64x48", "-q"],
        "compare --attributes": ["compare", model, model, "--attributes"], "compare --heat": ["compare", model, model, "--heat", path("o.png")],
        "merge --join": ["merge", model, model, "-o", path("o" + suffix), "--join", "-q"], "info --skeletons": ["info", model, "--skeletons"],
        "convert to bones": ["convert", model, path("b.glb"), "--skeletons", "bone", "-q"],
        "view --export": ["view", model, "--export", path("o.html"), "-q"], "extract": ["extract", model, "-o", path("o.npz"), "-q"],
        "bake": ["bake", model, "-o", path("baked"), "-q"],
        "info --palette": ["info", model, "--palette"], "info --bounds": ["info", model, "--bounds"],
        "validate as JSON": ["validate", model, "--format", "json"], "deform normals": ["deform", model, "-o", path("o.npy"), "--attribute", "normal", "-q"],
        "deform as morphs": ["deform", model, "-o", path("o.glb"), "--animation", "0", "--frames", "3", "--as-morphs", "-q"],
        "deform to frames": ["deform", model, "-o", path("o%04d.ply"), "--animation", "0", "--frames", "3", "-q"],
        "slice to frames": ["slice", model, "-o", path("o%04d.off"), "--at", "0=0.1", "--animation", "0", "--frames", "3", "-q"],
        "slice to glTF": ["slice", model, "-o", path("o.glb"), "--at", "0=0.1", "-q"],
        "render to frames": ["render", model, "-o", path("o%04d.png"), "--size", "64x48", "--animation", "0", "--frames", "3", "-q"],
        "render edges": ["render", model, "-o", path("o.png"), "--size", "64x48", "--edges", "--bones", "-q"],
        "bounds to a file": ["bounds", model, "-o", path("o" + suffix), "-q"], "bounds of blends": ["bounds", model, "--blend-range", "0:1", "--json"],
        "retarget": ["retarget", model, model, "-o", path("o" + suffix), "-q"], "lift": ["lift", model, "-o", path("o.g4b"), "-q"],
        "rebind to identity": ["rebind", model, "-o", path("o" + suffix), "--to", "identity", "--unify", "-q"],
        "rebind --bake-shapes": ["rebind", model, "-o", path("o" + suffix), "--bake-shapes", "-q"],
        "repair --seams": ["repair", model, "-o", path("o" + suffix), "--seams", "--islands", "--prune-unused", "-q"],
        "repair --max-influences": ["repair", model, "-o", path("o" + suffix), "--max-influences", "2", "--max-error", "1", "-q"],
        "optimize --triangles": ["optimize", model, "-o", path("o" + suffix), "--max-error", "1e-2", "--triangles", "0.5", "-q"],
        "optimize --textures": ["optimize", model, "-o", path("o" + suffix), "--max-error", "1e-3", "--textures", "webp", "--max-texture", "64", "-q"],
        "optimize --joint-budget": ["optimize", model, "-o", path("o" + suffix), "--max-error", "1e-2", "--max-influences", "2", "--joint-budget", "8", "-q"],
        "optimize --instances": ["optimize", model, "-o", path("o" + suffix), "--max-error", "1e-3", "--instances", "nodes", "--compress", "meshopt", "-q"],
        "flex": ["flex", model, "-q"], "flex to a page": ["flex", model, "--page", path("o.html"), "-q"],
        "view --flex": ["view", model, "--export", path("o.html"), "--flex", "-q"],
        "convert --prune": ["convert", model, path("o" + suffix), "--prune", "--max-error", "1", "-q"],
        "convert to strict": ["convert", model, path("b.glb"), "--skeletons", "strict", "-q"],
        "convert --project": ["convert", model, path("o" + suffix), "--project", "-q"],
        "convert --max-influences": ["convert", model, path("o" + suffix), "--max-influences", "2", "-q"],
        "convert to VRM 1.0": ["convert", model, path("o.vrm"), "--vrm", "1.0", "--accept-vrm-license", "-q"],
        "merge --fit": ["merge", model, model, "-o", path("o" + suffix), "--fit", "auto", "--animation", "all", "-q"],
        "merge --weights": ["merge", model, model, "-o", path("o" + suffix), "--weights", "transfer", "--prune", "-q"],
    }


def allowed_seconds(command, size):
    """Processor seconds of all threads that a run may take for a file of `size` bytes."""
    many = command.split()[0] in MANY_POSES or "--flex" in command
    return (MANY_SECONDS if many else SECONDS) + (MANY_PER_MB if many else SECONDS_PER_MB) * size / 1e6


class Measured:
    """One finished run: exit status (negative: a signal), processor seconds, peak memory in bytes, what it said."""

    def __init__(self, program, line, seconds):
        with tempfile.TemporaryFile() as said, open(os.devnull, "wb") as nowhere:
            start = time.monotonic()
            running = subprocess.Popen(limited([program, *line], memory=8 << 30, seconds=seconds), stdin=subprocess.DEVNULL, stdout=nowhere, stderr=said)
            _, status, used = os.wait4(running.pid, 0)
            self.passed = time.monotonic() - start
            running.returncode = self.status = os.waitstatus_to_exitcode(status)
            said.seek(0)
            self.said = said.read(1 << 20).decode("utf-8", "replace")
        self.seconds, self.memory = used.ru_utime + used.ru_stime, used.ru_maxrss << 10

    def slow(self, command, size, deadline=None):
        """Returns what took too long, or None."""
        if deadline and self.passed > deadline + LATE:
            return f"took {self.passed:.1f} s despite its deadline"
        if self.seconds > allowed_seconds(command, size):
            return f"took {self.seconds:.1f} s"
        return None

    def broken(self, command, limit, size, deadline=None):
        """Returns why the run breaks a promise, or None."""
        if why := self.slow(command, size, deadline):
            return why
        if self.memory - size > limit + (ROOM_WITH_DRIVER if command in PICTURES else ROOM):
            return f"had {self.memory >> 20} MiB"
        if self.status < 0:
            return f"ended by signal {-self.status}"
        lines = [line for line in self.said.splitlines() if line.startswith("sinew: ") and not line.startswith("sinew: warning")]
        if self.status == 3 and re.search("_LIMIT|NO_MEMORY|DEADLINE", self.said):
            if len(lines) != 1 or not re.search(r"--max-memory|--max-seconds|--limit \w+=", lines[0]):
                return f"refused with {lines[:2]}"
        return None


def sweep(program, models, memories, commands=None, jobs=2, seconds=15, show=None, deadline=None):
    """models: (name, suffix, bytes). Returns {name: {command memory: [seconds, MiB, status, why or None]}}."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="sinew-bombs-") as folder, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        def run(job):
            name, model, size, command, memory = job
            with tempfile.TemporaryDirectory(dir=folder) as out:
                line = [*command_lines(model, out)[command], "--max-memory", memory, "--threads", "2", *(["--max-seconds", str(deadline)] if deadline else [])]
                ran = Measured(program, line, int(allowed_seconds(command, size) + seconds))
            return job, ran

        for name, suffix, data in models:
            model = os.path.join(folder, "model" + suffix)
            with open(model, "wb") as file:
                file.write(data)
            known = commands or command_lines(model, folder)
            for job, ran in list(pool.map(run, [(name, model, len(data), command, memory) for memory in memories for command in known])):
                for _ in range(TRIES - 1):
                    if ran.slow(job[3], len(data), deadline):
                        _, ran = run(job)
                why = ran.broken(job[3], MEMORY[job[4]], len(data), deadline)
                found.setdefault(name, {})[f"{job[3]}, {job[4]}"] = [round(ran.seconds, 2), ran.memory >> 20, ran.status, why, ran.said[:300] if why or ran.status > 2 else ""]
                if why and show:
                    print(f"{name}: {job[3]}, {job[4]}: {why}", file=show, flush=True)
    return found


def read(files):
    for path in files:
        with open(path, "rb") as file:
            yield (os.path.basename(path), os.path.splitext(path)[1], file.read())


def table(found):
    """Rows of a page: bomb, longest run, largest memory, broken promises of all runs."""
    lines = ["| bomb | longest run | most memory | broken |", "|---|---|---|---|"]
    for name, runs in found.items():
        longest, most = max(runs.items(), key=lambda r: r[1][0]), max(runs.items(), key=lambda r: r[1][1])
        lines.append(f"| {name} | {longest[1][0]:.1f} s ({longest[0]}) | {most[1][1]} MiB ({most[0]}) | {sum(run[3] is not None for run in runs.values())} of {len(runs)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinew", required=True)
    parser.add_argument("--only", action="append")
    parser.add_argument("--command", action="append")
    parser.add_argument("--memory", action="append", choices=MEMORY)
    parser.add_argument("--generic", action="store_true")
    parser.add_argument("--products", metavar="I/N", help="attack with every N-th file of bomb_products.py, from the I-th")
    parser.add_argument("--files", nargs="+", help="attack with these files instead")
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--seconds", type=int, default=15, help="time after the allowed one, until a run is killed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--max-seconds", type=float)
    parser.add_argument("--table")
    options = parser.parse_args()
    if options.files:
        models = read(options.files)
    elif options.products:
        models = bomb_products.products(options.only, tuple(map(int, options.products.split("/"))))
    else:
        models = (bombs.repeated if options.generic else bombs.named)(options.scale, options.only)
    found = sweep(os.path.abspath(options.sinew), models, options.memory or list(MEMORY), options.command, options.jobs, options.seconds, sys.stdout,
                  options.max_seconds)
    if options.table:
        with open(options.table, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
    print(table(found))
    return 1 if any(run[3] for runs in found.values() for run in runs.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
