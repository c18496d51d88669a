# SPDX-License-Identifier: MIT
# All from the distribution (scripts/setup); some packages there come without CMake files, so those are found by hand.
include(FindPackageHandleStandardArgs)

find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(draco REQUIRED)
find_package(meshoptimizer REQUIRED)
find_package(Threads REQUIRED)
find_path(SINEW_EXPECTED_INCLUDE_DIR tl/expected.hpp REQUIRED)

if(SINEW_USE_TBB)
  find_package(TBB REQUIRED)
  set(SINEW_THREADS TBB::tbb Threads::Threads)
else()
  set(SINEW_THREADS Threads::Threads)
endif()
