# SPDX-License-Identifier: MIT
# One static target per module, `sinew_<name>`, linked only to the modules that it may use: a use against the direction fails to link
# in that module's own tests. A module with a part in the core library has a target of its own for that, `sinew_<name>_core`, which links
# to nothing outside of core. The three libraries that are installed are made from the same objects.

add_library(sinew_options INTERFACE)
target_compile_features(sinew_options INTERFACE cxx_std_20)
target_compile_options(sinew_options INTERFACE -Wall -Wextra -Wconversion $<$<BOOL:${SINEW_WERROR}>:-Werror>)
if(NOT SINEW_UNITY) # where a local name may be that of a constant of another source
  target_compile_options(sinew_options INTERFACE -Wshadow)
endif()
target_include_directories(sinew_options INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>)
target_link_libraries(sinew_options INTERFACE tl::expected)

# sinew_precompile(target [owner]): compiles the headers that nearly every source includes once, in `owner` if one is given. They take half of
# the time of a cold build. With GCC alone: a source that forgets an include does not compile with clang. Not in the build of another
# project, whose options and whose compiler cache are its own.
function(sinew_precompile target)
  if(NOT (PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release"))
    return()
  elseif(ARGC EQUAL 2)
    target_precompile_headers(${target} REUSE_FROM ${ARGV1})
  else()
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <cstdio> <cstring> <filesystem> <functional>
      <iterator> <limits> <map> <memory> <numeric> <optional> <set> <span> <sstream> <string> <string_view> <tuple> <unordered_map> <unordered_set>
      <utility> <variant> <vector> <fmt/format.h> <tl/expected.hpp>)
  endif()
  target_compile_options(${target} PRIVATE -fpch-preprocess) # for ccache
endfunction()

# sinew_unite(target sources): compiles the sources of a folder as one (SINEW_UNITY), which parses their headers once instead of once each.
# A name in an unnamed namespace is therefore used once in a folder.
function(sinew_unite target sources)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE group)
    string(MAKE_C_IDENTIFIER "${group}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SINEW_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()

set(SINEW_MODULES "")

# A target of some sources of a module, whose objects go to a library.
function(sinew_part target library sources)
  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    sinew_unite(${target} "${sources}")
    set_property(GLOBAL APPEND PROPERTY SINEW_OBJECTS_${library} $<TARGET_OBJECTS:${target}>)
    if(target STREQUAL "sinew_base")
      sinew_precompile(${target})
    else()
      sinew_precompile(${target} sinew_base)
    endif()
  else() # headers only
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(${target} ${scope} sinew_options ${ARGN})
endfunction()

# sinew_module(name [TOOLS | PICTURES | CORE folder-or-file...] [DEPENDS module...] [LIBRARIES target...] [HEADER_LIBRARIES target...])
# Without a first word all of it is core; with CORE only those sources, and the rest tools.
# HEADER_LIBRARIES leave no trace in what is compiled, so users of the installed library do not need them.
function(sinew_module name)
  cmake_parse_arguments(arg "TOOLS;PICTURES" "" "CORE;DEPENDS;LIBRARIES;HEADER_LIBRARIES" ${ARGN})
  if((arg_TOOLS AND NOT SINEW_BUILD_TOOLS) OR (arg_PICTURES AND NOT SINEW_BUILD_PICTURES))
    return()
  endif()
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  set(library CORE)
  if(arg_TOOLS)
    set(library TOOLS)
  elseif(arg_PICTURES)
    set(library PICTURES)
  endif()
  set_property(GLOBAL APPEND PROPERTY SINEW_LIBRARIES_${library} ${arg_LIBRARIES})
  set(used "")
  set(used_by_core "")
  foreach(module IN LISTS arg_DEPENDS)
    if(TARGET sinew_${module})
      list(APPEND used sinew_${module})
    endif()
    if(TARGET sinew_${module}_core)
      list(APPEND used_by_core sinew_${module}_core)
    endif()
  endforeach()
  set(libraries ${arg_LIBRARIES} ${arg_HEADER_LIBRARIES})
  if(arg_CORE)
    set(core_sources "")
    foreach(part IN LISTS arg_CORE)
      set(of_part ${sources})
      list(FILTER of_part INCLUDE REGEX "^${folder}/${part}(/|$)")
      list(APPEND core_sources ${of_part})
    endforeach()
    list(REMOVE_ITEM sources ${core_sources})
    sinew_part(sinew_${name}_core CORE "${core_sources}" ${used_by_core} ${libraries})
    if(NOT SINEW_BUILD_TOOLS)
      set(sources "")
      set(used "")
    endif()
    sinew_part(sinew_${name} TOOLS "${sources}" sinew_${name}_core ${used} ${libraries})
  else()
    sinew_part(sinew_${name} ${library} "${sources}" ${used} ${libraries})
    if(library STREQUAL "CORE")
      add_library(sinew_${name}_core ALIAS sinew_${name})
    endif()
  endif()
  list(APPEND SINEW_MODULES ${name})
  set(SINEW_MODULES ${SINEW_MODULES} PARENT_SCOPE)
endfunction()

# sinew_library(NAME target exported file [library...]): a public library; static or shared as BUILD_SHARED_LIBS says.
function(sinew_library name target exported file)
  get_property(objects GLOBAL PROPERTY SINEW_OBJECTS_${name})
  get_property(libraries GLOBAL PROPERTY SINEW_LIBRARIES_${name})
  list(REMOVE_DUPLICATES libraries)
  add_library(${target} ${objects})
  add_library(sinew::${exported} ALIAS ${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC tl::expected ${ARGN} PRIVATE ${libraries})
  # Before 1.0 every minor version may change the binary interface.
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${exported} OUTPUT_NAME ${file} LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                                             SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

# The public libraries: sinew::core, sinew::tools, sinew::pictures; and sinew::sinew, all that is built.
function(sinew_libraries)
  sinew_library(CORE sinew_all_core core sinew)
  set(all sinew_all_core)
  if(SINEW_BUILD_TOOLS)
    sinew_library(TOOLS sinew_all_tools tools sinew-tools sinew_all_core)
    list(APPEND all sinew_all_tools)
  endif()
  if(SINEW_BUILD_PICTURES)
    sinew_library(PICTURES sinew_all_pictures pictures sinew-pictures sinew_all_tools)
    list(APPEND all sinew_all_pictures)
  endif()
  if(BUILD_SHARED_LIBS)
    foreach(target IN LISTS all)
      target_link_options(${target} PRIVATE LINKER:--no-undefined LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/cmake/sinew.map)
      set_target_properties(${target} PROPERTIES LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/sinew.map)
    endforeach()
  else() # a C compiler that links, in a project without C++, does not add the libraries of C++ by itself
    set(runtime ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
    list(FILTER runtime INCLUDE REGEX "c\\+\\+|^m$")
    target_link_libraries(sinew_all_core INTERFACE "$<$<LINK_LANGUAGE:C>:${runtime}>")
  endif()
  add_library(sinew INTERFACE)
  add_library(sinew::sinew ALIAS sinew)
  target_link_libraries(sinew INTERFACE ${all})
endfunction()
