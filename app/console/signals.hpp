// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <csignal>

namespace app {

/// What the program says where memory ends outside of a result.
inline constexpr const char* out_of_memory = "sinew: out of memory; raise the limit with --max-memory, if it was met [SINEW_NO_MEMORY]\n";
inline constexpr const char* out_of_time = "sinew: the time of --max-seconds is over [SINEW_DEADLINE]\n";

/// Removes unfinished outputs when the program is interrupted, terminated or loses its terminal, then ends by the signal. A mapped
/// input that becomes shorter ends the program with one line and the exit status of broken inputs. Closed pipes and full quotas become
/// write errors. The end of memory in a destructor or a thread ends the program with one line, too.
void handle_signals();

/// The process group of a child, which the same signals kill. They wait between construction and `started`.
class ChildGroup {
 public:
  ChildGroup();
  ChildGroup(const ChildGroup&) = delete;
  ChildGroup& operator=(const ChildGroup&) = delete;
  ~ChildGroup();

  /// Returns false if the program is about to end.
  [[nodiscard]] bool may_start() const;
  /// The mask of signals for the child.
  [[nodiscard]] const sigset_t& mask() const { return old_mask_; }
  /// Must be called once. 0: there is no child.
  void started(pid_t group);

 private:
  sigset_t old_mask_{};
  pid_t group_ = 0;
};

/// Forks. In the program, the same signals then go to the child first, and wait for its end, until `passed_child_ended`. One child at a
/// time.
pid_t fork_and_pass_signals();
void passed_child_ended();

/// The same signals remove this folder with all that is in it. nullptr: none. Precondition: the text lives until the next call.
void remove_when_interrupted(const char* folder);

/// Opens closed standard streams so that their use fails: otherwise a file could
/// get the number of a standard stream and receive its output.
void keep_standard_streams();

}  // namespace app
