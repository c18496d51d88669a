// SPDX-License-Identifier: MIT
#include "conformance/engine.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <system_error>
#include <thread>

#include "console/need.hpp"
#include "console/signals.hpp"

#include "sinew/batch.hpp"
#include "sinew/sinew.hpp"

namespace app {

namespace {

namespace fs = std::filesystem;
using State = ConformanceResult::State;

/// A folder for temporary files, removed at the end, by a signal as well.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "sinew-conformance-XXXXXX").string();
    if (!failed && mkdtemp(name.data()) != nullptr) path_ = name;
    if (!path_.empty()) remove_when_interrupted(path_.c_str());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
    remove_when_interrupted(nullptr);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }  ///< empty if it could not be made

 private:
  fs::path path_;
};

/// One call's part of a case.
struct Job {
  std::size_t in_case = 0;
  std::size_t moment = 0;
};

sinew::Result<Numbers> deform_with_sinew(const ConformanceCase& wanted, std::size_t index, const sinew::Model& model,
                                         sinew::Deformer& deformer) {
  const ConformanceCase::Moment& moment = wanted.moments[index];
  auto pose = moment.clip ? sinew::sample(model, *moment.clip, moment.seconds) : sinew::Result<sinew::Pose>(model.rest());
  if (!pose) return sinew::Unexpected(pose.error());
  const std::size_t width = wanted.attribute == "tangent" ? 4 : deformer.dimension();
  std::vector<float> values(deformer.vertices() * width);
  const sinew::strided_view<float> rows(values.data(), deformer.vertices(), width);
  sinew::deform::Output out;
  (wanted.attribute == "position" ? out.positions : wanted.attribute == "normal" ? out.normals : out.tangents) = rows;
  if (auto done = deformer.run(*pose, out, 1); !done) return sinew::Unexpected(done.error());
  return Numbers{{deformer.vertices(), width}, {values.begin(), values.end()}};
}

ConformanceResult run_case(const ConformanceCase& wanted, const Common& common) {
  ConformanceResult result;
  const auto failed = [&](const sinew::Error& error) { return ConformanceResult{State::failed, std::nullopt, error.message}; };
  sinew::FindingList findings;
  auto model = sinew::io::load(wanted.model, common.load_options(), findings);
  if (!model) return failed(model.error());
  auto deformer = sinew::Deformer::create(*model, {.normals = sinew::Normals::stored, .tangents = wanted.attribute == "tangent"});
  if (!deformer) return failed(deformer.error());
  for (std::size_t moment = 0; moment < wanted.moments.size(); ++moment)
    compare_rows(wanted, moment, deform_with_sinew(wanted, moment, *model, *deformer), result);
  return result;
}

