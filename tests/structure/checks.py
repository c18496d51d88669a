# SPDX-License-Identifier: MIT
"""Checks of the source tree. Each takes a Tree and returns a list of problems, one line each, starting with the file's name."""
import json
import os
import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 80
# A reason in the source allows an exception: "// structure: long file, because …" anywhere, or on one of the three lines before a
# function "// structure: long function, because …".
LONG_FILE = re.compile(r"//\s*structure: long file, because \w")
LONG_FUNCTION = re.compile(r"//\s*structure: long function, because \w")

SKIPPED_FOLDERS = {".git", "build", "node_modules", "__pycache__", ".cache", "dist"}
CPP = {".cpp", ".hpp"}

# Headers that are not ours: the start of the name in #include <…>, and the CMake target that brings it.
LIBRARIES = {
    "simdjson": "simdjson::simdjson", "Eigen/": "Eigen3::Eigen", "draco/": "${SINEW_DRACO_LIBRARY}", "meshoptimizer": "${SINEW_MESHOPT_LIBRARY}",
    "fmt/": "fmt::headers", "tbb/": "${SINEW_THREADS}", "oneapi/": "${SINEW_THREADS}", "hwy/": "hwy::headers", "zstd": "${SINEW_ZSTD_LIBRARY}", "zlib.h": "${SINEW_ZLIB_LIBRARY}", "openexr.h": "${SINEW_OPENEXR_LIBRARY}",
    "xxhash": "xxhash::xxhash",
    "nlohmann/": "nlohmann_json::nlohmann_json", "CLI/": "CLI11::CLI11", "gtest/": "GTest", "gmock/": "GTest", "rapidcheck": "rapidcheck",
    "benchmark/": "benchmark", **dict.fromkeys(("png.h", "jpeglib.h", "jerror.h", "webp/"), ("${SINEW_IMAGES_LIBRARY}", "PkgConfig::SINEW_PICTURES")), "pybind11/": "pybind11", "boost/": "Boost::headers",
    "EGL/": "egl::headers", "GL/": "opengl::headers",
}
# What is not in what users get.
ONLY_FOR_TESTS = {"GTest", "rapidcheck", "benchmark"}
# The parts of cmake/SinewNotices.cmake by the start of a header, where that does not tell.
PARTS = {"tl/": "tl-expected", "xxhash": "xxHash", "boost/": "Boost", "nlohmann/": "JSON-for-Modern-C++", "CLI/": "CLI11", "hwy/": "Highway", "tbb/": "oneTBB", "oneapi/": "oneTBB", "zstd": "Zstandard", "zlib.h": "zlib",
         "openexr.h": "OpenEXR", "png.h": "libpng", "jpeglib.h": "libjpeg", "jerror.h": "libjpeg", "webp/": "libwebp", "EGL/": "OpenGL-and-EGL-headers", "GL/": "OpenGL-and-EGL-headers"}
FOR_EVERYONE = ("tl/",)  # header-only and part of the public headers
POSIX = {"dirent.h", "dlfcn.h", "fcntl.h", "poll.h", "pthread.h", "signal.h", "spawn.h", "sys/mman.h", "sys/prctl.h", "sys/resource.h", "sys/stat.h", "sys/types.h", "sys/wait.h", "sys/ioctl.h", "sys/syscall.h", "linux/openat2.h", "unistd.h", "sys/random.h",
         "io.h", "windows.h"}
APP_LIBRARIES = {"fmt::headers", "CLI11::CLI11", "nlohmann_json::nlohmann_json"}
TEST_LIBRARIES = {"GTest", "rapidcheck", "nlohmann_json::nlohmann_json"}
# Where code runs before or after the library's own: they may use public headers only.
CONSUMERS = {"app": APP_LIBRARIES, "examples": {"fmt::headers"}, "bench": {"benchmark", "fmt::headers", "simdjson::simdjson", "Eigen3::Eigen", "${SINEW_MESHOPT_LIBRARY}"}, "python": {"pybind11", "fmt::headers"}}

# A decoder that no public header names, measured beside another library's, and prepared rows, which the loop beside the kernels reads as well.
MEASURED_ALONE = {("bench", "meshopt/streams.hpp"), ("bench", "deform/packed.hpp")}

INTRINSICS = re.compile(r"\b_mm\d*_\w+|\b__m(?:128|256|512)\w*|__builtin_ia32|[<\"](?:\w*mmintrin|immintrin|arm_neon|hwy/)")

