// SPDX-License-Identifier: MIT
// Poses a model by its first animation and prints where its vertices are: deform_file FILE SECONDS
#include <cstdio>
#include <cstdlib>

#include <sinew/sinew.hpp>

static int fail(const sinew::Error& error) {
  std::fprintf(stderr, "%s\n", error.line().c_str());
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: deform_file FILE SECONDS\n", stderr), 2;

  const auto model = sinew::load(argv[1]);
  if (!model) return fail(model.error());
  auto deformer = sinew::Deformer::create(*model);  // packs the meshes, once
  if (!deformer) return fail(deformer.error());
  const auto pose = sinew::sample(*model, 0, std::atof(argv[2]));  // a clip by index or by name
  if (!pose) return fail(pose.error());
  const auto positions = deformer->positions(*pose);  // for as many poses as you like
  if (!positions) return fail(positions.error());

  for (std::size_t vertex = 0; vertex < deformer->vertices(); ++vertex) {
    const float* p = positions->data() + vertex * deformer->dimension();
    std::printf("%3zu  %7.3f %7.3f %7.3f\n", vertex, p[0], p[1], p[2]);
  }
  return 0;
}
