# SPDX-License-Identifier: MIT
# Debian packages: the program, and one for each library. `make deb`; tests/package unpacks them and uses them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sinew)
set(CPACK_PACKAGE_VENDOR "The Sinew authors")
set(CPACK_PACKAGE_CONTACT "The Sinew authors <sinew@invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_COMPONENTS_ALL "")

# sinew_debian(component package section depends description)
macro(sinew_debian component package section depends description)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${PROJECT_DESCRIPTION}: ${description}")
endmacro()

set(same "(= ${PROJECT_VERSION})")
list(TRANSFORM SINEW_SWITCHED_DEBIAN PREPEND ", ")
list(JOIN SINEW_SWITCHED_DEBIAN "" switched)
list(TRANSFORM SINEW_TOOLS_DEBIAN PREPEND ", ")
list(JOIN SINEW_TOOLS_DEBIAN "" tools_switched)
sinew_debian(core libsinew-dev libdevel "libexpected-dev${switched}" # what a program needs besides the static library
  "the library
 Loads, poses and deforms glTF 2.0 and, in any dimension, G4MF. With headers, an example, and what CMake and pkg-config need.")
if(SINEW_BUILD_TOOLS)
  sinew_debian(tools libsinew-tools-dev libdevel "libsinew-dev ${same}${tools_switched}"
    "the library of tools
 Checks, writes, converts, merges, repairs and compares models.")
endif()
if(SINEW_BUILD_PICTURES)
  sinew_debian(pictures libsinew-pictures-dev libdevel
    "libsinew-tools-dev ${same}, libpng-dev, libjpeg-dev, libwebp-dev, pkg-config"
    "the library of pictures
 Draws models into files and shows them in the browser.")
endif()
if(SINEW_BUILD_PROGRAM)
  sinew_debian(program sinew graphics ""
    "the program
 Loads, validates, poses, deforms, converts, merges, repairs, compares and draws glTF 2.0 and, in any dimension, G4MF.")
endif()
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/SinewDebian.cmake)
include(CPack)