# What would tie the repository to one place or one time. Bracketed letters keep the patterns from finding themselves.
FORBIDDEN = [  # what may not be before comes last: a search for letters is fast
    (re.compile(r"/wor[k]/(?<![\w.].{6})"), "a path of one machine"),
    (re.compile(r"\.\./share[d]\b"), "a folder outside the repository (only the default of SINEW_SHARED may name it)"),
    (re.compile(r"\.librar[y]\b"), "a folder outside the repository"),
    (re.compile(r"[AD]-\d\d(?![\w-])(?<![\w-].{4})"), "the number of a note that readers do not have: say it in words"),
    (re.compile(r"\bregistry\.npm|\bpypi\.org|\bdeb\.debian\.org"), "a package registry's host"),
    (re.compile(r"TOD[O]\b(?<!\w.{4})|FIXM[E]\b(?<!\w.{5})"), "a note to oneself: do it or leave it"),
    (re.compile(r"issue (?<!\w.{6})#?\d"), "an issue's number"),
]
ALLOWED = {
    ("tests/CMakeLists.txt", FORBIDDEN[1][0]),
    ("CONTRIBUTING.md", FORBIDDEN[1][0]),
    ("docs/semantics.md", FORBIDDEN[3][0]),
}
PROSE_RULES = "scripts/prose/rules.json"
GENERATED_PAGES = {"docs/findings.md"}  # their lines are as long as the program writes them
NEEDS_SPDX = CPP | {".h", ".c", ".py", ".mjs", ".js", ".cmake", ".sh", ".inc"}


@dataclass
class Tree:
    root: Path
    includes_seen: int = field(default=0)
    texts: dict = field(default_factory=dict)

    @cached_property
    def files(self):
        """All files, as paths relative to the root with forward slashes."""
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
            found += [(Path(folder) / name).relative_to(self.root).as_posix() for name in sorted(names) if name != ".git"]  # a file in worktrees
        return found

    def cpp(self, *folders):
        return [f for f in self.files if Path(f).suffix in CPP and (not folders or f.split("/")[0] in folders)]

    def text(self, name):
        if name not in self.texts:
            self.texts[name] = (self.root / name).read_text(encoding="utf-8")
        return self.texts[name]

    @cached_property
    def file_set(self):
        return set(self.files)

    @cached_property
    def modules(self):
        """module -> (modules it may include, libraries), from the sinew_module(…) lines of CMakeLists.txt."""
        table = {}
        for call in re.findall(r"^sinew_module\(([^)]*)\)", self.text("CMakeLists.txt"), re.M):
            words = call.split()
            lists = {"": [], "CORE": [], "DEPENDS": [], "LIBRARIES": [], "HEADER_LIBRARIES": [], "OWN_LIBRARIES": []}
            current = ""
            for word in words:
                if word in lists:
                    current = word
                else:
                    lists[current].append(word)
            table[lists[""][0]] = (set(lists["DEPENDS"]), set(lists["LIBRARIES"] + lists["HEADER_LIBRARIES"]), set(lists["OWN_LIBRARIES"]))
        return table

    @cached_property
    def core(self):
        """What of src/ is in the core library: folders and files."""
        found = []
        for call in re.findall(r"^sinew_module\(([^)]*)\)", self.text("CMakeLists.txt"), re.M):
            module, *words = call.split()
            if not {"TOOLS", "PICTURES"} & set(words):
                parts = re.search(r"\bCORE((?: [a-z_.]+)+)", call)
                found += [f"src/{module}/{part}" for part in parts[1].split()] if parts else [f"src/{module}"]
        return found

    def is_core(self, name):
        """Headers are core where a file of their module's folder is: there is no code in them that needs more."""
        return any(name == part or name.startswith(part + "/") for part in self.core) or name.endswith(".hpp") and any(
            part.endswith(".cpp") and part.rpartition("/")[0] == name.rpartition("/")[0] for part in self.core)

    @cached_property
    def header_modules(self):
        """Public header -> module, from the table of ARCHITECTURE.md: | `module` | … | `a.hpp` `b.h` |"""
        table = {}
        for line in self.text("ARCHITECTURE.md").splitlines():
            row = re.match(r"\|\s*`(\w+)`\s*\|", line)
            if row:
                for header in re.findall(r"`(\w+\.h(?:pp)?)`", line):
                    table.setdefault(header, []).append(row[1])
        return table

    def libraries_of(self, module):
        reached = self.modules[module][0] | {module}
        return set().union(self.modules[module][2], *(self.modules[m][1] for m in reached if m in self.modules))


def modules(tree):
    """The table of modules is sound: folders exist, no module uses a later one."""
    problems, earlier = [], set()
    folders = {f.split("/")[1] for f in tree.files if f.startswith("src/") and f.count("/") >= 2}
    for module, (uses, *_) in tree.modules.items():
        if module not in folders:
            problems.append(f"CMakeLists.txt: module {module} has no folder src/{module}")
        problems += [f"CMakeLists.txt: module {module} uses {other}, which does not come before it" for other in sorted(uses - earlier)]
        earlier.add(module)
    problems += [f"src/{folder}: no sinew_module({folder} …) in CMakeLists.txt" for folder in sorted(folders - set(tree.modules))]
    if {"gltf", "g4mf"} <= set(tree.modules) and ("g4mf" in tree.modules["gltf"][0] or "gltf" in tree.modules["g4mf"][0]):
        problems.append("CMakeLists.txt: gltf and g4mf never use each other; converting is reading one and writing the other")
    return problems


