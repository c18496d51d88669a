# SPDX-License-Identifier: MIT
# Lays out what is to be packed as Debian's policy has it: the license as `copyright` of each package, pages of the manual compressed. cpack runs it.
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/sinew*.1)
foreach(page IN LISTS pages)
  execute_process(COMMAND gzip -9n ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB_RECURSE license ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/LICENSE)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(folder ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(COPY ${license} DESTINATION ${folder})
  file(RENAME ${folder}/LICENSE ${folder}/copyright)
endforeach()
file(REMOVE ${license})
