// SPDX-License-Identifier: MIT
#pragma once

namespace app {

/// Being interrupted, terminated or left by the terminal removes unfinished outputs before the program ends as signals end it. A mapped
/// input that is shortened ends it with one line and the exit status of broken inputs. Closed pipes and full quotas become write errors.
void handle_signals();

/// Opens what is closed of standard input, output and error, in a way that fails where it was used: a file that the program opens must
/// not get the number of a standard stream and what is written to that.
void keep_standard_streams();

}  // namespace app
