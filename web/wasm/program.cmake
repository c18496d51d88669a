# SPDX-License-Identifier: MIT
# The commands of the program that the npm package has: program.wasm, which program.js runs in Node. Unlike sinew.wasm it has exceptions
# (src/program/exceptions.cpp) and files (src/program/host_files.cpp), and it writes.
set(program_commands info validate bounds compare optimize merge retarget explain)

file(GLOB folder ${SINEW_WASM_SOURCES}/meshoptimizer-*)
if(NOT folder)
  message(FATAL_ERROR "${SINEW_WASM_SOURCES} has no sources of meshoptimizer; scripts/wasm fetches them")
endif()
file(GLOB meshoptimizer_sources CONFIGURE_DEPENDS ${folder}/src/*.cpp)
add_library(meshoptimizer STATIC ${meshoptimizer_sources})
target_compile_definitions(meshoptimizer PRIVATE NDEBUG) # assertions hold the paths of this folder
target_compile_options(meshoptimizer PRIVATE -w -O2)
target_include_directories(meshoptimizer SYSTEM PUBLIC ${folder}/src)
set(program_headers ${CMAKE_BINARY_DIR}/program_headers)
file(MAKE_DIRECTORY ${program_headers})
foreach(name IN ITEMS CLI xxhash.h)
  find_path(found ${name} PATHS /usr/include /usr/local/include NO_CACHE NO_DEFAULT_PATH REQUIRED)
  file(CREATE_LINK ${found}/${name} ${program_headers}/${name} SYMBOLIC)
  unset(found)
endforeach()

file(GLOB_RECURSE program_sources CONFIGURE_DEPENDS
     ${root}/src/base/*.cpp ${root}/src/math/*.cpp ${root}/src/document/*.cpp ${root}/src/codecs/*.cpp ${root}/src/kernels/*.cpp ${root}/src/model/*.cpp
     ${root}/src/meshopt/*.cpp ${root}/src/g4mf/*.cpp ${root}/src/gltf/*.cpp ${root}/src/io/*.cpp ${root}/src/animate/*.cpp ${root}/src/deform/*.cpp
     ${root}/src/operations/*.cpp ${root}/src/validate/*.cpp ${root}/src/batch/*.cpp)
list(FILTER program_sources EXCLUDE REGEX "/platform_(posix|windows)\\.cpp$|/io/save/npy\\.cpp$|/operations/(extract|lift|rebind)/")
file(GLOB parts CONFIGURE_DEPENDS ${root}/app/comparison/*.cpp ${root}/app/reports/*.cpp)
list(APPEND program_sources ${parts})
foreach(name IN ITEMS main command edits interface many named_files page_output posing console/command_line console/hidden_text console/html
        console/joined console/json console/sizes console/terminal)
  list(APPEND program_sources ${root}/app/${name}.cpp)
endforeach()
foreach(name IN LISTS program_commands)
  list(APPEND program_sources ${root}/app/commands/${name}.cpp)
endforeach()
file(GLOB parts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/program/*.cpp)
list(APPEND program_sources ${parts} ${CMAKE_CURRENT_SOURCE_DIR}/src/decimal.cpp)

set(program_hot ${program_sources})
list(FILTER program_hot INCLUDE REGEX "/src/(base|codecs|math|document|kernels|deform|animate|meshopt|validate|batch|operations)/")
list(REMOVE_ITEM program_sources ${program_hot})
add_library(program_hot OBJECT ${program_hot})
target_compile_options(program_hot PRIVATE -O2)
add_executable(sinew_program ${program_sources})
target_link_libraries(sinew_program PRIVATE program_hot third_party meshoptimizer)
list(JOIN program_commands " " words)
foreach(target IN ITEMS program_hot sinew_program)
  target_compile_definitions(${target} PRIVATE SINEW_VERSION="${PROJECT_VERSION}" SINEW_ONE_THREAD SINEW_USE_DRACO SINEW_USE_ZSTD SINEW_USE_MESHOPT
    "SINEW_COMMANDS=\"${words}\"" HWY_SHARED_DEFINE NDEBUG _WASI_EMULATED_SIGNAL)
  target_compile_options(${target} PRIVATE -Wall -Wextra -fwasm-exceptions)
  target_include_directories(${target} BEFORE PRIVATE ${root}/include ${root}/src ${root}/app ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_include_directories(${target} SYSTEM PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src/program/toolchain ${CMAKE_CURRENT_SOURCE_DIR}/src/toolchain
    ${headers} ${program_headers} ${folder}/src ${libzstd_folder}/lib ${draco_folder}/src)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <bit> <cassert> <charconv> <cmath> <cstdint> <cstring> <filesystem> <functional>
    <iterator> <limits> <map> <memory> <new> <numeric> <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <vector>
    <fmt/format.h> <tl/expected.hpp> ${root}/include/sinew/document.hpp ${root}/include/sinew/model.hpp)
  target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp") # for ccache
endforeach()
foreach(source IN LISTS program_sources program_hot)
  cmake_path(GET source PARENT_PATH folder)
  string(MAKE_C_IDENTIFIER "${folder}" folder)
  set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
endforeach()
target_link_options(sinew_program PRIVATE -fwasm-exceptions -fuse-ld=lld -B/usr/lib/llvm-19/bin LINKER:--wrap=stat,--gc-sections,--strip-all,-O2
  LINKER:-z,stack-size=4194304,--stack-first,--max-memory=4294967296)
set_target_properties(sinew_program PROPERTIES OUTPUT_NAME program SUFFIX .wasm RUNTIME_OUTPUT_DIRECTORY ${package})
configure_file(src/program.js ${package}/program.js COPYONLY)
