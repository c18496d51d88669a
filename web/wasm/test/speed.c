/* SPDX-License-Identifier: MIT
 * The same measurement as speed.mjs, native, on one thread:
 *   cc -O2 -Iinclude web/wasm/test/speed.c build/release/libsinew.a LIBRARIES -o speed; ./speed MODEL…  (docs/c.md says how to link) */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sinew/sinew.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}
static int by_size(const void* a, const void* b) {
  return (*(const double*)a > *(const double*)b) - (*(const double*)a < *(const double*)b);
}
static double median(double* values, size_t count) {
  qsort(values, count, sizeof *values, by_size);
  return values[count / 2];
}

int main(int argc, char** argv) {
  for (int file = 1; file < argc; ++file) {
    sinew_model* model = NULL;
    sinew_pose* pose = NULL;
    sinew_deformer* deformer = NULL;
    double opened[9], frames[300];
    for (size_t i = 0; i < 9; ++i) {
      sinew_model_free(model);
      const double start = now();
      if (sinew_load(argv[file], NULL, &model, NULL) != SINEW_OK) return 1;
      opened[i] = now() - start;
    }
    if (sinew_deformer_create(model, NULL, &deformer, NULL) != SINEW_OK || sinew_pose_create(model, &pose, NULL) != SINEW_OK) return 1;
    const size_t vertices = sinew_deformer_vertices(deformer);
    sinew_output output = {0};
    output.positions = malloc(vertices * sinew_model_dimension(model) * sizeof(float) + 1);
    for (size_t i = 0; i < 300; ++i) {
      const double start = now();
      if (sinew_model_count(model, SINEW_ANIMATIONS) > 0) {
        sinew_pose_reset(pose, NULL);
        sinew_pose_sample(pose, 0, (double)(i % 100) / 100, NULL);
      }
      if (sinew_deform(deformer, pose, &output, 1, NULL) != SINEW_OK) return 1;
      frames[i] = now() - start;
    }
    printf("%s: %zu vertices, open %.2f ms, pose and deform %.3f ms\n", argv[file], vertices, median(opened, 9), median(frames + 100, 200));
    free(output.positions);
    sinew_deformer_free(deformer);
    sinew_pose_free(pose);
    sinew_model_free(model);
  }
  return 0;
}