/// Waits until a child ends and returns its status. After `seconds`, kills its process group and returns nothing.
std::optional<int> wait_for(pid_t child, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  int status = 1 << 8;  // of a child that nothing is known of
  for (auto pause = std::chrono::microseconds(200);; pause = std::min(pause * 2, std::chrono::microseconds(20'000))) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return status;
    if (Clock::now() >= end) break;
    std::this_thread::sleep_for(pause);
  }
  ::kill(-child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return std::nullopt;
}

/// Returns the first or the last bytes of a file; nothing of a pipe or a device.
std::string part_of(const fs::path& file, bool end) {
  constexpr std::streamoff most = 2000;
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) return {};
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const std::streamoff size = in.tellg(), count = std::clamp<std::streamoff>(size, 0, most);
  std::string text(static_cast<std::size_t>(count), ' ');
  in.seekg(end ? size - count : 0);
  return in.read(text.data(), count) ? text : std::string();
}

/// Returns the last line of a file that is not empty.
std::string last_line(const fs::path& file) {
  std::string text = part_of(file, true);
  text.erase(std::min(text.find_last_not_of('\n') + 1, text.size()));
  return text.substr(text.rfind('\n') + 1);
}

/// Runs `command "$@"` in the shell, in a process group of its own, and waits for it. Its standard output goes to /dev/null, its messages
/// to `messages`. Returns why it failed; empty if it did not.
std::string run_shell(const std::string& command, const std::vector<std::string>& arguments, double seconds, const fs::path& messages) {
  std::vector<std::string> words = {"sh", "-c", command + " \"$@\"", "sh"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  ChildGroup group;
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &group.mask());
  pid_t child = 0;
  const int failed = group.may_start() ? posix_spawn(&child, "/bin/sh", &actions, &attributes, pointers.data(), environ) : EINTR;
  group.started(failed == 0 ? child : 0);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return std::strerror(failed);
  const auto status = wait_for(child, seconds);
  if (!status) return fmt::format("no end after {:g} s (--timeout is for each pose)", seconds);
  if (WIFEXITED(*status) && WEXITSTATUS(*status) == 0) return {};
  const std::string how =
      WIFSIGNALED(*status) ? fmt::format("ended by signal {}", WTERMSIG(*status)) : fmt::format("exit status {}", WEXITSTATUS(*status));
  const std::string last = last_line(messages);
  return last.empty() ? how : fmt::format("{}: {}", how, last);
}

/// Reads what an adapter wrote for a job.
void read_output(const ConformanceCase& wanted, std::size_t moment, const fs::path& output, ConformanceResult& result) {
  std::error_code unknown;
  if (fs::is_regular_file(output, unknown)) return compare_rows(wanted, moment, read_npy(output, std::size_t{1} << 26), result);
  std::string reason = part_of(output.string() + ".txt", false);
  reason.erase(std::min(reason.find('\n'), reason.size()));
  if (moment > 0 && !result.error) return;
  const bool covered = !reason.starts_with("unsupported");
  result = {covered ? State::failed : State::not_covered, std::nullopt, reason.empty() ? "no output" : reason};
}

}  // namespace

std::vector<ConformanceResult> run_sinew(std::span<const ConformanceCase> cases, const Common& common) {
  std::vector<ConformanceResult> results(cases.size());
  Progress progress(common.terminal, "conformance", cases.size());
  need(sinew::batch::in_order(
      cases.size(), common.threads, [&](std::size_t i) { results[i] = run_case(cases[i], common); },
      [&](std::size_t i) { progress.step(i + 1); }));
  return results;
}

sinew::Result<std::vector<ConformanceResult>> run_adapter(const Adapter& adapter, std::span<const ConformanceCase> cases,
                                                          const Common& common) {
  const TemporaryFolder folder;
  if (folder.path().empty())
    return sinew::Unexpected(sinew::Error{sinew::Failure::output, "IO_ERROR", {}, "a temporary folder could not be made"});
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (std::size_t moment = 0; moment < cases[i].moments.size(); ++moment) jobs.push_back({i, moment});
  const auto output_of = [&](std::size_t job) { return folder.path() / fmt::format("{}.npy", job); };
  const std::size_t batch = adapter.batch, calls = (jobs.size() + batch - 1) / batch;
  std::vector<std::string> failures(calls);
  {
    Progress progress(common.terminal, "conformance", jobs.size());
    const auto call = [&](std::size_t i) {
      std::vector<std::string> arguments;
      for (std::size_t job = i * batch; job < std::min(jobs.size(), (i + 1) * batch); ++job) {
        const ConformanceCase& wanted = cases[jobs[job].in_case];
        const ConformanceCase::Moment& moment = wanted.moments[jobs[job].moment];
        for (std::string word : {wanted.model.string(), moment.clip ? std::to_string(*moment.clip) : std::string("-"),
                                 fmt::format("{}", moment.seconds), wanted.attribute, output_of(job).string()})
          arguments.push_back(std::move(word));
      }
      const double seconds = adapter.seconds * static_cast<double>(std::min(batch, jobs.size() - i * batch));
      failures[i] = run_shell(adapter.command, arguments, seconds, folder.path() / fmt::format("{}.err", i));
    };
    need(
        sinew::batch::in_order(calls, common.threads, call, [&](std::size_t i) { progress.step(std::min(jobs.size(), (i + 1) * batch)); }));
  }
  const auto failed = [](const std::string& failure) { return !failure.empty(); };
  if (const auto first = std::ranges::find_if(failures, failed); first != failures.end())
    common.terminal.warn(fmt::format("{}: {} of {} calls failed, the first with {}", adapter.command,
                                     std::ranges::count_if(failures, failed), calls, *first));
  std::vector<ConformanceResult> results(cases.size());
  for (std::size_t job = 0; job < jobs.size(); ++job)
    read_output(cases[jobs[job].in_case], jobs[job].moment, output_of(job), results[jobs[job].in_case]);
  return results;
}

}  // namespace app
