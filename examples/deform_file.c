/* SPDX-License-Identifier: MIT */
/* Poses a model by its first animation and prints where its vertices are: deform_file FILE SECONDS */
#include <stdio.h>
#include <stdlib.h>

#include "sinew/sinew.h"

static int fail(sinew_error* error) {
  fprintf(stderr, "%s\n", sinew_error_line(error));
  sinew_error_free(error);
  return 1;
}

int main(int argc, char** argv) {
  sinew_error* error = NULL;
  sinew_model* model = NULL;
  sinew_pose* pose = NULL;
  sinew_deformer* deformer = NULL;
  if (argc != 3) return fputs("usage: deform_file FILE SECONDS\n", stderr), 2;

  if (sinew_load(argv[1], NULL, &model, &error) != SINEW_OK) return fail(error);
  if (sinew_deformer_create(model, NULL, &deformer, &error) != SINEW_OK) return fail(error);
  if (sinew_pose_create(model, &pose, &error) != SINEW_OK) return fail(error);
  if (sinew_model_count(model, SINEW_ANIMATIONS) > 0 && sinew_pose_sample(pose, 0, atof(argv[2]), &error) != SINEW_OK) return fail(error);

  /* The memory is ours; the deformer fills it, for as many poses as we like. */
  const size_t dimension = sinew_model_dimension(model), vertices = sinew_deformer_vertices(deformer);
  float* positions = calloc(vertices * dimension + 1, sizeof(float));
  sinew_output output = {0};
  output.positions = positions;
  if (positions == NULL) return fputs("no memory\n", stderr), 1;
  if (sinew_deform(deformer, pose, &output, 0, &error) != SINEW_OK) return fail(error);
  for (size_t vertex = 0; vertex < vertices && dimension >= 3; ++vertex) {
    const float* p = positions + vertex * dimension;
    printf("%3zu  %7.3f %7.3f %7.3f\n", vertex, p[0], p[1], p[2]);
  }

  free(positions);
  sinew_deformer_free(deformer);
  sinew_pose_free(pose);
  sinew_model_free(model);
  return 0;
}
