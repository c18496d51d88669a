// SPDX-License-Identifier: MIT
// Deforms many poses, without exceptions. A line of the standard input is a pose, with tabs between its parts: FILE, the number of a clip
// or "-" for the stored pose, SECONDS, OUT. Writes the vertices as floats to OUT. Prints one line for a pose that fails.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "sinew/sinew.hpp"

namespace {

struct Request {
  std::string parts[4];  // file, clip, seconds, out

  explicit Request(const char* line) {
    for (std::size_t part = 0; *line != '\0' && *line != '\r' && *line != '\n'; ++line)
      if (*line != '\t')
        parts[part] += *line;
      else if (++part == std::size(parts))
        break;
  }
};

sinew::Result<std::vector<float>> deform(const Request& request) {
  auto model = sinew::load(request.parts[0]);
  if (!model) return sinew::Unexpected(model.error());
  auto deformer = sinew::Deformer::create(*model);
  if (!deformer) return sinew::Unexpected(deformer.error());
  if (request.parts[1] == "-") return deformer->positions(model->rest_pose);
  const auto pose =
      sinew::sample(*model, static_cast<sinew::Index>(std::atoi(request.parts[1].c_str())), std::atof(request.parts[2].c_str()));
  if (!pose) return sinew::Unexpected(pose.error());
  return deformer->positions(*pose);
}

bool write(const std::string& path, const std::vector<float>& rows) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(rows.data(), sizeof(float), rows.size(), file) == rows.size();
  return std::fclose(file) == 0 && written;
}

}  // namespace

int main() {
  char line[4096];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    const Request request(line);
    if (const auto rows = deform(request); !rows)
      std::printf("%s\n", rows.error().line().c_str());
    else if (!write(request.parts[3], *rows))
      return std::fprintf(stderr, "%s is not written\n", request.parts[3].c_str()), 1;
  }
  return 0;
}
