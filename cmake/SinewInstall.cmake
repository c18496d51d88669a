# SPDX-License-Identifier: MIT
# The libraries for find_package(sinew) and for pkg-config. tests/package installs them and uses them both ways.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

# A static library asks its user for the libraries below it; a shared one has found them already.
set(SINEW_IS_STATIC ON)
if(BUILD_SHARED_LIBS)
  set(SINEW_IS_STATIC OFF)
endif()

# The prefix is told from where the file lies, so that an installed tree can be moved.
file(RELATIVE_PATH SINEW_PREFIX_FROM_PC "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")

# sinew_install(library description requires requires_private libs_private)
function(sinew_install library description requires requires_private libs_private)
  set(name sinew)
  if(NOT library STREQUAL "core")
    set(name sinew-${library})
  endif()
  install(TARGETS sinew_all_${library} EXPORT sinew_${library} COMPONENT ${library})
  install(EXPORT sinew_${library} NAMESPACE sinew:: FILE sinew-${library}.cmake DESTINATION ${package_dir} COMPONENT ${library})
  set(SINEW_PC_NAME ${name})
  set(SINEW_PC_DESCRIPTION ${description})
  set(SINEW_PC_REQUIRES ${requires})
  set(SINEW_PC_REQUIRES_PRIVATE ${requires_private})
  set(SINEW_PC_LIBS_PRIVATE ${libs_private})
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sinew.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${library})
endfunction()

# Sets `requires` to the names for pkg-config and `libraries` to the options of the linker.
macro(sinew_requirements)
  set(requires ${ARGN})
  set(libraries ${ARGN})
  list(FILTER requires EXCLUDE REGEX "^-")
  list(FILTER libraries INCLUDE REGEX "^-")
  list(JOIN requires " " requires)
  list(JOIN libraries " " libraries)
endmacro()
sinew_requirements(${SINEW_SWITCHED_PKGCONFIG} -lstdc++ -lm -pthread)
sinew_install(core "${PROJECT_DESCRIPTION}: load, pose, deform" "" "${requires}" "${libraries}")
if(SINEW_BUILD_TOOLS)
  sinew_requirements(${SINEW_TOOLS_PKGCONFIG})
  sinew_install(tools "${PROJECT_DESCRIPTION}: check, write, convert, merge, repair, compare" sinew "${requires}" "${libraries}")
endif()
if(SINEW_BUILD_PICTURES)
  sinew_install(pictures "${PROJECT_DESCRIPTION}: render, view" sinew-tools "libpng libjpeg libwebp libwebpmux" "")
endif()

if(SINEW_BUILD_PROGRAM)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/conformance/cases DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/conformance COMPONENT program)
  install(FILES ${PROJECT_SOURCE_DIR}/conformance/README.md ${PROJECT_SOURCE_DIR}/conformance/LICENSE ${PROJECT_SOURCE_DIR}/conformance/check.py
          DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/conformance COMPONENT program)
endif()

list(JOIN SINEW_IMAGES_PKGCONFIG " " SINEW_IMAGES_PKGCONFIG_WORDS)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/sinewConfig.cmake.in ${PROJECT_BINARY_DIR}/sinewConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinewConfig.cmake ${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake DESTINATION ${package_dir} COMPONENT core)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT core FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT core)
install(FILES ${PROJECT_SOURCE_DIR}/examples/installed/CMakeLists.txt ${PROJECT_SOURCE_DIR}/examples/deform_file.cpp
              ${PROJECT_SOURCE_DIR}/examples/deform_file.c ${PROJECT_SOURCE_DIR}/samples/gltf/simple_skin.gltf
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT core)
