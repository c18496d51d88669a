// SPDX-License-Identifier: MIT
// Poses a model by its first animation and prints where its vertices are: deform_file FILE SECONDS
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "sinew/animate.hpp"
#include "sinew/deform_scene.hpp"
#include "sinew/load.hpp"

static int fail(const sinew::Error& error) {
  std::fprintf(stderr, "%s\n", error.line().c_str());
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: deform_file FILE SECONDS\n", stderr), 2;

  sinew::FindingList findings;  // everything worth saying about the file; an error alone does not stop the reading
  const auto model = sinew::io::load(argv[1], {}, findings);
  if (!model) return fail(model.error());

  // What shall be deformed, and is all of it usable?
  const std::vector<sinew::Instance> list = sinew::instances(*model);
  const sinew::Index clip = model->clips.empty() ? sinew::none : 0;
  if (const auto defect = sinew::closure_defect(*model, sinew::none, clip)) return fail(*defect);

  // Prepare once …
  auto deformer = sinew::deform::SceneDeformer::create(*model, list, {});
  if (!deformer) return fail(deformer.error());
  std::vector<float> positions(deformer->vertices() * model->dimension);

  // … and deform for as many poses as you like.
  sinew::Pose pose = model->rest;
  if (clip != sinew::none) sinew::animate::sample(*model, model->clips[clip], std::atof(argv[2]), pose);
  sinew::deform::Output out;
  out.positions = {positions.data(), deformer->vertices(), model->dimension};
  if (const auto done = deformer->run(pose, out, 0); !done) return fail(done.error());

  for (std::size_t vertex = 0; vertex < deformer->vertices(); ++vertex) {
    const float* p = out.positions[vertex];
    std::printf("%3zu  %7.3f %7.3f %7.3f\n", vertex, p[0], p[1], p[2]);
  }
  return 0;
}
