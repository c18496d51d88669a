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

find_package(simdjson REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(tl-expected REQUIRED)
find_package(Threads REQUIRED)
sinew_headers(fmt::headers fmt/format.h) # src/base/format.cpp compiles what the headers declare
sinew_headers(hwy::headers hwy/highway.h) # the library measures a clock when a program starts (2 ms)
target_compile_definitions(hwy::headers INTERFACE HWY_SHARED_DEFINE) # as the distribution's package says

# sinew_switch(NAME package target): sets SINEW_<NAME>_LIBRARY to the target, or to nothing, by the switch SINEW_<NAME>.
macro(sinew_switch name package)
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
      endif()
    endforeach()
  endif()
endmacro()
if(BUILD_SHARED_LIBS)
  sinew_switch(DRACO draco draco::draco)
else() # the static one: looking up the names of the shared one takes a tenth of the program's start
  sinew_switch(DRACO draco draco::draco_static draco::draco)
endif()
sinew_switch(MESHOPT meshoptimizer meshoptimizer::meshoptimizer)
sinew_switch(ZSTD zstd zstd::libzstd zstd::libzstd_shared zstd::libzstd_static) # the first from zstd 1.5.6 on
sinew_switch(TBB TBB TBB::tbb)
set(SINEW_THREADS ${SINEW_TBB_LIBRARY} Threads::Threads)

if(SINEW_BUILD_TOOLS)
  sinew_headers(xxhash::xxhash xxhash.h)
endif()
if(SINEW_BUILD_PICTURES)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(SINEW_PICTURES REQUIRED IMPORTED_TARGET epoxy libpng libjpeg libwebp libwebpmux)
  find_package(Boost REQUIRED) # headers only
endif()
