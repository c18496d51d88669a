# SPDX-License-Identifier: MIT
# Lays out what is to be packed as Debian's policy has it: the license as `copyright`, pages of the manual compressed. cpack runs it.
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/sinew*.1)
foreach(page IN LISTS pages)
  execute_process(COMMAND gzip -9n ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB_RECURSE license ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/LICENSE)
get_filename_component(folder ${license} DIRECTORY)
file(RENAME ${license} ${folder}/copyright)
