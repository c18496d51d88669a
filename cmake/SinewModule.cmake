# SPDX-License-Identifier: MIT
# One static target per module, `sinew_<name>`, linked only to the modules that it may use: a use against the direction fails to link
# in that module's own tests. The library that is installed is made from the same objects.

add_library(sinew_options INTERFACE)
target_compile_features(sinew_options INTERFACE cxx_std_20)
target_compile_options(sinew_options INTERFACE -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${SINEW_WERROR}>:-Werror>)
target_include_directories(sinew_options INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>)
target_link_libraries(sinew_options INTERFACE tl::expected)

set(SINEW_MODULES "")

# sinew_module(name [DEPENDS module...] [LIBRARIES target...] [HEADER_LIBRARIES target...])
# HEADER_LIBRARIES leave no trace in what is compiled, so users of the installed library do not need them.
function(sinew_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS;LIBRARIES;HEADER_LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/${name}/*.cpp)
  list(TRANSFORM arg_DEPENDS PREPEND sinew_)
  if(sources)
    set(scope PUBLIC)
    add_library(sinew_${name} STATIC ${sources})
    set_target_properties(sinew_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    set_property(GLOBAL APPEND PROPERTY SINEW_OBJECTS $<TARGET_OBJECTS:sinew_${name}>)
  else() # headers only
    set(scope INTERFACE)
    add_library(sinew_${name} INTERFACE)
  endif()
  target_include_directories(sinew_${name} ${scope} ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(sinew_${name} ${scope} sinew_options ${arg_DEPENDS} ${arg_LIBRARIES} ${arg_HEADER_LIBRARIES})
  list(APPEND SINEW_MODULES ${name})
  set(SINEW_MODULES ${SINEW_MODULES} PARENT_SCOPE)
  set_property(GLOBAL APPEND PROPERTY SINEW_LIBRARIES ${arg_LIBRARIES})
endfunction()

# The public library of all modules, `sinew::sinew`; static or shared as BUILD_SHARED_LIBS says.
function(sinew_library)
  get_property(objects GLOBAL PROPERTY SINEW_OBJECTS)
  get_property(libraries GLOBAL PROPERTY SINEW_LIBRARIES)
  list(REMOVE_DUPLICATES libraries)
  add_library(sinew ${objects})
  add_library(sinew::sinew ALIAS sinew)
  target_compile_features(sinew PUBLIC cxx_std_20)
  target_include_directories(sinew PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
                                          $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(sinew PUBLIC tl::expected PRIVATE ${libraries})
  if(BUILD_SHARED_LIBS)
    target_link_options(sinew PRIVATE LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/cmake/sinew.map)
    set_target_properties(sinew PROPERTIES LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/sinew.map)
  else() # a C compiler that links, in a project without C++, does not add the libraries of C++ by itself
    set(runtime ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
    list(FILTER runtime INCLUDE REGEX "c\\+\\+|^m$")
    target_link_libraries(sinew INTERFACE "$<$<LINK_LANGUAGE:C>:${runtime}>")
  endif()
  # Before 1.0 every minor version may change the binary interface.
  set_target_properties(sinew PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                                         SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()