def public_headers(tree):
    """Every public header belongs to exactly one module of ARCHITECTURE.md's table."""
    there = {f.removeprefix("include/sinew/") for f in tree.files if f.startswith("include/sinew/")}
    problems = [f"include/sinew/{h}: not in ARCHITECTURE.md's table of modules" for h in sorted(there - set(tree.header_modules))]
    for header, owners in sorted(tree.header_modules.items()):
        if len(owners) > 1:
            problems.append(f"ARCHITECTURE.md: {header} is listed for {' and '.join(owners)}")
        if header not in there:
            problems.append(f"ARCHITECTURE.md: {header} does not exist")
        problems += [f"ARCHITECTURE.md: {owner} is no module of CMakeLists.txt" for owner in owners if owner not in tree.modules]
    return problems


def _module_of(tree, name):
    """The module that a file belongs to, or its first folder for what is no module ("app", "tests")."""
    parts = name.split("/")
    if parts[0] == "src":
        return parts[1]
    if parts[0] == "include":
        return (tree.header_modules.get("/".join(parts[2:])) or ["?"])[0]
    if parts[:2] == ["tests", "unit"] and len(parts) > 3:
        return parts[2]
    return parts[0]


def _resolve(tree, name, included):
    """The file that #include "included" in `name` means, relative to the root; None where there is none."""
    for folder in (str(Path(name).parent), "src", "include", "tests", "app"):
        candidate = os.path.normpath(os.path.join(folder, included)).replace(os.sep, "/")
        if candidate in tree.file_set:
            return candidate
    return None


def includes(tree):
    """Who includes whom follows the table: modules by CMakeLists.txt, programs by public headers only."""
    problems = []
    for name in tree.cpp("src", "include", "app", "tests", "examples", "bench", "python"):
        top = name.split("/")[0]
        owner = _module_of(tree, name)
        for line, text in enumerate(tree.text(name).splitlines(), 1):
            found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', text)
            if not found:
                continue
            tree.includes_seen += 1
            complaint = (_own_include if found[1] == '"' else _library_include)(tree, name, top, owner, found[2])
            if complaint:
                problems.append(f"{name}:{line}: {complaint}")
    return problems


def _own_include(tree, name, top, owner, included):
    target = _resolve(tree, name, included)
    if target is None:
        return _library_include(tree, name, top, owner, included)
    folder = target.split("/")[0]
    if folder == "tests":
        return None if top == "tests" else "only tests include files of tests/"
    if folder not in ("src", "include"):
        return None if folder == top else f"{top} includes a file of {folder}"
    used = _module_of(tree, target)
    if top in CONSUMERS or (top == "tests" and owner not in tree.modules):
        allowed = folder == "include" or (top, included) in MEASURED_ALONE
        return None if allowed else f"{top} may include public headers only, not {included}"
    if top == "include" and folder != "include":
        return f"a public header includes a private one, {included}"
    if used != owner and used not in tree.modules.get(owner, (set(),))[0]:
        return f"{owner} may not include {used} ({included})"
    return None


# The parts of a format's module, and which of them each may include. Files beside the folders are for all of them.
FORMAT_PARTS = {
    "gltf": {"schema": set(), "extensions": {"schema"}, "read": {"schema", "extensions"}, "check": {"schema", "extensions", "read"},
             "write": {"schema", "extensions"}},
    # The list of the asset's extensions, in schema, knows which of them are Sinew's.
    "g4mf": {"schema": {"extensions"}, "extensions": {"schema"}, "read": {"schema", "extensions"}, "check": {"schema", "extensions", "read"},
             "write": {"schema", "extensions"}, "revise": {"schema", "extensions", "read", "write"}},
}


def format_parts(tree):
    """Reading a format knows nothing of checking it or writing it; writing knows nothing of either."""
    problems = []
    for name in tree.cpp("src"):
        steps = name.split("/")
        if steps[1] not in FORMAT_PARTS:
            continue
        parts = FORMAT_PARTS[steps[1]]
        part = steps[2] if len(steps) > 3 else ""
        if part and part not in parts:
            problems.append(f"{name}: src/{steps[1]} has the folders {', '.join(parts)}")
            continue
        allowed = (parts[part] if part else set()) | {part, ""}
        for included in re.findall(rf'#\s*include "{steps[1]}/([^"]+)"', tree.text(name)):
            used = included.split("/")[0] if "/" in included else ""
            if used not in allowed:
                problems.append(f"{name}: {part or 'a file of all parts'} may not include {used} ({included})")
    return problems


