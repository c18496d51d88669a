# SPDX-License-Identifier: MIT
"""Another project uses Sinew: an installed copy with find_package in C++ and C, with pkg-config by hand, and a checkout."""
import argparse
import gzip
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "structure"))
import public_names  # noqa: E402

# Vertices 4, 6 and 9 of the glTF tutorial's rectangle with its upper joint turned by 90 degrees.
EXPECTED = ["4: -0.2500 0.7500 0.0000", "6: -0.5000 0.7500 0.0000", "9: -1.0000 1.5000 0.0000"]
SAMPLE = HERE.parents[1] / "samples" / "gltf" / "simple_skin.gltf"
# All that a program which loads and deforms may link to.
LINKED = {"linux-vdso", "ld-linux-x86-64", "ld-linux-aarch64", "libc", "libm", "libstdc++", "libgcc_s",
          "libsinew", "libdraco", "libzstd", "libtbb", "libatomic", "librt", "libpthread"}
TIP = "  9   -1.000   1.500   0.000"  # the sample's last vertex at 1.375 s
# What was left out, by samples that need it.
LEFT_OUT = {"samples/g4mf/arm_4d_zstd.g4b": "SINEW_ZSTD", "tests/golden/gltf/extension/draco_broken.bad.gltf": "SINEW_DRACO"}
OPTIONS = None


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode:
        raise AssertionError(f"{shlex.join(map(str, command))}\nexit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def setUpModule():
    global objects
    objects = tempfile.TemporaryDirectory()  # of once.py: the trees have the same headers
    unittest.addModuleCleanup(objects.cleanup)


class Installed:
    """Tests of an installed tree: `prefix` is where it lies, whoever has put it there."""
    prefix = None
    license, compressed = "LICENSE", ""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.install(Path(cls.folder.name))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def environment(self):
        return {**os.environ, "LD_LIBRARY_PATH": str(next(self.prefix.rglob("libsinew.*")).parent)}

    def configure(self, *arguments, **options):
        """CMake for a project in C++."""
        run("cmake", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={OPTIONS.compiler}", f"-DCMAKE_CXX_FLAGS={OPTIONS.flags}",
            f"-DCMAKE_CXX_COMPILER_LAUNCHER={sys.executable};{HERE / 'once.py'};{objects.name}", *arguments, **options)

    def check(self, program):
        lines = run(program, env=self.environment()).splitlines()
        self.assertRegex(lines[0], r"^sinew \d+\.\d+\.\d+$")
        self.assertEqual(lines[1:], EXPECTED)

    def check_door(self, program):
        """The first program of a user runs, refuses what is broken, and links to nothing graphical."""
        self.assertEqual(run(program, SAMPLE, "Swing", "1.375", env=self.environment()), "10 vertices, the last at -1.000 1.500 0.000\n")
        if not OPTIONS.flags:
            linked = set(re.findall(r"^\s*([\w+-]+)\.so", run("ldd", program, env=self.environment()), re.M))
            self.assertEqual(linked - LINKED, set())

    def test_all_that_is_promised_is_installed(self):
        files = {path.relative_to(self.prefix).as_posix() for path in self.prefix.rglob("*") if path.is_file()}
        headers = {path.name for path in (HERE.parents[1] / "include" / "sinew").glob("*.h*")}
        self.assertGreaterEqual(len(headers), 15)
        self.assertEqual({name.split("/")[-1] for name in files if name.startswith("include/sinew/")}, headers)
        for name in ("sinew.pc", "sinew-tools.pc", "sinew-pictures.pc", "sinewConfig.cmake", "sinewConfigVersion.cmake", "sinew-core.cmake", "sinew-tools.cmake",
                     "sinew-pictures.cmake", self.license, "sinew"):
            self.assertTrue(any(file.split("/")[-1] == name for file in files), f"{name} in {sorted(files)}")
        examples = {file.split("/")[-1] for file in files if file.startswith("share/doc/sinew/examples/")}
        self.assertEqual(examples, {"CMakeLists.txt", "deform_file.cpp", "deform_file.c", "simple_skin.gltf"})
        commands = re.findall(r"^  (\w+) ", run(self.prefix / "bin" / "sinew", "--help").split("Subcommands:")[1], re.M)
        self.assertGreaterEqual(len(commands), 14)
        manual = {f"share/man/man1/{page}.1{self.compressed}" for page in ["sinew", *(f"sinew-{command}" for command in commands)]}
        self.assertEqual({file for file in files if "/man/" in file}, manual)
        for name in ("bash-completion/completions/sinew", "zsh/site-functions/_sinew", "fish/vendor_completions.d/sinew.fish"):
            self.assertIn("share/" + name, files)

    def test_no_installed_file_knows_where_it_was_built(self):
        for pattern in ("*.cmake", "*.pc", "*.hpp"):
            for path in self.prefix.rglob(pattern):
                self.assertNotIn(str(HERE.parents[1]), path.read_text(encoding="utf-8"), path)

    def test_shared_libraries_show_what_the_headers_declare(self):
        libraries = list(self.prefix.rglob("libsinew*.so"))
        if not libraries:
            self.skipTest("the libraries are static")
        if not public_names.clang():
            self.skipTest("no clang++ to read the headers with")
        cpp, of_c = public_names.public_names()
        self.assertGreater(len(cpp), 200)
        shown = set()
        for library in libraries:
            for line in run("nm", "-D", "--defined-only", "--with-symbol-versions", library).splitlines():
                name, _, version = line.split()[-1].partition("@@")
                if version == "SINEW_0.1":
                    shown.add(re.sub(r"^_Z(NK?5sinew.*[CD])2E", r"_Z\g<1>1E", name))  # each constructor has two names, C1 and C2
                elif name not in ("SINEW_0.1", "SINEW_PRIVATE"):
                    self.assertEqual(version, "SINEW_PRIVATE", line)
                    self.assertRegex(name, "5sinew|3fmt")
        self.assertEqual((sorted(shown - {*cpp, *of_c}), sorted({*cpp, *of_c} - shown)), ([], []))

    def test_core_has_the_functions_of_c(self):
        """All of sinew.h but what needs the tools, as the page on installing says."""
        header = (self.prefix / "include" / "sinew" / "sinew.h").read_text(encoding="utf-8")
        declared = set(re.findall(r"^\w[\w *]*?\b(sinew_\w+)\(", header, re.M))
        self.assertGreaterEqual(len(declared), 75)
        shared = list(self.prefix.rglob("libsinew.so"))
        listed = run("nm", "--defined-only", *(["-D", shared[0]] if shared else [next(self.prefix.rglob("libsinew.a"))]))
        absent = declared - {line.split()[-1].partition("@")[0] for line in listed.splitlines() if line.split()[1:2] == ["T"]}
        self.assertEqual({name for name in absent if not re.match("sinew_(bounds$|compare$|flex_|string_free$|validate$)", name)}, set())
        self.assertIn("sinew_bounds", absent)

    def test_find_package(self):
        build = Path(self.folder.name) / "build"
        self.configure("-S", HERE / "consumer", "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build)
        self.check(build / "consumer")
        self.check_door(build / "door")

    def test_find_package_says_nothing(self):
        project = Path(self.folder.name) / "quiet"
        project.mkdir()
        (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(quiet LANGUAGES CXX)\nmessage(STATUS begin)\n"
                                                "find_package(sinew REQUIRED)\nmessage(STATUS end)\n")
        said = run("cmake", "-S", project, "-B", project / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assertRegex(said, "(?m)^-- begin\n-- end$")

    def test_core_alone_needs_nothing_graphical(self):
        """The component alone is installed, and pkg-config finds none of the libraries for pictures."""
        prefix, project = Path(self.folder.name) / "core", Path(self.folder.name) / "core_project"
        project.mkdir()
        for path in self.prefix.rglob("*"):
            name = path.relative_to(self.prefix)
            if path.is_file() and not re.search(r"sinew-(tools|pictures)|^bin/", name.as_posix()):
                (prefix / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, prefix / name, follow_symlinks=False)
        start = "cmake_minimum_required(VERSION 3.25)\nproject(core LANGUAGES CXX)\n"
        (project / "door.cpp").symlink_to(HERE / "consumer" / "door.cpp")
        for asked in ("COMPONENTS core", ""):
            (project / "CMakeLists.txt").write_text(f"{start}find_package(sinew REQUIRED {asked})\nadd_executable(door door.cpp)\n"
                                                    f"target_link_libraries(door sinew::{'core' if asked else 'sinew'})\n")
            environment = {**os.environ, "PKG_CONFIG_LIBDIR": str(project)}
            self.configure("--fresh", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={prefix}", env=environment)
            run("cmake", "--build", project / "build")
            self.check_door(project / "build" / "door")
        (project / "CMakeLists.txt").write_text(f"{start}find_package(sinew REQUIRED COMPONENTS tools)\n")
        with self.assertRaisesRegex(AssertionError, "sinew::tools is not installed"):
            run("cmake", "--fresh", "-S", project, "-B", project / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")

    def test_the_installed_example(self):
        examples, build = self.prefix / "share" / "doc" / "sinew" / "examples", Path(self.folder.name) / "example"
        self.configure("-S", examples, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build)
        for program in ("deform_file", "deform_file_c"):
            self.assertIn(TIP, run(build / program, examples / "simple_skin.gltf", "1.375", env=self.environment()))

    def test_find_package_in_a_project_of_c_alone(self):
        if OPTIONS.flags:
            self.skipTest("what the flags ask for, such as a sanitizer, only the C++ compiler links whole")
        project = Path(self.folder.name) / "of_c"
        project.mkdir()
        shutil.copy(HERE.parents[1] / "examples" / "deform_file.c", project)
        (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(of_c LANGUAGES C)\nfind_package(sinew REQUIRED)\n"
                                                "add_executable(deform_file deform_file.c)\ntarget_link_libraries(deform_file sinew::sinew)\n")
        run("cmake", "-S", project, "-B", project / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", project / "build")
        model = HERE.parents[1] / "samples" / "gltf" / "simple_skin.gltf"
        self.assertIn(TIP, run(project / "build" / "deform_file", model, "1.375", env=self.environment()))

    def test_find_package_refuses_another_version(self):
        project = Path(self.folder.name) / "newer"
        project.mkdir()
        (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(newer NONE)\nfind_package(sinew 99 REQUIRED)\n")
        with self.assertRaisesRegex(AssertionError, "(?s)version.*99"):
            run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")

    def test_pkg_config(self):
        folder = Path(self.folder.name)
        found = next(self.prefix.rglob("sinew.pc")).parent
        static = ["--static"] if list(self.prefix.rglob("libsinew.a")) else []
        path = os.pathsep.join([str(found)] + [p for p in [os.environ.get("PKG_CONFIG_PATH")] if p])
        headers, libraries = (run("pkg-config", what, *static, "sinew", env={**os.environ, "PKG_CONFIG_PATH": path}).split() for what in ("--cflags", "--libs"))
        command = [OPTIONS.compiler, *OPTIONS.flags.split(), "-std=c++20", "-Wall", "-Wextra", "-Werror", *headers]
        for source, check in (("main.cpp", self.check), ("door.cpp", self.check_door)):
            program, made = folder / "by_hand", folder / "by_hand.o"
            run(sys.executable, HERE / "once.py", objects.name, *command, "-MD", "-MF", folder / "by_hand.d", "-c", HERE / "consumer" / source, "-o", made)
            run(*command, made, "-o", program, *libraries)
            check(program)


class Package(Installed, unittest.TestCase):
    @classmethod
    def install(cls, folder):
        cls.prefix = folder / "prefix"
        run("cmake", "--install", OPTIONS.build, "--prefix", cls.prefix)


class MakeInstall(unittest.TestCase):
    """`make install`, where `cmake` only says what it is told."""

    def test_a_tilde_that_the_shell_has_left_is_the_home_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            told = Path(folder) / "cmake"
            told.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
            told.chmod(0o755)
            for prefix, wanted in ((["PREFIX=~/a folder"], "/home/a/a folder"), (["PREFIX=/opt/~/sinew"], "/opt/~/sinew"), ([], "/usr/local")):
                said = run("make", "-C", HERE.parents[1], "-s", "--old-file=build", "install", *prefix,
                           env={"PATH": f"{folder}:{os.environ['PATH']}", "HOME": "/home/a"})
                self.assertEqual(said.splitlines()[-2:], ["--prefix", wanted])


class Subdirectory(unittest.TestCase):
    """add_subdirectory of a checkout builds core alone, here without a single switch and without anything graphical. Objects that do not
    depend on a switch are those of the build under test (reuse.py)."""
    check_door, environment = Installed.check_door, lambda self: None

    def test_add_subdirectory_builds_core_alone(self):
        if OPTIONS.flags:
            self.skipTest("one build of this is enough")
        with tempfile.TemporaryDirectory() as folder:
            project = Path(folder)
            (project / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(game LANGUAGES CXX)\n"
                f"add_subdirectory({HERE.parents[1]} sinew)\nadd_executable(door {HERE / 'consumer' / 'door.cpp'})\n"
                "target_link_libraries(door PRIVATE sinew::core)\n")
            other = re.findall("SINEW_UNITY:BOOL=OFF", (Path(OPTIONS.build) / "CMakeCache.txt").read_text())  # than the default of a subdirectory
            run("cmake", "-S", project, "-B", project / "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={OPTIONS.compiler}", "-DSINEW_WERROR=ON",
                *(["-DSINEW_UNITY=OFF"] if other else []), f"-DCMAKE_CXX_COMPILER_LAUNCHER={sys.executable};{HERE / 'reuse.py'};{OPTIONS.build}",
                *(f"-DSINEW_{name}=OFF" for name in ("DRACO", "ZSTD", "TBB")), env={**os.environ, "PKG_CONFIG_LIBDIR": folder})
            self.assertIn(f"SINEW_UNITY:BOOL={'OFF' if other else 'ON'}\n", (project / "build" / "CMakeCache.txt").read_text())
            run("cmake", "--build", project / "build", "--target", "door")
            run("cmake", "--install", project / "build", "--prefix", project / "prefix")
            self.assertEqual([path for path in project.rglob("prefix/**/*") if path.is_file()], [], "a game installs Sinew")
            self.assertEqual([path.name for path in project.rglob("lib*sinew*.a") if "pictures" in path.name or "tools" in path.name], [])
            self.check_door(project / "build" / "door")
            for sample, switch in LEFT_OUT.items():
                done = subprocess.run([project / "build" / "door", HERE.parents[1] / sample, "0", "0"], capture_output=True, text=True)
                self.assertEqual(done.returncode, 1, sample)
                self.assertRegex(done.stderr, rf"{switch}=ON \[SINEW_LEFT_OUT\]")


@unittest.skipUnless(shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps"), "no Debian system with dpkg-dev")
class DebianPackages(Installed, unittest.TestCase):
    """The .deb files that `make deb` makes, unpacked into an empty folder."""
    license, compressed = "copyright", ".gz"

    @classmethod
    def install(cls, folder):
        run("cpack", "--config", Path(OPTIONS.build) / "CPackConfig.cmake", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none", "-B", folder / "deb")
        cls.packages = {path.name.split("_")[0]: path for path in (folder / "deb").glob("*.deb")}
        for package in cls.packages.values():
            run("dpkg-deb", "-x", package, folder / "root")
        cls.prefix = folder / "root" / "usr"

    def test_say_what_they_are(self):
        version = run(self.prefix / "bin" / "sinew", "--version").split()[1]
        depends = {"sinew": r"libc6 .*libstdc\+\+6", "libsinew-dev": "libexpected-dev", "libsinew-tools-dev": r"^libsinew-dev \(= ",
                   "libsinew-pictures-dev": r"^libsinew-tools-dev \(= .*libpng-dev"}
        self.assertEqual(set(self.packages), set(depends))
        for name, package in self.packages.items():
            fields = dict(re.findall(r"^(\S+): (.*)", run("dpkg-deb", "-f", package), re.M))
            self.assertEqual((fields["Package"], fields["Version"], fields["Section"]), (name, version, "graphics" if name == "sinew" else "libdevel"))
            self.assertRegex(fields["Depends"], depends[name])
            self.assertEqual(package.name, f"{name}_{version}_{fields['Architecture']}.deb")
            copyright = (self.prefix / "share/doc" / name / "copyright").read_text()
            self.assertTrue(copyright.startswith((HERE.parents[1] / "LICENSE").read_text()))
            sections = {section.split()[0]: len(section) for section in copyright.split("\n==== ")[1:]}
            for part in ("fmt", "Eigen", "CLI11"):  # with the text of the license, not its name alone
                self.assertGreater(sections[part], 1000)
            self.check_parts(self.prefix / "share/doc" / name / "sinew.spdx.json", version)
        self.assertTrue((self.prefix / "share/sinew/conformance/LICENSE").exists())
        self.assertNotRegex(run("dpkg-deb", "-f", self.packages["libsinew-dev"], "Depends"), "png|egl|jpeg|webp|fmt")
        self.assertIn(b".SH SYNOPSIS", gzip.decompress((self.prefix / "share/man/man1/sinew.1.gz").read_bytes()))

    def check_parts(self, path, version):
        """The list of parts is sound SPDX 2.3 as far as its fields go: identifiers, licenses, and relations between what is there."""
        document = json.loads(path.read_text())
        self.assertEqual((document["spdxVersion"], document["dataLicense"], document["SPDXID"]), ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"))
        self.assertRegex(document["creationInfo"]["created"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        packages = {one["SPDXID"]: one for one in document["packages"]}
        self.assertEqual(len(packages), len(document["packages"]))
        self.assertEqual(packages["SPDXRef-sinew"]["versionInfo"], version)
        for id, one in packages.items():
            self.assertRegex(id, r"^SPDXRef-[A-Za-z0-9.-]+$")
            self.assertTrue({"name", "downloadLocation", "licenseDeclared", "licenseConcluded", "copyrightText"} <= set(one), id)
        related = {one["relatedSpdxElement"] for one in document["relationships"]}
        self.assertEqual(related, set(packages))
        self.assertRegex(packages["SPDXRef-fmt"]["versionInfo"], r"^\d+\.\d+\.\d+$")

    def test_the_program_runs(self):
        model = HERE.parents[1] / "samples" / "gltf" / "simple_skin.gltf"
        self.assertIn("10 vertices", run(self.prefix / "bin" / "sinew", "info", model))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, help="the build folder to install from")
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flags", default="", help="flags that all code in one program must share, such as sanitizers")
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
