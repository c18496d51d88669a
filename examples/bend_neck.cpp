// SPDX-License-Identifier: MIT
// Plays a clip, bends a bone on top of it, and prints how many vertices that gives: bend_neck FILE CLIP SECONDS BONE
#include <sinew/sinew.hpp>

#include <cstdio>
#include <cstdlib>

sinew::Result<std::vector<float>> bend(const char* file, const char* clip, double seconds, const char* bone) {
  auto model = sinew::load(file);
  if (!model) return sinew::Unexpected(model.error());
  auto pose = sinew::sample(*model, clip, seconds);
  if (!pose) return sinew::Unexpected(pose.error());
  auto bent = pose->turn(*model, bone, sinew::Quaternion::about({0, 0, 1}, 0.5));
  if (!bent) return sinew::Unexpected(bent.error());
  auto deformer = sinew::Deformer::create(*std::move(model));
  if (!deformer) return sinew::Unexpected(deformer.error());
  return deformer->positions(*pose);
}

int main(int argc, char** argv) {
  if (argc != 5) return std::fputs("usage: bend_neck FILE CLIP SECONDS BONE\n", stderr), 2;
  const auto positions = bend(argv[1], argv[2], std::atof(argv[3]), argv[4]);
  if (!positions) return std::fprintf(stderr, "%s\n", positions.error().line().c_str()), 1;
  return std::printf("%zu vertices\n", positions->size() / 3), 0;
}