# Where code applies an extension to the model, or writes it, and so names it outside of its own files. All else about extensions is in src/*/extensions.
APPLIED = {
    "EXT_meshopt_compression": ("src/operations/optimize/",),
    "EXT_texture_webp": ("src/operations/optimize/textures/", "src/gltf/read/appearance.cpp", "src/gltf/check/images.cpp", "src/operations/convert/materials/"),
    "KHR_animation_pointer": ("src/gltf/read/not_evaluated.cpp", "src/operations/merge/merge_clips.cpp", "src/operations/rebind/"),
    "KHR_character": ("src/model/avatar.cpp",),
    "KHR_draco_mesh_compression": ("src/gltf/read/meshes.cpp", "src/gltf/check/objects.cpp", "src/gltf/write/update_mesh.cpp", "src/operations/files/model_files.cpp", "src/operations/optimize/"),
    "KHR_lights_punctual": ("src/gltf/check/", "src/operations/convert/cameras/", "src/operations/convert/vrm/", "src/operations/skeletons/", "src/operations/merge/merge_clips.cpp", "src/validate/skeleton_rules.cpp"),
    "KHR_materials_emissive_strength": ("src/io/save/material_factors.hpp", "src/operations/convert/materials/"),
    "KHR_materials_unlit": ("src/gltf/read/appearance.cpp", "src/gltf/check/", "src/operations/convert/vrm/"),
    "KHR_materials_variants": ("src/gltf/check/",),
    "KHR_mesh_quantization": ("src/gltf/write/update_steps.hpp", "src/gltf/check/meshes.cpp", "src/gltf/schema/attribute_names.hpp"),
    "KHR_meshopt_compression": ("src/gltf/read/", "src/meshopt/", "src/operations/optimize/"),
    "KHR_node_visibility": ("src/gltf/read/", "src/gltf/write/update_node.cpp"),
    "KHR_skeleton_bone": ("src/gltf/read/rig/nodes.cpp", "src/gltf/check/", "src/gltf/write/update_node.cpp", "src/operations/convert/", "src/operations/skeletons/", "src/validate/skeleton_rules.cpp"),
    "KHR_skin_strict": ("src/validate/skeleton_rules.cpp",),
    "KHR_texture_transform": ("src/gltf/read/appearance.cpp", "src/gltf/check/", "src/operations/convert/vrm/"),
    "SINEW_animation": ("src/g4mf/", "src/operations/convert/losses/g4mf_losses.cpp"),
    "STAIK_skeletons": ("src/gltf/", "src/operations/", "src/validate/skeleton_rules."),
    "VRM": ("src/model/avatar.cpp", "src/gltf/read/appearance.cpp", "src/operations/merge/merge_clips.cpp", "src/operations/rebind/", "src/operations/convert/vrm/"),
    "VRMC_vrm": ("src/gltf/read/appearance.cpp", "src/operations/merge/merge_clips.cpp", "src/operations/rebind/", "src/operations/convert/vrm/"),
    **dict.fromkeys(("VRMC_springBone", "VRMC_materials_mtoon", "VRMC_node_constraint"), ("src/operations/convert/vrm/",)),
    # what a bone of a strict skeleton must not carry
    **dict.fromkeys(("EXT_lights_image_based", "EXT_mesh_gpu_instancing", "KHR_audio_emitter", "KHR_physics_rigid_bodies"), ("src/validate/skeleton_rules.cpp",)),
}


def extension_names(tree):
    """An extension is named in its own file, and where code applies it, not elsewhere: not as a text, and not in an identifier."""
    squeezed = lambda text: text.replace("_", "").lower()
    own = [name for name in tree.cpp("src") if name.startswith("src/gltf/extensions/")]
    names = {found for name in own for found in re.findall(r'"([A-Z][A-Z0-9]+_[A-Za-z0-9_]+[A-Za-z0-9]|VRM)"', tree.text(name))}
    whole = {name for name in names if name == "VRM" or name.startswith("SINEW_")}  # short, or also the prefix of the C API: only as they are
    by_squeezed = {squeezed(name): name for name in names - whole}
    problems = []
    for file in tree.cpp("src"):
        if "/extensions/" in file or file.startswith("src/base/catalogue"):
            continue
        text = re.sub(r"//.*|#include.*", "", tree.text(file))
        stem = os.path.basename(file).split(".")[0]
        for token in set(re.findall(r"[A-Za-z_0-9]+", text)):
            short = squeezed(token)
            name = token if token in whole else by_squeezed.get(max((part for part in by_squeezed if part in short), key=len, default=""))
            if name and not name.startswith(stem) and not stem.startswith(name) and not file.startswith(APPLIED.get(name, ("none",))):
                problems.append(f"{file}: names the extension {name} ({token}); what it needs to know belongs to src/gltf/extensions")
    return sorted(problems)


