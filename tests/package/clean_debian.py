# SPDX-License-Identifier: MIT
"""What the pages tell a new user to type, typed on a clean Debian 12: a chroot that debootstrap makes, with what Debian calls required and
nothing else. As root; packages come from the mirror that this machine's apt knows. `scripts/test --full` runs it.

usage: clean_debian.py FOLDER [TEST…]      FOLDER: for the chroots, which are removed at the end
Exit status 77, and a line that says why, where a chroot cannot be made.
"""
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUITE = "bookworm"  # Debian 12
FOLDER = None
TIP = "  9   -1.000   1.500   0.000"  # the sample's last vertex at 1.375 s
# Mounts live as long as the command: they belong to its own namespace.
ENTER = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && { [ ! -d "$2" ] || mount --bind "$2" "$1/ccache"; } && exec chroot "$1" "${@:3}"'


class Skip(Exception):
    pass


def blocks(page, language, heading=None):
    """The ```language blocks of a page, or of one section of it."""
    text = (ROOT / page).read_text(encoding="utf-8")
    if heading:
        [text] = re.findall(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)
    assert found, f"{page}: no {language} block under {heading}"
    return found


def mirror():
    """Where this machine's apt has Debian 12 from."""
    listed = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE)", "Created-By: Packages"], capture_output=True, text=True)
    found = [line.split()[0] for line in listed.stdout.splitlines() if line.split()[1:] == [SUITE]]
    if not found:
        raise Skip(f"apt knows no mirror of {SUITE}")
    return found[0]


