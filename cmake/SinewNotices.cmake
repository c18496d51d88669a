# SPDX-License-Identifier: MIT
# What the libraries and the program are made of: sinew.spdx.json, a list of parts in SPDX 2.3, and NOTICES, the copyright and license texts of
# the parts that are compiled in (headers and static libraries). Texts come from the distribution's packages; a part without one is named with
# its license and address. Every part that a source includes is here (tests/structure). Both files depend on the sources and on the installed
# parts alone: their date is that of SOURCE_DATE_EPOCH, else of the last commit.

# sinew_part(name license address package use header macro...): `use` is "headers", "static" or "shared"; the macros of the header hold the
# numbers of the version.
set(SINEW_PARTS "")
function(sinew_part name license address package use header)
  string(MAKE_C_IDENTIFIER "SINEW_NOTICE_${header}" found)
  find_file(${found} ${header} PATH_SUFFIXES eigen3)
  mark_as_advanced(${found})
  set(version "")
  foreach(macro IN LISTS ARGN)
    if(${found})
      file(STRINGS ${${found}} lines REGEX "define +${macro} +[0-9\"]")
      string(REGEX MATCH "${macro} +\"?([0-9_.]+)" ignored "${lines}")
      list(APPEND version ${CMAKE_MATCH_1})
    endif()
  endforeach()
  list(JOIN version "." version)
  string(REPLACE "_" "." version "${version}")
  if(version MATCHES "^[0-9]+0[0-9]0[0-9]$") # fmt: 90100 is 9.1.0
    math(EXPR major "${version} / 10000")
    math(EXPR minor "${version} / 100 % 100")
    math(EXPR patch "${version} % 100")
    set(version ${major}.${minor}.${patch})
  endif()
  foreach(known IN ITEMS ${${name}_VERSION} ${SINEW_PICTURES_${name}_VERSION} ${SINEW_CODECS_${name}_VERSION})
    if(NOT version)
      set(version ${known})
    endif()
  endforeach()
  list(APPEND SINEW_PARTS "${name}|${license}|${address}|${package}|${use}|${version}")
  set(SINEW_PARTS "${SINEW_PARTS}" PARENT_SCOPE)
endfunction()

# sinew_switched_part(switch name license address package header macro...): a part behind a switch, linked as its target says.
function(sinew_switched_part switch name license address package header)
  if(NOT SINEW_${switch}_LIBRARY)
    return()
  endif()
  get_target_property(type ${SINEW_${switch}_LIBRARY} TYPE)
  set(use shared)
  if(type STREQUAL "STATIC_LIBRARY")
    set(use static)
  endif()
  sinew_part("${name}" "${license}" "${address}" "${package}" ${use} "${header}" ${ARGN})
  set(SINEW_PARTS "${SINEW_PARTS}" PARENT_SCOPE)
endfunction()

