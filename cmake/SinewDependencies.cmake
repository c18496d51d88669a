# SPDX-License-Identifier: MIT
# All from the distribution (scripts/setup). What users of an installed library need is in cmake/sinewConfig.cmake.in.

# sinew_headers(target file): a library that is used as headers alone.
function(sinew_headers target file)
  string(MAKE_C_IDENTIFIER "SINEW_INCLUDE_${file}" found)
  find_path(${found} ${file} REQUIRED)
  mark_as_advanced(${found})
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} INTERFACE ${${found}})
endfunction()

# For a compiler of another system, which must not see the other headers beside these.
set(SINEW_HEADERS "" CACHE PATH "Folder with the headers of libraries that are nothing else: Eigen, fmt, hwy, tl. Empty: where the system has them")
find_package(Threads REQUIRED)
if(SINEW_HEADERS)
  foreach(target IN ITEMS Eigen3::Eigen tl::expected fmt::headers hwy::headers)
    add_library(${target} INTERFACE IMPORTED)
    target_include_directories(${target} INTERFACE ${SINEW_HEADERS})
  endforeach()
else()
  if(SINEW_DIMENSIONS STREQUAL "3")
    add_library(Eigen3::Eigen INTERFACE IMPORTED)
  else()
    find_package(Eigen3 REQUIRED NO_MODULE)
  endif()
  find_package(tl-expected REQUIRED)
  sinew_headers(fmt::headers fmt/format.h) # src/base/format.cpp compiles what the headers declare
  sinew_headers(hwy::headers hwy/highway.h) # the library measures a clock when a program starts (2 ms)
endif()
target_compile_definitions(hwy::headers INTERFACE HWY_SHARED_DEFINE) # as the distribution's package says

# sinew_switch(NAME list package purpose debian pkgconfig target...): what a library can do without. The switch SINEW_<NAME> is AUTO (where
# it is installed), ON or OFF. Sets SINEW_<NAME>_LIBRARY to the first target that exists, or to nothing, and lists what users of the static
# library need then, in SINEW_<list>_…: packages of CMake and of Debian, and names for pkg-config (or -l…, where it has none).
macro(sinew_switch name list package purpose debian pkgconfig)
  set(SINEW_${name} AUTO CACHE STRING "AUTO, ON or OFF: ${purpose}")
  set_property(CACHE SINEW_${name} PROPERTY STRINGS AUTO ON OFF)
  set(SINEW_${name}_LIBRARY "")
  if("${SINEW_${name}}" STREQUAL "AUTO")
    find_package(${package} QUIET)
  elseif(SINEW_${name})
    find_package(${package} REQUIRED)
  endif()
  if(SINEW_${name} AND ${package}_FOUND)
    foreach(target IN ITEMS ${ARGN})
      if(NOT SINEW_${name}_LIBRARY AND TARGET ${target})
        set(SINEW_${name}_LIBRARY ${target})
        list(APPEND SINEW_${list}_PACKAGES ${package})
        list(APPEND SINEW_${list}_DEBIAN ${debian})
        list(APPEND SINEW_${list}_PKGCONFIG ${pkgconfig})
      endif()
    endforeach()
  endif()
endmacro()
set(draco_targets draco::draco)
if(NOT BUILD_SHARED_LIBS) # looking up the names of the shared one takes a tenth of the program's start
  list(PREPEND draco_targets draco::draco_static)
endif()
sinew_switch(DRACO SWITCHED draco "KHR_draco_mesh_compression" libdraco-dev draco ${draco_targets})
sinew_switch(ZSTD SWITCHED zstd "compressed G4MF files" libzstd-dev libzstd
             zstd::libzstd zstd::libzstd_shared zstd::libzstd_static) # the first from zstd 1.5.6 on
sinew_switch(TBB SWITCHED TBB "threads by oneTBB, otherwise by std::jthread" libtbb-dev tbb TBB::tbb)
set(SINEW_THREADS ${SINEW_TBB_LIBRARY} Threads::Threads)

if(SINEW_BUILD_TOOLS)
  sinew_headers(xxhash::xxhash xxhash.h)
  sinew_switch(ZLIB TOOLS ZLIB "PNG textures of sinew bake" zlib1g-dev zlib ZLIB::ZLIB)
  # The part in C: the one in C++ makes the start of the program slower.
  sinew_switch(OPENEXR TOOLS OpenEXR "EXR textures of sinew bake" libopenexr-dev OpenEXR OpenEXR::OpenEXRCore)
  sinew_switch(MESHOPT TOOLS meshoptimizer "order and compression of glTF by sinew optimize" libmeshoptimizer-dev -lmeshoptimizer
               meshoptimizer::meshoptimizer)
  # By pkg-config, because CMake does not know libwebp. libpng needs zlib, and so does Sinew's own writer of PNG.
  set(SINEW_IMAGES AUTO CACHE STRING "AUTO, ON or OFF: PNG, JPEG and WebP images, for textures of sinew optimize and pictures")
  set_property(CACHE SINEW_IMAGES PROPERTY STRINGS AUTO ON OFF)
  set(SINEW_IMAGES_LIBRARY "")
  set(SINEW_IMAGES_PKGCONFIG libpng libjpeg libwebp)
  set(needed QUIET)
  if(SINEW_IMAGES AND NOT "${SINEW_IMAGES}" STREQUAL "AUTO")
    set(needed REQUIRED)
    if(NOT SINEW_ZLIB_LIBRARY)
      message(FATAL_ERROR "SINEW_IMAGES=ON needs SINEW_ZLIB")
    endif()
  endif()
  if(SINEW_IMAGES AND SINEW_ZLIB_LIBRARY)
    find_package(PkgConfig ${needed})
    if(PKG_CONFIG_FOUND)
      pkg_check_modules(SINEW_CODECS ${needed} IMPORTED_TARGET ${SINEW_IMAGES_PKGCONFIG})
    endif()
  endif()
  if(SINEW_IMAGES AND TARGET PkgConfig::SINEW_CODECS)
    set(SINEW_IMAGES_LIBRARY PkgConfig::SINEW_CODECS)
    list(APPEND SINEW_TOOLS_DEBIAN libpng-dev libjpeg-dev libwebp-dev pkg-config)
    list(APPEND SINEW_TOOLS_PKGCONFIG ${SINEW_IMAGES_PKGCONFIG})
  endif()
endif()
if(SINEW_BUILD_PICTURES)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(SINEW_PICTURES REQUIRED IMPORTED_TARGET libpng libjpeg libwebp libwebpmux)
  find_package(Boost REQUIRED) # headers only
  sinew_headers(egl::headers EGL/egl.h) # the libraries are opened when drawing begins
  sinew_headers(opengl::headers GL/glcorearb.h)
endif()
