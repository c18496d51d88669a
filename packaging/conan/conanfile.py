# SPDX-License-Identifier: MIT
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.gnu import PkgConfigDeps

required_conan_version = ">=2.0"
ROOT = os.path.join("..", "..")


class SinewConan(ConanFile):
    name = "sinew"
    description = "Rigged, deformable meshes in any dimension: glTF 2.0 and G4MF, read, posed, deformed, checked and converted"
    license = "MIT"
    topics = ("gltf", "g4mf", "skinning", "animation", "mesh")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "program": [True, False]}
    default_options = {"shared": False, "program": True}

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, ROOT, "CMakeLists.txt"))
        self.version = re.search(r"^project\(sinew VERSION (\S+)", text, re.M)[1]

    def export_sources(self):
        source = os.path.join(self.recipe_folder, ROOT)
        for pattern in ("CMakeLists.txt", "LICENSE", "app/*", "cmake/*", "conformance/cases/*", "conformance/*.*", "conformance/LICENSE", "examples/*", "include/*", "samples/gltf/simple_skin.gltf", "src/*", "web/view/*"):
            copy(self, pattern, source, self.export_sources_folder, excludes=("*/node_modules/*", "*/dist/*"))

    def layout(self):
        cmake_layout(self, src_folder=".")

    def requirements(self):
        self.requires("tl-expected/1.1.0", transitive_headers=True)
        for reference in ("fmt/10.2.1", "draco/1.5.6", "highway/1.0.7", "zstd/1.5.5", "onetbb/2021.10.0",
                          "eigen/3.4.0", "xxhash/0.8.2", "egl/system", "opengl/system", "boost/1.84.0", "libpng/1.6.43", "libjpeg/9e", "libwebp/1.3.2",
                          "zlib/1.3.1", "openexr/3.2.4", "meshoptimizer/0.18"):
            self.requires(reference)
        if self.options.program:
            self.requires("cli11/2.4.1")
            self.requires("nlohmann_json/3.11.3")

    def build_requirements(self):
        self.tool_requires("pkgconf/2.1.0")

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()  # what cmake/SinewDependencies.cmake finds by pkg_check_modules
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SINEW_BUILD_TESTS"] = False
        toolchain.cache_variables["SINEW_BUILD_PROGRAM"] = bool(self.options.program)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["sinew-pictures", "sinew-tools", "sinew"]
        self.cpp_info.system_libs = ["m", "pthread"]
        self.cpp_info.set_property("cmake_file_name", "sinew")
        self.cpp_info.set_property("cmake_target_name", "sinew::sinew")
        self.cpp_info.set_property("pkg_config_name", "sinew")
