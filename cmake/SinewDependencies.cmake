# SPDX-License-Identifier: MIT
# All from the distribution (scripts/setup); cmake/sinewConfig.cmake.in repeats what users of the installed library need.
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(draco REQUIRED)
find_package(meshoptimizer REQUIRED)
find_package(tl-expected REQUIRED)
find_package(zstd REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SINEW_PICTURES REQUIRED IMPORTED_TARGET epoxy libpng libjpeg libwebp libwebpmux)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED) # used as a header alone
add_library(xxhash::xxhash INTERFACE IMPORTED)
target_include_directories(xxhash::xxhash INTERFACE ${XXHASH_INCLUDE_DIR})
find_path(HWY_INCLUDE_DIR hwy/highway.h REQUIRED) # used as headers alone: the library measures a clock when a program starts (2 ms)
add_library(hwy::headers INTERFACE IMPORTED)
target_include_directories(hwy::headers INTERFACE ${HWY_INCLUDE_DIR})
target_compile_definitions(hwy::headers INTERFACE HWY_SHARED_DEFINE) # as the distribution's package says
find_package(Boost REQUIRED) # headers only
if(NOT TARGET zstd::libzstd) # before zstd 1.5.6
  if(TARGET zstd::libzstd_shared)
    add_library(zstd::libzstd ALIAS zstd::libzstd_shared)
  else()
    add_library(zstd::libzstd ALIAS zstd::libzstd_static)
  endif()
endif()

if(SINEW_USE_TBB)
  find_package(TBB REQUIRED)
  set(SINEW_THREADS TBB::tbb Threads::Threads)
else()
  set(SINEW_THREADS Threads::Threads)
endif()
