# SPDX-License-Identifier: MIT
# clang and the distribution's WASI: a C library and a C++ library for wasm32, without threads, files and exceptions.
set(CMAKE_SYSTEM_NAME Generic) # "WASI" is unknown to CMake, and nothing of it is asked for
set(CMAKE_SYSTEM_PROCESSOR wasm32)
foreach(language IN ITEMS C CXX)
  set(CMAKE_${language}_COMPILER_TARGET wasm32-wasi)
endforeach()
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
