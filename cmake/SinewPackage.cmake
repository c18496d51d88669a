# SPDX-License-Identifier: MIT
# A Debian package of all that is installed: `make deb`. tests/package unpacks it and uses it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sinew)
set(CPACK_PACKAGE_VENDOR "The Sinew authors")
set(CPACK_PACKAGE_CONTACT "The Sinew authors <sinew@invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "program and library for ${PROJECT_DESCRIPTION}")
string(REGEX REPLACE "for R" "for r" CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CPACK_PACKAGE_DESCRIPTION_SUMMARY}")
set(CPACK_PACKAGE_DESCRIPTION "Reads, poses, deforms, checks and converts rigged meshes: glTF 2.0 and, in any dimension, G4MF.
 The program sinew, the C++ library with its headers, and what CMake and pkg-config need to find it.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What a program that is linked with the library needs besides it.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "libexpected-dev, libfmt-dev, libsimdjson-dev, libdraco-dev, libmeshoptimizer-dev, libzstd-dev, libtbb-dev, libepoxy-dev, \
libpng-dev, libjpeg-dev, libwebp-dev, pkg-config")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/SinewDebian.cmake)
include(CPack)