def core_library(tree):
    """The core library includes nothing of the other two: no writer, no validator, nothing graphical."""
    problems = []
    for name in tree.cpp("src"):
        if not tree.is_core(name):
            continue
        for included in re.findall(r'^#\s*include "([^"]+)"', tree.text(name), re.M):
            target = _resolve(tree, name, included)
            if target and target.startswith("src/") and not tree.is_core(target):
                problems.append(f"{name}: the core library may not include {included}")
        for included in re.findall(r"^#\s*include <([^>]+)>", tree.text(name), re.M):
            if included in POSIX and not name.startswith("src/document/files/platform_") and (name, included) != ("src/base/parallel.cpp", "pthread.h"):
                problems.append(f"{name}: in core, <{included}> is for src/document/files/platform_….cpp alone")
    return problems


def notices(tree):
    """The list of parts (SPDX, license texts) names every library that a source includes."""
    listed = set(re.findall(r"sinew_(?:switched_)?part\((?:[A-Z]+ )?(\S+) \"", tree.text("cmake/SinewNotices.cmake")))
    included = {name for file in tree.cpp("src", "include", "app", "python") for name in re.findall(r"^#\s*include <([^>]+)>", tree.text(file), re.M)}
    problems = []
    for start, library in {**LIBRARIES, "tl/": "tl-expected"}.items():
        part = PARTS.get(start, start.rstrip("/").removesuffix(".h"))
        if library not in ONLY_FOR_TESTS and part not in listed and any(name.startswith(start) for name in included):
            problems.append(f"cmake/SinewNotices.cmake: no sinew_part({part} …), and sources include <{start}…>")
    return problems


# Only these compare format names: the modules of the formats, the code that opens and saves files, and the capabilities of a model.
MAY_COMPARE_FORMATS = ("src/gltf/", "src/g4mf/", "src/io/", "src/model/capabilities.cpp")


def format_names(tree):
    """Operations ask a model what its format can express, and compare no names of formats."""
    return [f"{name}:{number}: compares the name of a format; ask the model (capabilities in sinew/model.hpp)"
            for name in tree.cpp("src", "app", "python") if not name.startswith(MAY_COMPARE_FORMATS)
            for number, line in enumerate(tree.text(name).splitlines(), 1) if re.search(r'format\s*[!=]=\s*"', line)]


def _library_include(tree, name, top, owner, included):
    if included.startswith("sinew/"):
        return None if top == "examples" else "own headers are included with quotes"
    if re.fullmatch(r"[a-z0-9_]+", included) or included in POSIX or included.startswith(FOR_EVERYONE):
        return None
    target = next((library for start, library in LIBRARIES.items() if included.startswith(start)), None)
    if target is None:
        return f"<{included}> is of no library that the project knows (see LIBRARIES in {Path(__file__).name})"
    if top == "include":
        return f"a public header includes <{included}>"
    if top in CONSUMERS:
        allowed = CONSUMERS[top]
    else:
        allowed = (tree.libraries_of(owner) if owner in tree.modules else set()) | (TEST_LIBRARIES if top == "tests" else set())
    targets = {target} if isinstance(target, str) else set(target)
    return None if targets & allowed else f"{owner} may not include <{included}>: {target} is not among its libraries"


_NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*',
    re.S | re.M)
_SCOPE = re.compile(r"\b(?:namespace|class|struct|union|extern)\b[^()=]*$")
_INITIALISER = re.compile(r"\)\s*(?:noexcept\s*)?:(?!:).*[\w>]$", re.S)  # `S() : a_` before `{`


@cache
def functions(text):
    """(first line, last line) of every function body outside of other functions: a brace heuristic on text without comments and literals."""
    clean = _NOISE.sub(lambda m: "\n" * m[0].count("\n"), text)
    found, stack, head_start, line = [], [], 0, 1
    for mark in re.finditer(r"[\n{};]", clean):
        at, letter = mark.start(), mark[0]
        if letter == "\n":
            line += 1
        elif letter == "{":
            head = clean[head_start:at].strip()
            inside = any(kind == "body" for kind, _ in stack)
            if _SCOPE.search(head):
                kind = "scope"
            elif not inside and _INITIALISER.search(head):
                stack.append(("initialiser", line))
                continue
            elif not inside and ")" in head and not head.endswith("="):
                kind = "body"
            else:
                kind = "other"
            stack.append((kind, line - head.count("\n")))
            head_start = at + 1
        elif letter == "}":
            if stack:
                kind, first = stack.pop()
                if kind == "initialiser":
                    continue
                if kind == "body":
                    found.append((first, line))
            head_start = at + 1
        elif letter == ";":
            head_start = at + 1
    return found


