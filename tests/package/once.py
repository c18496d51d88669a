# SPDX-License-Identifier: MIT
"""Launches a compiler, or copies the object that it has made of the same text before: `once.py FOLDER COMPILER ARGUMENT…`.

The text is what the preprocessor makes of the source and of all that it includes. The arguments may differ in places only.
"""
import hashlib
import os
import shutil
import subprocess
import sys


def object_name(words):
    """By the text, and by how it is compiled; whether a header is one of the system decides about warnings."""
    asked, how, rest = [], [], iter(words)
    for word in rest:
        if word in ("-o", "-MF", "-MT"):
            next(rest)
        elif word == "-isystem":
            folder = next(rest)
            asked += [word, folder, f"-fmacro-prefix-map={folder}="]  # for assert
            how.append(word)
        elif word != "-MD":
            asked += [word, f"-fmacro-prefix-map={word[2:]}="] if word.startswith("-I") else [word]
            how.append(word[:2] if word.startswith("-I") else os.path.basename(word))
    text = subprocess.run([*asked, "-E", "-P"], stdout=subprocess.PIPE, check=True).stdout
    return hashlib.sha256(repr(how).encode() + text).hexdigest() + ".o"


if __name__ == "__main__":
    folder, *words = sys.argv[1:]
    if "-c" not in words:
        os.execvp(words[0], words)
    out, kept = words[words.index("-o") + 1], os.path.join(folder, object_name(words))
    if not os.path.exists(kept):
        status = subprocess.run(words, check=False).returncode
        if status:
            sys.exit(status)
        shutil.copyfile(out, kept + ".new")
        os.replace(kept + ".new", kept)
    else:
        shutil.copyfile(kept, out)
        with open(words[words.index("-MF") + 1], "w", encoding="utf-8") as dependencies:
            dependencies.write(out + ":\n")