class Debian:
    """A copy of the clean system."""
    base = None

    @classmethod
    def make(cls):
        if os.geteuid():
            raise Skip("not root")
        for tool in ("debootstrap", "apt-get", "unshare"):
            if not shutil.which(tool):
                raise Skip(f"no {tool}")
        cls.base = FOLDER / "base"
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        done = subprocess.run(["debootstrap", "--variant=minbase", SUITE, cls.base, mirror()], capture_output=True, text=True)
        if done.returncode:
            raise Skip(f"debootstrap: {(done.stdout + done.stderr).strip().splitlines()[-1]}")
        (cls.base / "ccache").mkdir()
        (cls.base / "etc/apt/apt.conf.d/90test").write_text('APT::Get::Assume-Yes "true";\n')  # what a person would answer
        (cls.base / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")  # services are not started
        (cls.base / "usr/sbin/policy-rc.d").chmod(0o755)
        proxies = subprocess.run(["apt-config", "dump"], capture_output=True, text=True).stdout
        (cls.base / "etc/apt/apt.conf.d/91proxy").write_text("".join(f"{line}\n" for line in proxies.splitlines() if re.match(r"Acquire::https?::", line)))
        shutil.copy("/etc/resolv.conf", cls.base / "etc/resolv.conf")
        try:
            cls.run_in(cls.base, "apt-get update -qq")
        except AssertionError as error:
            raise Skip(f"no command runs in a chroot: {str(error).strip().splitlines()[-1]}") from error

    def __init__(self, name):
        self.root = FOLDER / name
        subprocess.run(["cp", "-a", self.base, self.root], check=True)

    def run(self, script, folder="/root", network=True, **environment):
        return self.run_in(self.root, script, folder, network, **environment)

    @staticmethod
    def run_in(root, script, folder="/root", network=True, **environment):
        """What bash prints that reads these lines, and stops at the first that fails."""
        cache = subprocess.run(["ccache", "--get-config", "cache_dir"], capture_output=True, text=True) if shutil.which("ccache") else None
        words = ["unshare", "--mount", "--pid", *([] if network else ["--net"]), "--fork", "--kill-child", "bash", "-c", ENTER, "enter", root, cache.stdout.strip() if cache else "none",
                 "env", "-i", "HOME=/root", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
                 "DEBIAN_FRONTEND=noninteractive", "CCACHE_DIR=/ccache", f"CCACHE_BASEDIR={folder}", "CCACHE_NOHASHDIR=1",
                 *(f"{name}={os.environ[name]}" for name in ("CMAKE_BUILD_PARALLEL_LEVEL",) if name in os.environ),
                 *(f"{name}={value}" for name, value in environment.items()), "bash", "-e", "-c", f"cd {folder}\n{script}"]
        print(f"\n== {Path(root).name}: {folder}\n{script.strip()}", flush=True)
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise AssertionError(f"exit status {done.returncode}\n{done.stdout[-6000:]}")
        return done.stdout

    def checkout(self, folder):
        """This tree, without what git ignores, as a repository of their own."""
        target = self.root / folder.lstrip("/")
        target.mkdir(parents=True)
        names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], stdout=subprocess.PIPE, check=True).stdout
        packed = subprocess.run(["tar", "-C", ROOT, "--null", "-T", "-", "-c"], input=names, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-C", target, "--no-same-owner", "-x"], input=packed, check=True)
        return folder


class NewUser(unittest.TestCase):
    """In the order of their names: the packages of the first test are installed by the second."""
    packages = None

    def test_1_a_checkout_becomes_a_package_an_installation_and_a_python_module(self):
        debian = Debian("checkout")
        here = debian.checkout("/root/source")
        debian.run("apt install sudo")  # who is asked to type it has it
        [package] = blocks("docs/install.md", "sh", "Debian packages")
        debian.run(package, here)
        NewUser.packages = sorted((debian.root / "root/source/build/deb").glob("*.deb"))
        self.assertIn("10 vertices", debian.run("sinew info samples/gltf/simple_skin.gltf", here))
        [installing] = blocks("docs/install.md", "sh", "From source")
        debian.run(installing, here)
        self.assertEqual(debian.run("~/sinew/bin/sinew --version"), debian.run("sinew --version"))
        [python] = blocks("docs/python.md", "sh", "Installing")
        version = debian.run(python, here).splitlines()[-1]
        self.assertEqual(debian.run("sinew --version").split()[1], version)
        session = "".join(line[4:] + "\n" for line in blocks("docs/python.md", "pycon")[0].splitlines() if line[:4] in (">>> ", "... "))
        (debian.root / "root/session.py").write_text(session + "print(positions[9].round(4).tolist())\n")
        self.assertIn("[-1.0, 1.5, 0.0]", debian.run("~/sinew-python/bin/python ~/session.py", here))

    def test_2_the_packages_alone(self):
        self.assertTrue(self.packages, "the test before makes them")
        debian = Debian("package")
        (debian.root / "root/build/deb").mkdir(parents=True)
        for package in self.packages:
            shutil.copy(package, debian.root / "root/build/deb")
        debian.run("apt install sudo")
        [package] = blocks("docs/install.md", "sh", "Debian packages")
        [line] = [line for line in package.splitlines() if ".deb" in line]
        debian.run(line)
        project, by_hand = blocks("docs/install.md", "sh", "Using it")
        self.assertIn(TIP, debian.run(project))
        [of_c] = blocks("docs/c.md", "sh")
        self.assertIn(TIP, debian.run(f"{by_hand}\n./deform_file simple_skin.gltf 1.375", "/root/examples"))
        self.assertIn(TIP, debian.run(f"{of_c}\n./deform_file simple_skin.gltf 1.375", "/root/examples"))
        self.assertRegex(debian.run("sinew doctor"), r"(?s)kernel .*memory")

    def test_3_core_alone(self):
        """The package of core brings nothing graphical, and its user's first program is built by CMake and by hand."""
        self.assertTrue(self.packages, "the first test makes them")
        debian = Debian("core")
        for package in self.packages:
            if package.name.startswith("libsinew-dev"):
                shutil.copy(package, debian.root / "root")
        debian.run("apt install --no-install-recommends ./libsinew-dev*.deb g++ cmake make pkg-config")
        self.assertNotRegex(debian.run("dpkg -l"), r"ii  lib(egl|png|jpeg|webp|gl)\S*-dev")
        consumer = debian.root / "root/consumer"
        shutil.copytree(ROOT / "tests/package/consumer", consumer)
        shutil.copy(ROOT / "samples/gltf/simple_skin.gltf", consumer)
        door = "./door simple_skin.gltf Swing 1.375"
        for script in ("cmake -B . && cmake --build .", "c++ -std=c++20 -Wall -Wextra -Werror door.cpp -o door $(pkg-config --cflags --libs --static sinew)"):
            self.assertIn("the last at -1.000 1.500 0.000", debian.run(f"{script}\n{door}", "/root/consumer"))

    def test_4_the_job_of_continuous_integration(self):
        [job] = blocks("docs/guides.md", "yaml")
        fetch, validate = re.findall(r"^        run: (.*)$", job, re.M)
        debian = Debian("job")
        debian.checkout("/srv/sinew")
        for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "all"]):
            subprocess.run(["git", "-C", debian.root / "srv/sinew", *words], check=True)
        debian.run(fetch, "/opt", SINEW_REPOSITORY="file:///srv/sinew")
        debian.run("mkdir -p assets && cp /srv/sinew/samples/gltf/simple_skin.gltf assets")
        debian.run(validate)
        debian.run("sed -i 's/\"skeleton\": 1/\"skeleton\": 7/' assets/simple_skin.gltf")
        with self.assertRaisesRegex(AssertionError, "exit status 1"):
            debian.run(validate)
        self.assertIn("UNRESOLVED_REFERENCE", (debian.root / "root/sinew.sarif").read_text())

    def tearDown(self):
        for name in ("package", "core", "job"):
            shutil.rmtree(FOLDER / name, ignore_errors=True)


def main():
    global FOLDER
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    FOLDER = Path(sys.argv[1]).resolve()
    try:
        Debian.make()
    except Skip as reason:
        print(f"skipped: {reason}")
        return 77
    done = unittest.main(argv=[sys.argv[0], *sys.argv[2:]], exit=False).result
    shutil.rmtree(FOLDER, ignore_errors=True)
    return 0 if done.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
