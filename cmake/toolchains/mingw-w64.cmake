# SPDX-License-Identifier: MIT
# Windows programs with GCC on Linux: cmake --toolchain cmake/toolchains/mingw-w64.cmake. The ones with threads of POSIX, which std::thread needs.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# The compiler's own libraries are in the program: Windows does not have them.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
find_program(wine wine64 PATHS /usr/lib/wine NO_CMAKE_FIND_ROOT_PATH)
if(wine)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${wine})
endif()