def sizes(tree):
    """Files and functions stay readable."""
    problems = []
    for name in tree.cpp():
        text = tree.text(name)
        lines = text.splitlines()
        if len(lines) > MAX_FILE_LINES and not LONG_FILE.search(text):
            problems.append(f"{name}: {len(lines)} lines (at most {MAX_FILE_LINES})")
        for first, last in functions(text):
            length = last - first + 1
            if length > MAX_FUNCTION_LINES and not LONG_FUNCTION.search("\n".join(lines[max(first - 4, 0):first])):
                problems.append(f"{name}:{first}: a function of {length} lines (at most {MAX_FUNCTION_LINES})")
    return problems


def intrinsics(tree):
    """Instructions of one CPU stay in src/kernels (and in the benchmarks that compare them)."""
    problems = []
    for name in tree.cpp("src", "include", "app", "tests", "examples", "python"):
        if name.startswith("src/kernels/"):
            continue
        for line, text in enumerate(tree.text(name).splitlines(), 1):
            if INTRINSICS.search(text):
                problems.append(f"{name}:{line}: instructions of one CPU outside src/kernels")
    return problems


def licences(tree):
    """The SPDX line stands first, or second after #!."""
    problems = []
    for name in tree.files:
        path = Path(name)
        is_script = name.startswith("scripts/") and path.suffix != ".json" or path.name in ("CMakeLists.txt", "Makefile") or name == ".ci/run"
        if path.suffix in NEEDS_SPDX or is_script:
            head = tree.text(name).splitlines()[:2]
            if head and head[0].startswith("#!"):
                head = head[1:]
            if not head or "SPDX-License-Identifier: MIT" not in head[0]:
                problems.append(f"{name}: does not begin with its SPDX line")
    return problems


def headers_guarded(tree):
    return [f"{name}: no #pragma once" for name in tree.cpp() if name.endswith(".hpp") and "#pragma once" not in tree.text(name)]


def forbidden_words(tree):
    """Nothing in the repository depends on the place or the time of its making."""
    problems = []
    for name in tree.files:
        try:
            text = tree.text(name)
        except UnicodeDecodeError:
            continue
        for pattern, why in FORBIDDEN:
            if (name, pattern) in ALLOWED:
                continue
            for found in pattern.finditer(text):
                problems.append(f"{name}:{text.count(chr(10), 0, found.start()) + 1}: '{found[0]}': {why}")
    return problems


def markdown_links(tree):
    """Links between the project's pages lead somewhere."""
    problems = []
    for name in tree.files:
        if not name.endswith(".md"):
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)", tree.text(name)):
            if re.match(r"[a-z]+:|#", target):
                continue
            path = os.path.normpath(os.path.join(os.path.dirname(name), target.split("#")[0]))
            if not (tree.root / path).exists():
                problems.append(f"{name}: link to {target}, which does not exist")
    return problems


def paragraphs(text):
    """(line, text, is a heading) of each paragraph, list item, heading and table cell of a page. Code becomes `x`, a link its text."""
    number, found, inside = 0, [], False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        if inside or not line.strip() or line.startswith("```"):
            found.append((number, "", False))
        elif line.startswith("|"):
            found += [(number, cell.strip(), False) for cell in line.strip("|").split("|")]
        elif re.match(r"\s*(?:[#*+>-]|\d+\.)", line) or not found or not found[-1][1] or found[-1][2]:
            found.append((number, re.sub(r"^\s*(?:[#*+>-]+|\d+\.)\s+", "", line).strip(), line.startswith("#")))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}", False)
    found = [(number, re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "x", text)), heading) for number, text, heading in found if text]
    return [(number, re.sub(r"[*_]{1,2}(\S(?:.*?\S)?)[*_]{1,2}", r"\1", text), heading) for number, text, heading in found]


def prose(tree):
    """The pages have no long lines and no word of the list in scripts/prose/rules.json. `make lint` also looks at their sentences."""
    if PROSE_RULES not in tree.files:
        return []
    rules = json.loads(tree.text(PROSE_RULES))
    problems = []
    for name in tree.files:
        if not re.fullmatch(r"[^/]+\.md|docs/[^/]+\.md|samples/README\.md", name):
            continue
        if name not in GENERATED_PAGES:
            bare = re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), tree.text(name), flags=re.M | re.S)
            problems += [f"{name}:{number}: {len(line)} columns, at most {rules['columns']} are allowed" for number, line in enumerate(bare.split("\n"), 1)
                         if len(line) > rules["columns"] and not line.startswith("|")]
        for number, text, heading in paragraphs(tree.text(name)):
            problems += [f"{name}:{number}: '{found[0]}': write {word['instead']}" for word in rules["words"]
                         if not (heading and word.get("sentences")) for found in re.finditer(word["pattern"], text)]
    return problems


