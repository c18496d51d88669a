# SPDX-License-Identifier: MIT
# Lays out what is to be packed as Debian's policy has it: the license and the notices as `copyright` of each package, pages of the manual
# compressed. Finds the packages that the program and shared libraries need. cpack runs it.
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/sinew*.1)
foreach(page IN LISTS pages)
  execute_process(COMMAND gzip -9n ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
set(documents ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/core/usr/share/doc/sinew)
file(READ ${documents}/LICENSE license)
file(READ ${documents}/NOTICES notices)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(folder ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(WRITE ${folder}/copyright "${license}\n${notices}")
  file(COPY ${documents}/sinew.spdx.json DESTINATION ${folder})
endforeach()
file(REMOVE ${documents}/LICENSE ${documents}/NOTICES ${documents}/sinew.spdx.json)

# CPACK_DEBIAN_PACKAGE_SHLIBDEPS would start two programs for each of more than a thousand files to find these few.
set(debian ${CPACK_TOPLEVEL_DIRECTORY}/debian)
file(WRITE ${debian}/control "Source: ${CPACK_PACKAGE_NAME}\n\nPackage: ${CPACK_PACKAGE_NAME}\nArchitecture: any\n")
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(folder ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr)
  file(GLOB_RECURSE binaries ${folder}/bin/* ${folder}/lib/*.so)
  if(binaries)
    execute_process(COMMAND dpkg-shlibdeps --ignore-missing-info -O ${binaries} WORKING_DIRECTORY ${CPACK_TOPLEVEL_DIRECTORY}
                    OUTPUT_VARIABLE depends OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "^.*Depends=" "" depends "${depends}")
    string(TOUPPER ${component} upper)
    list(PREPEND CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS ${depends})
    list(JOIN CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS ", " CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS)
  endif()
endforeach()
file(REMOVE_RECURSE ${debian})
