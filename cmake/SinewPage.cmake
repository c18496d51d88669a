# SPDX-License-Identifier: MIT
# The page of `sinew view`: web/view, built by npm into one file that the program carries (SINEW_PAGE_SOURCE). Where there is no npm, or
# it cannot reach its registry, the build says so and goes on with an empty page; the next build tries again.
#
# This file is included by the build, and run by it as a script: cmake -D from=… -D to=… -P SinewPage.cmake
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(page_from ${PROJECT_SOURCE_DIR}/web/view)
  set(page_to ${PROJECT_BINARY_DIR}/web/view)
  set(SINEW_PAGE_SOURCE ${page_to}/page.cpp)
  file(GLOB page_sources CONFIGURE_DEPENDS ${page_from}/*.json ${page_from}/*.html ${page_from}/*.mjs ${page_from}/*.ts ${page_from}/src/*)
  # page.built appears with a page that is not empty: while it is missing, every build tries again.
  add_custom_command(OUTPUT ${SINEW_PAGE_SOURCE} ${page_to}/page.built
                     COMMAND ${CMAKE_COMMAND} -D from=${page_from} -D to=${page_to} -P ${CMAKE_CURRENT_LIST_FILE}
                     DEPENDS ${page_sources} ${CMAKE_CURRENT_LIST_FILE}
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

find_program(npm npm)
file(MAKE_DIRECTORY ${to})
set(failed "npm is not there")
if(npm)
  file(COPY ${from}/ DESTINATION ${to} PATTERN node_modules EXCLUDE PATTERN dist EXCLUDE)
  set(failed "")
  if(NOT EXISTS ${to}/node_modules/.package-lock.json OR ${to}/package-lock.json IS_NEWER_THAN ${to}/node_modules/.package-lock.json)
    sinew_npm(failed ci --no-audit --no-fund --ignore-scripts --fetch-retries=1)
    file(TOUCH_NOCREATE ${to}/node_modules/.package-lock.json)
  endif()
  if(NOT failed)
    sinew_npm(failed run build)
  endif()
endif()

if(failed)
  string(REGEX REPLACE "npm warn [^\n]*\n" "" failed "${failed}")
  string(REGEX REPLACE "\n.*" "" failed "${failed}")
  message("sinew view will have no page, and say so: ${failed}")
  file(CONFIGURE OUTPUT ${to}/page.cpp CONTENT "#include \"page.hpp\"\n\nconst std::string_view app::page;\n")
else()
  file(COPY_FILE ${to}/dist/page.cpp ${to}/page.cpp ONLY_IF_DIFFERENT)
  file(TOUCH ${to}/page.built)
endif()