def version(tree):
    """The version that the library reports is that of CMake's project(…), of the C header, of the packages, and the newest of CHANGELOG.md."""
    problems = []
    wanted = re.search(r"project\(sinew VERSION (\d+\.\d+\.\d+)", tree.text("CMakeLists.txt"))[1]
    if "CHANGELOG.md" in tree.files:
        newest = re.search(r"^## (?:\[)?(\d+\.\d+\.\d+)", tree.text("CHANGELOG.md"), re.M)
        if not newest or newest[1] != wanted:
            problems.append(f"CHANGELOG.md: the newest version is not {wanted}")
    for name, text in (("packaging/vcpkg/sinew/vcpkg.json", f'"version-semver": "{wanted}"'), ("web/wasm/package.json", f'"version": "{wanted}"')):
        if name in tree.files and text not in tree.text(name):
            problems.append(f"{name}: the version is not {wanted}")
    minor = wanted.rpartition(".")[0]  # other minor versions are refused
    for name in tree.files:
        if name.endswith((".md", "CMakeLists.txt")):
            problems += [f"{name}: find_package(sinew {asked}), expected {minor}" for asked in re.findall(r"find_package\(sinew (\d+\.\d+)", tree.text(name))
                         if asked != minor]
    header = "include/sinew/sinew.h"
    if header in tree.files:
        defined = re.findall(r"^#define SINEW_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", tree.text(header), re.M)
        if ".".join(defined) != wanted:
            problems.append(f"{header}: the version is not {wanted}")
    return problems


def codes_in_pages(tree):
    """Codes of findings that a page names are in the catalogue."""
    parts = [name for name in tree.files if name.startswith("src/base/catalogue/")]
    if not parts:
        return []
    known = {code for part in parts for code in re.findall(r'SINEW_FINDING\("([A-Z0-9_]+)"', tree.text(part))}
    return [f"{name}: `{code}` is not in the catalogue" for name in tree.files if name.endswith(".md")
            for code in re.findall(r"`([A-Z0-9]+(?:_[A-Z0-9]+){2,})`", tree.text(name)) if code not in known]


def leniencies(tree):
    """Everything that the glTF reader reports without refusing it is in the table of docs/semantics.md. Files of src/gltf/check are for
    validation alone."""
    if "docs/semantics.md" not in tree.files:
        return []
    listed = set(re.findall(r"`([A-Z0-9_]+)`", tree.text("docs/semantics.md")))
    return [f"{name}: {code} is not in the table of docs/semantics.md" for name in tree.cpp("src")
            if name.startswith("src/gltf/") and not name.startswith("src/gltf/check/") for code in re.findall(r'\breport\("(\w+)"_code', tree.text(name)) if code not in listed]


def refusals(tree):
    """A refused edit always ends with exit status 5."""
    return [f"{name}: SINEW_EDIT_REFUSED with Failure::{failure}, expected unsupported" for name in tree.cpp("src")
            for failure in re.findall(r'"SINEW_EDIT_REFUSED"_code,\s*Failure::(\w+)', tree.text(name)) if failure != "unsupported"]


def types_of(text):
    """The structs and classes that a text defines in named namespaces: {name with namespaces}. Nested ones and specialisations do not count."""
    found, open_, depth = set(), [], 0
    for line in text.splitlines():
        line = re.sub(r"//.*", "", line)
        named = re.match(r"\s*(?:inline )?namespace\s*([\w:]*)\s*\{", line)
        if named:
            open_.append((named[1], depth))
        defined = re.match(r"\s*(?:struct|class)\s+(?:\[\[.*?\]\]\s*)?(\w+)(?:\s+final)?\s*(?::[^:].*)?\{", line)
        if defined and depth == len(open_) and all(name for name, _ in open_):
            found.add("::".join([name for name, _ in open_] + [defined[1]]))
        depth += line.count("{") - line.count("}")
        while open_ and depth <= open_[-1][1]:
            open_.pop()
    return found


def one_definition(tree):
    """Two types of one name in one namespace: the linker takes the functions of either for both, without a message."""
    places = {}
    for file in tree.cpp("src", "include", "app"):
        for name in types_of(tree.text(file)):
            places.setdefault(name, []).append(file)
    return [f"{name} is defined in {' and '.join(files)}" for name, files in sorted(places.items()) if len(files) > 1]


