// SPDX-License-Identifier: MIT
#pragma once

// SINEW_NO_EXCEPTIONS: this build neither throws nor catches (SINEW_EXCEPTIONS=OFF, or a compiler with -fno-exceptions). A failed
// allocation ends in the program's new-handler and does not come back. A deadline is asked only where a Result can report it.
#if !defined(__cpp_exceptions) && !defined(SINEW_NO_EXCEPTIONS)
#define SINEW_NO_EXCEPTIONS
#endif
