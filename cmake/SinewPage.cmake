# SPDX-License-Identifier: MIT
# The page of `sinew view`: web/view, built by npm into one file that the program carries (SINEW_PAGE_SOURCE). Where there is no npm, or
# it cannot reach its registry, the build says so and goes on with an empty page; the next build tries again. SINEW_PAGE_MODULE adds the
# library as a WebAssembly module (web/wasm), with which exported pages move. It takes minutes, and is built again after most changes.
#
# This file is included by the build, and run by it as a script: cmake -D root=… -D to=… -D module=… -P SinewPage.cmake
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(page_from ${PROJECT_SOURCE_DIR}/web/view)
  set(page_to ${PROJECT_BINARY_DIR}/web/view)
  set(SINEW_PAGE_SOURCE ${page_to}/page.cpp)
  file(GLOB page_sources CONFIGURE_DEPENDS ${page_from}/*.json ${page_from}/*.html ${page_from}/*.mjs ${page_from}/*.ts ${page_from}/src/*)
  option(SINEW_PAGE_MODULE "Build the WebAssembly module with which pages of sinew view --export move" OFF)
  set(module_sources "")
  if(SINEW_PAGE_MODULE)
    file(GLOB_RECURSE module_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.?pp ${PROJECT_SOURCE_DIR}/src/*.inc
         ${PROJECT_SOURCE_DIR}/include/*.hpp ${PROJECT_SOURCE_DIR}/web/wasm/*.cpp ${PROJECT_SOURCE_DIR}/web/wasm/*.cmake
         ${PROJECT_SOURCE_DIR}/web/wasm/src/toolchain/* ${PROJECT_SOURCE_DIR}/web/wasm/CMakeLists.txt)
  endif()
  # page.built appears with a page that has all that was asked for: while it is missing, every build tries again.
  add_custom_command(OUTPUT ${SINEW_PAGE_SOURCE} ${page_to}/page.built
                     COMMAND ${CMAKE_COMMAND} -D root=${PROJECT_SOURCE_DIR} -D to=${page_to} -D module=${SINEW_PAGE_MODULE}
                             -P ${CMAKE_CURRENT_LIST_FILE}
                     DEPENDS ${page_sources} ${module_sources} ${CMAKE_CURRENT_LIST_FILE}
                     COMMENT "The page of sinew view" VERBATIM)
  return()
endif()

function(sinew_npm result)
  execute_process(COMMAND ${npm} ${ARGN} WORKING_DIRECTORY ${to} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(status EQUAL 0)
    set(${result} "" PARENT_SCOPE)
  else()
    string(STRIP "${said}" said)
    set(${result} "npm ${ARGV1}: ${said}" PARENT_SCOPE)
  endif()
endfunction()

# The module: what the compiler objects to ends the build; only a missing compiler does not.
function(sinew_page_module result)
  find_program(clang clang++-19)
  find_program(linker wasm-ld-19)
  set(library "")
  if(clang AND linker)
    execute_process(COMMAND ${clang} --target=wasm32-wasi -print-file-name=libc++.a OUTPUT_VARIABLE library OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  if(NOT EXISTS "${library}")
    set(${result} "clang 19 for WebAssembly is not there" PARENT_SCOPE)
    return()
  endif()
  foreach(step IN ITEMS "-S;${root}/web/wasm;-B;${to}/../module;-G;Ninja;--toolchain;wasi.cmake;-DSINEW_WASM_PAGE=ON" "--build;${to}/../module")
    execute_process(COMMAND ${CMAKE_COMMAND} ${step} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "${said}")
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

set(from ${root}/web/view)
find_program(npm npm)
file(MAKE_DIRECTORY ${to})
set(failed "npm is not there")
set(wasm "")
if(module AND npm)
  sinew_page_module(lacking)
  if(lacking)
    message("Exported pages will show one pose, and say so: ${lacking}")
  else()
    set(wasm ../module/page.wasm)
  endif()
endif()
if(npm)
  set(failed "")
  file(COPY ${from}/ DESTINATION ${to} PATTERN node_modules EXCLUDE PATTERN dist EXCLUDE)
  if(NOT EXISTS ${to}/node_modules/.package-lock.json OR ${to}/package-lock.json IS_NEWER_THAN ${to}/node_modules/.package-lock.json)
    sinew_npm(failed ci --no-audit --no-fund --ignore-scripts --fetch-retries=1)
    file(TOUCH_NOCREATE ${to}/node_modules/.package-lock.json)
  endif()
  if(NOT failed)
    sinew_npm(failed run build -- ${wasm})
  endif()
endif()

if(failed)
  string(REGEX REPLACE "npm warn [^\n]*\n" "" failed "${failed}")
  string(REGEX REPLACE "\n.*" "" failed "${failed}")
  message("sinew view will have no page, and say so: ${failed}")
  file(CONFIGURE OUTPUT ${to}/page.cpp CONTENT
       "#include \"page.hpp\"\n\nconst std::string_view app::page;\nconst std::string_view app::page_module;\n")
else()
  file(COPY_FILE ${to}/dist/page.cpp ${to}/page.cpp ONLY_IF_DIFFERENT)
  if(NOT lacking)
    file(TOUCH ${to}/page.built)
  endif()
endif()