# One form for each thing: what is searched, the files of that form, what other files use instead.
ONE_FORM = [
    (re.compile(r"\brotor_from_matrix\("), ("src/math/", "include/"), "a matrix is split by rotation_and_scale (math/rotation_scale.hpp)"),
    # It imitates the Khronos validator, also for matrices that are no rotations.
    (re.compile(r"\bquaternion_of\("), ("src/gltf/check/transforms.cpp",), "a matrix becomes a rotor by rotation_and_scale (math/rotation_scale.hpp)"),
    # Numbers of JSON: one beyond the largest double and one below the smallest differ. And WebAssembly's own std::from_chars.
    (re.compile(r"\bfrom_chars\(|\bsto(?:[dfi]|ld?|ll|ull?)\(|\bstrto\w+\(|\batof\(|\batoi\(|\blexical_cast\b"),
     ("src/base/number.hpp", "app/console/number.hpp", "src/document/json/json_text.cpp", "web/wasm/src/decimal.cpp"),
     "a text becomes a number by number_in (base/number.hpp, app/console/number.hpp)"),
    # Not for an error: the destructor of motion.cpp, fewer threads. Before another handler: Draco, Boost. The program uses public headers only.
    (re.compile(r"catch \(const std::bad_alloc"),
     ("src/base/guard.cpp", "src/base/parallel.cpp", "src/operations/bounds/motion.cpp", "src/gltf/read/ext/KHR_draco_mesh_compression.cpp",
      "src/show/page/serve.cpp", "app/main.cpp", "app/console/signals.cpp"),
     "the end of memory and of the time become an error by ended_by_exception (base/guard.hpp)"),
    # Boost throws more than memory.
    (re.compile(r"(?m)^\S.*\btry \{"), ("src/show/page/serve.cpp",), "the body of a public function is between SINEW_TRY and SINEW_CATCH (base/guard.hpp)"),
    # Float boxes of many slots side by side, bounds of an accessor in its own type, a table of edit distances; deform and show are not done yet.
    (re.compile(r"\b(\w+)\[[^]]+\] = std::min(?:<\w+>)?\(\1\["),
     ("src/math/extent.hpp", "src/validate/influence_scan.cpp", "src/gltf/write/write_buffer.cpp", "src/base/names.cpp", "src/deform/", "src/show/",
      "app/conformance/picture.cpp"),
     "a box that grows is an Extent (math/extent.hpp)"),
    # UTF-8 on every system; the program has public headers only.
    (re.compile(r"\b(?:path|filename|stem|extension)\(\)\.string\(\)|\{\w+(?:\.path)?\.string\(\), (?:\{\}|std::nullopt)"), ("app/",),
     "the text of a path is path_text (base/path_text.hpp)"),
]


def one_form(tree):
    """Code that repeats what one file is there for."""
    problems = []
    for name in tree.cpp("src", "include", "app", "web"):
        text = re.sub(r"//.*", "", tree.text(name))
        for pattern, places, advice in ONE_FORM:
            if not name.startswith(places):
                problems += [f"{name}:{text.count(chr(10), 0, found.start()) + 1}: {found[0].strip()}: {advice}" for found in pattern.finditer(text)]
    return problems


# Where they are compiled with exceptions only.
WITH_EXCEPTIONS = re.compile(r"#\s*(?:ifndef SINEW_NO_EXCEPTIONS|ifdef SINEW_USE_(?:DRACO|TBB))\b")
NEEDS_EXCEPTIONS = re.compile(r"\b(?:throw|try|catch|dynamic_cast|dynamic_pointer_cast|typeid)\b")


def without_exceptions(tree):
    """Core can be compiled without exceptions and run-time type information (SINEW_EXCEPTIONS=OFF)."""
    problems = []
    for name in [name for name in tree.cpp("src", "include") if name.startswith("include/") or tree.is_core(name)]:
        conditions = []
        for number, line in enumerate(tree.text(name).splitlines(), 1):
            line = re.sub(r"//.*", "", re.sub(r'"(?:[^"\\]|\\.)*"', '""', line))
            if re.match(r"#\s*if", line):
                conditions.append(WITH_EXCEPTIONS.match(line) is not None)
            elif re.match(r"#\s*el", line):
                conditions[-1] = False
            elif re.match(r"#\s*endif", line):
                conditions.pop()
            elif (found := NEEDS_EXCEPTIONS.search(line)) and not any(conditions):
                problems.append(f"{name}:{number}: {found[0]} in core, where SINEW_NO_EXCEPTIONS may be defined (base/guard.hpp has caught and tried)")
    return problems


ALL = [modules, public_headers, includes, core_library, without_exceptions, format_parts, extension_names, format_names, sizes, intrinsics, licences, headers_guarded, forbidden_words, markdown_links, codes_in_pages, leniencies,
       prose, version, one_definition, one_form, refusals, notices]
