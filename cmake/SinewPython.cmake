# SPDX-License-Identifier: MIT
# SINEW_PYTHON: a Python 3 that can import numpy; not set where there is none. The first `python3` on PATH need not be the one that the
# distribution's numpy belongs to.
if(NOT SINEW_PYTHON)
  find_program(SINEW_PYTHON_ON_PATH python3)
  mark_as_advanced(SINEW_PYTHON_ON_PATH)
  foreach(candidate IN ITEMS ${SINEW_PYTHON_ON_PATH} /usr/bin/python3 /usr/local/bin/python3 /opt/homebrew/bin/python3)
    execute_process(COMMAND ${candidate} -c "import numpy" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
      set(SINEW_PYTHON ${candidate} CACHE FILEPATH "A Python 3 with numpy, for the tests")
      break()
    endif()
  endforeach()
endif()
