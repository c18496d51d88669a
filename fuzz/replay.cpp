// SPDX-License-Identifier: MIT
// Runs a target on files, and on mutations of them, without libFuzzer: for compilers that have none, and for the tests.
//   replay TARGET [--mutations N] [--seed N] [--keep FILE] FILE|FOLDER…     --keep: where each mutation is written before it is run
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "mutate.hpp"
#include "targets.hpp"

namespace {

namespace fs = std::filesystem;
using sinew::fuzz::Bytes;

struct Options {
  const sinew::fuzz::Target* target = nullptr;
  std::uint32_t mutations = 0;
  std::uint32_t seed = 1;
  fs::path keep;
  std::vector<fs::path> files;
};

bool parse(int count, char** arguments, Options& options) {
  if (count < 3) return false;
  options.target = sinew::fuzz::find_target(arguments[1]);
  const auto number = [&](int& i, std::uint32_t& value) {
    if (++i >= count) return false;
    const std::string_view text = arguments[i];
    return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
  };
  for (int i = 2; i < count; ++i) {
    const std::string_view text = arguments[i];
    if (text == "--mutations") {
      if (!number(i, options.mutations)) return false;
    } else if (text == "--seed") {
      if (!number(i, options.seed)) return false;
    } else if (text == "--keep") {
      if (++i >= count) return false;
      options.keep = arguments[i];
    } else if (fs::is_directory(text)) {
      for (const auto& entry : fs::recursive_directory_iterator(text))
        if (entry.is_regular_file()) options.files.push_back(entry.path());
    } else {
      options.files.emplace_back(text);
    }
  }
  std::ranges::sort(options.files);
  return options.target != nullptr;
}

Bytes read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Stores the bytes of the current run. Uses one open file, because closing a truncated file waits for the disk.
class Kept {
 public:
  explicit Kept(const fs::path& path) : file_(path.empty() ? -1 : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666)) {}
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() {
    if (file_ >= 0) ::close(file_);
  }

  bool operator()(const Bytes& bytes) const {
    return file_ < 0 || (::pwrite(file_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()) &&
                         ::ftruncate(file_, static_cast<off_t>(bytes.size())) == 0);
  }
  bool opened() const { return file_ >= 0; }

 private:
  int file_;
};

}  // namespace

int main(int count, char** arguments) {
  Options options;
  if (!parse(count, arguments, options)) {
    std::fputs("usage: replay TARGET [--mutations N] [--seed N] [--keep FILE] FILE|FOLDER...\ntargets:", stderr);
    for (const sinew::fuzz::Target& known : sinew::fuzz::targets())
      std::fprintf(stderr, " %.*s", static_cast<int>(known.name.size()), known.name.data());
    std::fputs("\n", stderr);
    return 2;
  }
  const Kept keep(options.keep);
  if (!options.keep.empty() && !keep.opened()) {
    std::fprintf(stderr, "%s: cannot be written\n", options.keep.c_str());
    return 2;
  }
  constexpr std::size_t most = 1 << 20;
  std::size_t runs = 0;
  for (const fs::path& path : options.files) {
    const Bytes original = read(path);
    sinew::fuzz::run(*options.target, original);
    ++runs;
    Bytes current = original;
    for (std::uint32_t i = 0; i < options.mutations; ++i) {
      const std::uint32_t seed = options.seed * 1000003 + i;
      if (i % 8 == 0) current = original;  // a few changes accumulate
      current = sinew::fuzz::mutated(*options.target, current, most, seed, sinew::fuzz::plain_mutator(seed));
      if (!keep(current)) {
        std::fprintf(stderr, "%s: cannot be written\n", options.keep.c_str());
        return 2;
      }
      sinew::fuzz::run(*options.target, current);
      ++runs;
    }
  }
  std::printf("%zu runs of %.*s\n", runs, static_cast<int>(options.target->name.size()), options.target->name.data());
  return options.files.empty() ? 2 : 0;
}
