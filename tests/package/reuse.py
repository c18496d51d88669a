# SPDX-License-Identifier: MIT
"""Launches a compiler, or copies the object that another build of the same sources has: `reuse.py BUILD COMPILER ARGUMENT…`.

An object is copied where the definitions are those of the other build, or where its sources do not mention the ones that differ.
"""
import json
import os
import re
import shlex
import shutil
import sys


def sources(file):
    """The files of a unit of several sources, or the one source."""
    if "/Unity/" not in file:
        return [file]
    with open(file, encoding="utf-8") as unit:
        return re.findall(r'^#include "(.*)"', unit.read(), re.M)


def definitions(words):
    return {word for word in words if word.startswith("-D") and word != "-DNDEBUG"}


def mentioned(names, files):
    for file in files:
        with open(file, encoding="utf-8") as source:
            text = source.read()
        if any(name in text for name in names):
            return True
    return False


def other_object(build, words):
    """The path of an object of `build` that can stand for the one that the words ask for, or None."""
    source, target = words[words.index("-c") + 1], words[words.index("-o") + 1]
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    for command in commands:
        if os.path.basename(target) not in command["command"]:
            continue
        theirs = shlex.split(command["command"])
        found = theirs[theirs.index("-o") + 1]
        if not target.endswith("/" + found):
            continue
        found = os.path.join(command["directory"], found)
        differing = {re.split("[D=]", word, maxsplit=2)[1] for word in definitions(words) ^ definitions(theirs)}
        if os.path.exists(found) and sources(source) == sources(command["file"]) and not mentioned(differing, sources(source)):
            return found
    return None


if __name__ == "__main__":
    build, *words = sys.argv[1:]
    found = other_object(build, words) if "-c" in words else None
    if not found:
        os.execvp(words[0], words)
    shutil.copyfile(found, words[words.index("-o") + 1])
    if "-MF" in words:
        with open(words[words.index("-MF") + 1], "w", encoding="utf-8") as dependencies:
            dependencies.write(words[words.index("-o") + 1] + ":\n")
