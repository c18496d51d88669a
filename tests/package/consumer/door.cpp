// SPDX-License-Identifier: MIT
// The first program of a user: the vertices of a file at a time of a clip. door FILE CLIP SECONDS
#include <cstdio>
#include <cstdlib>

#include "sinew/sinew.hpp"

namespace {

int fail(const sinew::Error& error) { return std::fprintf(stderr, "%s\n", error.line().c_str()), 1; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  auto model = sinew::load(argv[1]);
  if (!model) return fail(model.error());
  auto deformer = sinew::Deformer::create(*model);
  if (!deformer) return fail(deformer.error());
  auto pose = sinew::sample(*model, argv[2], std::atof(argv[3]));
  if (!pose) return fail(pose.error());
  auto positions = deformer->positions(*pose);
  if (!positions) return fail(positions.error());

  const float* last = positions->data() + (deformer->vertices() - 1) * deformer->dimension();
  std::printf("%zu vertices, the last at %.3f %.3f %.3f\n", deformer->vertices(), last[0], last[1], last[2]);
  return 0;
}
