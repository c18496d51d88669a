# SPDX-License-Identifier: MIT
# The library for find_package(sinew) and for pkg-config. tests/package installs it and uses it both ways.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

install(TARGETS sinew EXPORT sinewTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(EXPORT sinewTargets NAMESPACE sinew:: DESTINATION ${package_dir})

# A static library asks its user for the libraries below it; a shared one has found them already.
get_target_property(library_type sinew TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(SINEW_IS_STATIC ON)
else()
  set(SINEW_IS_STATIC OFF)
endif()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/sinewConfig.cmake.in ${PROJECT_BINARY_DIR}/sinewConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinewConfig.cmake ${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake DESTINATION ${package_dir})

# The prefix is told from where the file lies, so that an installed tree can be moved.
file(RELATIVE_PATH SINEW_PREFIX_FROM_PC "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
if(SINEW_USE_TBB)
  set(SINEW_PC_THREADS tbb)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/sinew.pc.in ${PROJECT_BINARY_DIR}/sinew.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/examples/installed/CMakeLists.txt ${PROJECT_SOURCE_DIR}/examples/deform_file.cpp
              ${PROJECT_SOURCE_DIR}/examples/deform_file.c ${PROJECT_SOURCE_DIR}/samples/gltf/simple_skin.gltf
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
