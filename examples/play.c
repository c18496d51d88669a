/* SPDX-License-Identifier: MIT */
/* Fades from one animation to another, holds a sword, moves by its steps, and is picked: play FIGURE */
#include <stdio.h>
#include <stdlib.h>

#include "sinew/sinew.h"

static sinew_error* error = NULL;

static void must(sinew_status status) {
  if (status == SINEW_OK) return;
  fprintf(stderr, "%s\n", error == NULL ? "no memory" : sinew_error_line(error));
  exit(1);
}

int main(int argc, char** argv) {
  sinew_model* model = NULL;
  sinew_pose* pose = NULL;
  sinew_player* player = NULL;
  sinew_deformer* deformer = NULL;
  sinew_played_clip clips[2] = {{0}, {0}};
  sinew_output output = {0};
  sinew_influences all = {0};
  sinew_ray_hit hit = {0};
  const double origin[3] = {0, 1.3, 5}, direction[3] = {0, 0, -1};
  double step[3], moved[3] = {0, 0, 0}, hand[12];
  size_t hips = 0, i, most, corner = 0, range = 0;
  int frame, found = 0;
  if (argc != 2) return fputs("usage: play FIGURE\n", stderr), 2;
  must(sinew_load(argv[1], NULL, &model, &error));
  must(sinew_model_find(model, SINEW_NODES, "Hips", &hips, &error));
  must(sinew_model_find(model, SINEW_ANIMATIONS, "Walk", &clips[0].animation, &error));
  must(sinew_pose_create(model, &pose, &error));

  /* Cross-fade: in 15 frames the walk turns into a slow one. The hips stay; their movement is the root motion. */
  clips[0].weight = 1;
  clips[0].speed = 1;
  clips[1].animation = clips[0].animation;
  clips[1].speed = 0.5;
  must(sinew_player_create(model, clips, 2, hips, &player, &error));
  for (frame = 1; frame <= 15; ++frame) {
    must(sinew_player_set_weight(player, 0, 1 - frame / 15.0, &error));
    must(sinew_player_set_weight(player, 1, frame / 15.0, &error));
    must(sinew_player_advance(player, 1.0 / 60, pose, step, &error));
    for (i = 0; i < 3; ++i) moved[i] += step[i];
  }
  printf("times: %.3f and %.3f s\n", sinew_player_seconds(player, 0), sinew_player_seconds(player, 1));
  printf("root motion: %.3f m up\n", moved[1]);

  /* A sword in the hand: draw its model with this matrix, column-major, the translation last. */
  must(sinew_player_get_socket(player, "Hand.R", hand, &error));
  printf("right hand: %.3f %.3f %.3f\n", hand[9], hand[10], hand[11]);

  /* Pick: the material of the triangle, and the bone that moves its nearest corner most. */
  must(sinew_deformer_create(model, NULL, &deformer, &error));
  output.positions = malloc(sinew_deformer_vertices(deformer) * 3 * sizeof(float));
  if (output.positions == NULL) return 1;
  must(sinew_deform(deformer, pose, &output, 0, &error));
  must(sinew_deformer_hit(deformer, output.positions, origin, direction, &hit, &found, &error));
  must(sinew_deformer_influences(deformer, &all, &error));
  if (found) {
    const sinew_triangle_range* const ranges = sinew_deformer_triangle_ranges(deformer, NULL);
    const uint32_t* const triangle = sinew_deformer_triangles(deformer, NULL) + 3 * hit.triangle;
    while (hit.triangle - ranges[range].first >= ranges[range].count) ++range;
    for (i = 1; i < 3; ++i)
      if (hit.barycentric[i] > hit.barycentric[corner]) corner = i;
    most = all.first[triangle[corner]];
    for (i = most; i < all.first[triangle[corner] + 1]; ++i)
      if (all.weights[i] > all.weights[most]) most = i;
    printf("picked: %s of %s, %.3f m away\n", sinew_model_name(model, SINEW_MATERIALS, ranges[range].material),
           sinew_model_name(model, SINEW_NODES, all.nodes[most]), hit.distance);
  }

  free(output.positions);
  sinew_deformer_free(deformer);
  sinew_player_free(player);
  sinew_pose_free(pose);
  sinew_model_free(model);
  return 0;
}