sinew_part(fmt "MIT" https://github.com/fmtlib/fmt libfmt-dev headers fmt/core.h FMT_VERSION)
sinew_part(tl-expected "CC0-1.0" https://github.com/TartanLlama/expected libexpected-dev headers tl/expected.hpp
           TL_EXPECTED_VERSION_MAJOR TL_EXPECTED_VERSION_MINOR TL_EXPECTED_VERSION_PATCH)
sinew_part(Eigen "MPL-2.0" https://gitlab.com/libeigen/eigen libeigen3-dev headers Eigen/src/Core/util/Macros.h
           EIGEN_WORLD_VERSION EIGEN_MAJOR_VERSION EIGEN_MINOR_VERSION)
sinew_part(Highway "Apache-2.0" https://github.com/google/highway libhwy-dev headers hwy/highway.h HWY_MAJOR HWY_MINOR HWY_PATCH)
sinew_switched_part(DRACO draco "Apache-2.0" https://github.com/google/draco libdraco-dev draco/core/draco_version.h)
sinew_switched_part(ZSTD Zstandard "BSD-3-Clause" https://github.com/facebook/zstd libzstd-dev zstd.h ZSTD_VERSION_MAJOR ZSTD_VERSION_MINOR
                    ZSTD_VERSION_RELEASE)
sinew_switched_part(TBB oneTBB "Apache-2.0" https://github.com/oneapi-src/oneTBB libtbb-dev oneapi/tbb/version.h TBB_VERSION_MAJOR TBB_VERSION_MINOR)
if(SINEW_BUILD_TOOLS)
  sinew_part(xxHash "BSD-2-Clause" https://github.com/Cyan4973/xxHash libxxhash-dev headers xxhash.h XXH_VERSION_MAJOR XXH_VERSION_MINOR XXH_VERSION_RELEASE)
  sinew_switched_part(ZLIB zlib "Zlib" https://zlib.net zlib1g-dev zlib.h ZLIB_VERSION)
  sinew_switched_part(OPENEXR OpenEXR "BSD-3-Clause" https://github.com/AcademySoftwareFoundation/openexr libopenexr-dev OpenEXR/OpenEXRConfig.h OPENEXR_VERSION_STRING)
  sinew_switched_part(MESHOPT meshoptimizer "MIT" https://github.com/zeux/meshoptimizer libmeshoptimizer-dev meshoptimizer.h)
endif()
if(SINEW_BUILD_PICTURES OR SINEW_IMAGES_LIBRARY)
  sinew_part(libpng "libpng-2.0" http://www.libpng.org/pub/png/libpng.html libpng-dev shared png.h PNG_LIBPNG_VER_MAJOR PNG_LIBPNG_VER_MINOR)
  sinew_part(libjpeg "IJG AND BSD-3-Clause AND Zlib" https://libjpeg-turbo.org libjpeg62-turbo-dev shared jpeglib.h)
  sinew_part(libwebp "BSD-3-Clause" https://chromium.googlesource.com/webm/libwebp libwebp-dev shared webp/decode.h)
endif()
if(SINEW_BUILD_PICTURES)
  sinew_part(Boost "BSL-1.0" https://www.boost.org libboost-dev headers boost/version.hpp BOOST_LIB_VERSION)
  sinew_part(OpenGL-and-EGL-headers "MIT AND Apache-2.0" https://registry.khronos.org libegl-dev headers EGL/egl.h)
endif()
if(SINEW_PAGE_MODULE) # in the module of pages
  sinew_part(wasi-libc "Apache-2.0 WITH LLVM-exception AND MIT" https://github.com/WebAssembly/wasi-libc wasi-libc static wasi/libc.h)
  sinew_part(libc++ "Apache-2.0 WITH LLVM-exception" https://libcxx.llvm.org libc++-19-dev-wasm32 static __config)
endif()
if(SINEW_BUILD_PROGRAM)
  sinew_part(CLI11 "BSD-3-Clause" https://github.com/CLIUtils/CLI11 libcli11-dev headers CLI/Version.hpp CLI11_VERSION_MAJOR CLI11_VERSION_MINOR
             CLI11_VERSION_PATCH)
  sinew_part(JSON-for-Modern-C++ "MIT" https://github.com/nlohmann/json nlohmann-json3-dev headers nlohmann/detail/abi_macros.hpp
             NLOHMANN_JSON_VERSION_MAJOR NLOHMANN_JSON_VERSION_MINOR NLOHMANN_JSON_VERSION_PATCH)
endif()
if(SINEW_BUILD_PYTHON)
  sinew_part(pybind11 "BSD-3-Clause" https://github.com/pybind/pybind11 pybind11-dev headers pybind11/detail/common.h PYBIND11_VERSION_MAJOR
             PYBIND11_VERSION_MINOR)
endif()

if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE
                  ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    set(date 0)
  endif()
  set(ENV{SOURCE_DATE_EPOCH} ${date})
endif()
string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)
set(notices "Sinew contains parts of other projects. Their licenses and notices follow.\n")
set(packages "")
set(relations "{\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \"relatedSpdxElement\": \"SPDXRef-sinew\"}")
foreach(part IN LISTS SINEW_PARTS)
  string(REPLACE "|" ";" part "${part}")
  list(GET part 0 name)
  list(GET part 1 license)
  list(GET part 2 address)
  list(GET part 3 package)
  list(GET part 4 use)
  list(GET part 5 version)
  string(REGEX REPLACE "[^A-Za-z0-9.-]" "-" id "SPDXRef-${name}")
  if(version)
    set(version "\"versionInfo\": \"${version}\", ")
  endif()
  string(APPEND packages ",\n    {\"SPDXID\": \"${id}\", \"name\": \"${name}\", ${version}\"downloadLocation\": \"${address}\", "
                         "\"filesAnalyzed\": false, \"licenseConcluded\": \"NOASSERTION\", \"licenseDeclared\": \"${license}\", "
                         "\"copyrightText\": \"NOASSERTION\"}")
  set(relation CONTAINS)
  if(use STREQUAL "shared")
    set(relation DYNAMIC_LINK)
  endif()
  string(APPEND relations ",\n    {\"spdxElementId\": \"SPDXRef-sinew\", \"relationshipType\": \"${relation}\", \"relatedSpdxElement\": \"${id}\"}")
  if(NOT use STREQUAL "shared")
    string(APPEND notices "\n==== ${name} (${license}), ${address}\n\n")
    if(EXISTS /usr/share/doc/${package}/copyright)
      file(READ /usr/share/doc/${package}/copyright text)
      string(APPEND notices "${text}")
    else()
      string(APPEND notices "The text of the license is with the sources at that address.\n")
    endif()
  endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/NOTICES CONTENT "@notices@" @ONLY)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/sinew.spdx.json @ONLY CONTENT [[
{
  "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "sinew-@PROJECT_VERSION@",
  "documentNamespace": "urn:sinew:spdx:@PROJECT_VERSION@:@created@",
  "creationInfo": {"created": "@created@", "creators": ["Tool: sinew-@PROJECT_VERSION@"]},
  "packages": [
    {"SPDXID": "SPDXRef-sinew", "name": "sinew", "versionInfo": "@PROJECT_VERSION@", "downloadLocation": "NOASSERTION", "filesAnalyzed": false,
     "licenseConcluded": "MIT", "licenseDeclared": "MIT", "copyrightText": "NOASSERTION"}@packages@],
  "relationships": [
    @relations@]
}
]])
install(FILES ${PROJECT_BINARY_DIR}/NOTICES ${PROJECT_BINARY_DIR}/sinew.spdx.json DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT core)
