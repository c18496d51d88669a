/* SPDX-License-Identifier: MIT
 * The capabilities of capabilities.json in C: capabilities FILE NODE SHAPE, as capabilities.cpp. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/sinew.h"

static sinew_error* error = NULL;

/* A call that must work. */
static void must(sinew_status status) {
  if (status == SINEW_OK) return;
  fprintf(stderr, "%s\n", error == NULL ? "no memory" : sinew_error_line(error));
  exit(1);
}

static void* room(size_t count, size_t size) {
  void* const memory = calloc(count + 1, size);
  if (memory == NULL) exit(1);
  return memory;
}

static void say(const char* id, const double* numbers, size_t count) {
  size_t i;
  printf("%s", id);
  for (i = 0; i < count; ++i) printf(" %.9g", numbers[i]);
  printf("\n");
}

static void say_floats(const char* id, const float* numbers, size_t count) {
  size_t i;
  printf("%s", id);
  for (i = 0; i < count; ++i) printf(" %.9g", (double)numbers[i]);
  printf("\n");
}

static size_t n = 3, nodes = 0, rotor_size = 4;
static double turn[1 << 15]; /* a rotor of up to 16 dimensions */

static void say_worlds(const char* id, const sinew_pose* pose) {
  double* const all = room(nodes * n * (n + 1), sizeof(double));
  must(sinew_pose_get_world(pose, all, &error));
  say(id, all, nodes * n * (n + 1));
  free(all);
}

static void say_positions(const char* id, sinew_deformer* deformer, const sinew_pose* pose) {
  const size_t count = sinew_deformer_vertices(deformer) * n;
  sinew_output output = {0};
  output.positions = room(count, sizeof(float));
  must(sinew_deform(deformer, pose, &output, 1, &error));
  say_floats(id, output.positions, count);
  free(output.positions);
}

static void find(const sinew_model* model, const char* node) {
  const char* const clip = sinew_model_name(model, SINEW_ANIMATIONS, 0);
  size_t indices[2];
  double numbers[2];
  must(sinew_model_find(model, SINEW_NODES, node, &indices[0], &error));
  must(sinew_model_find(model, SINEW_ANIMATIONS, clip[0] == '\0' ? "0" : clip, &indices[1], &error));
  numbers[0] = (double)indices[0];
  numbers[1] = (double)indices[1];
  say("find", numbers, 2);
}

static void poses(const sinew_model* model, const sinew_pose* pose, sinew_deformer* deformer, const char* node, const char* shape) {
  sinew_pose* rest = NULL;
  must(sinew_pose_create(model, &rest, &error));
  if (sinew_model_count(model, SINEW_ANIMATIONS) > 0) {
    find(model, node);
    say_worlds("sample", pose);
  }
  say_worlds("world", rest);
  must(sinew_pose_turn(rest, node, turn, rotor_size, &error));
  say_worlds("turn", rest);
  must(sinew_pose_reset(rest, &error));
  if (strcmp(shape, "-") != 0) {
    must(sinew_pose_blend(rest, shape, 0.3, &error));
    say_positions("blend", deformer, rest);
  }
  sinew_pose_free(rest);
}

static void channels(const sinew_model* model, const sinew_pose* pose) {
  int normals;
  for (normals = SINEW_NORMALS_STORED; normals <= SINEW_NORMALS_COMPUTED; ++normals) {
    sinew_deformer_options options = {0};
    sinew_deformer* deformer = NULL;
    sinew_output output = {0};
    size_t rows;
    options.normals = normals;
    options.tangents = 1;
    must(sinew_deformer_create(model, &options, &deformer, &error));
    rows = sinew_deformer_vertices(deformer);
    output.normals = room(rows * n, sizeof(float));
    output.tangents = room(rows * 4, sizeof(float));
    must(sinew_deform(deformer, pose, &output, 1, &error));
    say_floats(normals == SINEW_NORMALS_STORED ? "stored_normals" : "computed_normals", output.normals, rows * n);
    if (normals == SINEW_NORMALS_STORED && n == 3) say_floats("tangents", output.tangents, rows * 4);
    free(output.normals);
    free(output.tangents);
    sinew_deformer_free(deformer);
  }
}

static void pick(const sinew_deformer* deformer, const float* positions, const uint32_t* triangles, size_t count) {
  const size_t t = count / 6;
  const double direction[3] = {0, 0, -1};
  double origin[3] = {0, 0, 0}, numbers[6] = {-1};
  sinew_ray_hit hit;
  int found = 0;
  size_t k, c;
  for (k = 0; k < 3; ++k)
    for (c = 0; c < 3; ++c) origin[c] += (double)positions[3 * triangles[3 * t + k] + c] / 3;
  origin[2] += 10;
  must(sinew_deformer_hit(deformer, positions, origin, direction, &hit, &found, &error));
  if (found) {
    numbers[0] = (double)hit.instance;
    numbers[1] = (double)hit.triangle;
    memcpy(numbers + 2, hit.barycentric, sizeof hit.barycentric);
    numbers[5] = hit.distance;
  }
  say("hit", numbers, found ? 6 : 1);
}

static void parts(sinew_deformer* deformer, const sinew_pose* pose) {
  const size_t rows = sinew_deformer_vertices(deformer);
  const size_t box_numbers = nodes * 2 * n;
  size_t count = 0, range_count = 0, i, entries;
  const uint32_t* const triangles = sinew_deformer_triangles(deformer, &count);
  const sinew_triangle_range* const ranges = sinew_deformer_triangle_ranges(deformer, &range_count);
  float *const coordinates = room(2 * rows, sizeof(float)), *const boxes = room(box_numbers, sizeof(float));
  sinew_output output = {0};
  sinew_influences all = {0};
  output.positions = room(rows * n, sizeof(float));
  must(sinew_deform(deformer, pose, &output, 1, &error));
  say_floats("positions", output.positions, rows * n);
  printf("triangles");
  for (i = 0; i < count; ++i) printf(" %lu", (unsigned long)triangles[i]);
  printf("\nranges");
  for (i = 0; i < range_count; ++i)
    printf(" %lu %lu %lu %lu %ld", (unsigned long)ranges[i].first, (unsigned long)ranges[i].count, (unsigned long)ranges[i].instance,
           (unsigned long)ranges[i].surface, ranges[i].material == SINEW_NONE ? -1L : (long)ranges[i].material);
  printf("\n");
  if (sinew_deformer_texture_coordinates(deformer, pose, 0, coordinates, NULL) == SINEW_OK)
    say_floats("texture_coordinates", coordinates, 2 * rows);
  must(sinew_deformer_influences(deformer, &all, &error));
  entries = all.first[rows];
  printf("influences");
  for (i = 0; i <= rows; ++i) printf(" %lu", (unsigned long)all.first[i]);
  for (i = 0; i < entries; ++i) printf(" %lu", (unsigned long)all.nodes[i]);
  for (i = 0; i < entries; ++i) printf(" %.9g", (double)all.weights[i]);
  printf("\n");
  must(sinew_deformer_bone_boxes(deformer, output.positions, 0.25, boxes, &error));
  say_floats("boxes", boxes, box_numbers);
  if (n == 3 && count > 0) pick(deformer, output.positions, triangles, count);
  free(coordinates);
  free(boxes);
  free(output.positions);
}

static void looks(const sinew_model* model) {
  const size_t count = sinew_model_count(model, SINEW_MATERIALS);
  double *const numbers = room(24 * count, sizeof(double)), *next = numbers;
  size_t m, i;
  for (m = 0; m < count; ++m) {
    sinew_appearance* look = NULL;
    double bytes = 0;
    must(sinew_appearance_load(model, m, &look, &error));
    for (i = 0; i < look->image_size; ++i) bytes += ((const unsigned char*)look->image)[i];
    for (i = 0; i < 4; ++i) *next++ = look->color[i];
    for (i = 0; i < 9; ++i) *next++ = look->transform[i];
    *next++ = look->alpha;
    *next++ = look->cutoff;
    *next++ = look->double_sided;
    *next++ = look->unlit;
    *next++ = (double)look->image_size;
    *next++ = bytes;
    *next++ = look->image_error != NULL;
    *next++ = look->wrap_s;
    *next++ = look->wrap_t;
    *next++ = look->nearest;
    *next++ = look->set;
    sinew_appearance_free(look);
  }
  say("looks", numbers, 24 * count);
  free(numbers);
}

static void play(const sinew_model* model, const char* node) {
  sinew_played_clip clips[3];
  sinew_player *player = NULL, *walker = NULL;
  sinew_pose* pose = NULL;
  float* const mask = room(nodes, sizeof(float));
  double* const numbers = room(n * (n + 1), sizeof(double));
  double seconds[3];
  size_t i, root = 0;
  int frame;
  if (sinew_model_count(model, SINEW_ANIMATIONS) > 0) {
    for (i = 0; i < nodes; ++i) mask[i] = i % 2 == 0 ? 1.0F : 0.25F;
    memset(clips, 0, sizeof clips);
    for (i = 0; i < 3; ++i) clips[i].speed = 1;
    clips[0].weight = 0.75;
    clips[0].seconds = 0.2;
    clips[1].weight = 0.25;
    clips[1].speed = -0.5;
    clips[1].holds = 1;
    clips[2].weight = 0.5;
    clips[2].additive = 1;
    clips[2].mask = mask;
    must(sinew_player_create(model, clips, 3, SINEW_NONE, &player, &error));
    must(sinew_pose_create(model, &pose, &error));
    for (frame = 0; frame < 3; ++frame) must(sinew_player_advance(player, 0.35, NULL, NULL, &error));
    must(sinew_player_set_weight(player, 0, 0.5, &error));
    must(sinew_player_set_speed(player, 0, 2, &error));
    must(sinew_player_seek(player, 2, 0.1, &error));
    must(sinew_player_advance(player, 0.1, pose, NULL, &error));
    say_worlds("player", pose);
    for (i = 0; i < 3; ++i) seconds[i] = sinew_player_seconds(player, i);
    say("loops", seconds, 3);
    must(sinew_player_get_socket(player, node, numbers, &error));
    say("socket", numbers, n * (n + 1));
    must(sinew_model_find(model, SINEW_NODES, node, &root, &error));
    clips[0].weight = 1;
    clips[0].seconds = 0;
    must(sinew_player_create(model, clips, 1, root, &walker, &error));
    must(sinew_player_advance(walker, sinew_animation_duration(model, 0) * 1.75, NULL, numbers, &error));
    say("root_motion", numbers, n);
  }
  free(mask);
  free(numbers);
  sinew_pose_free(pose);
  sinew_player_free(player);
  sinew_player_free(walker);
}

static void arrays(const sinew_model* model, sinew_deformer* deformer, const char* node) {
  const size_t count = 2 * sinew_deformer_vertices(deformer) * n;
  double* const rotors = room(2 * nodes * rotor_size, sizeof(double));
  sinew_pose_arrays poses = {0};
  sinew_output output = {0};
  size_t i, which = 0;
  for (i = 0; i < 2 * nodes; ++i) rotors[i * rotor_size] = 1;
  must(sinew_model_find(model, SINEW_NODES, node, &which, &error));
  memcpy(rotors + (nodes + which) * rotor_size, turn, rotor_size * sizeof(double));
  poses.poses = 2;
  poses.nodes = nodes;
  poses.rotor = rotors;
  output.positions = room(count, sizeof(float));
  must(sinew_deform_many(deformer, &poses, &output, 1, &error));
  say_floats("arrays", output.positions, count);
  free(rotors);
  free(output.positions);
}

static void files(const sinew_model* model, const char* path) {
  float* const box = room(2 * n, sizeof(float));
  sinew_comparison found;
  double numbers[3];
  uint64_t errors = 0;
  must(sinew_bounds(model, NULL, box, NULL, 0, &error));
  say_floats("bounds", box, 2 * n);
  free(box);
  must(sinew_compare(model, model, 1e-5, 1, &found, &error));
  numbers[0] = (double)found.verdict;
  numbers[1] = found.diagonal;
  numbers[2] = found.max;
  say("compare", numbers, 3);
  must(sinew_validate(path, NULL, &errors, &error));
  numbers[0] = (double)errors;
  say("validate", numbers, 1);
}

int main(int argc, char** argv) {
  sinew_model* model = NULL;
  sinew_pose* pose = NULL;
  sinew_deformer* deformer = NULL;
  double counts[4];
  if (argc != 4) return fputs("usage: capabilities FILE NODE SHAPE\n", stderr), 2;
  must(sinew_load(argv[1], NULL, &model, &error));
  n = sinew_model_dimension(model);
  nodes = sinew_model_count(model, SINEW_NODES);
  rotor_size = (size_t)1 << (n - 1);
  turn[0] = cos(0.2);
  turn[1] = sin(0.2);
  counts[0] = (double)n;
  counts[1] = (double)nodes;
  counts[2] = (double)sinew_model_count(model, SINEW_MESHES);
  counts[3] = (double)sinew_model_count(model, SINEW_ANIMATIONS);
  say("load", counts, 4);
  must(sinew_pose_create(model, &pose, &error));
  if (counts[3] > 0) must(sinew_pose_sample(pose, 0, 0.3 * sinew_animation_duration(model, 0), &error));
  must(sinew_deformer_create(model, NULL, &deformer, &error));
  poses(model, pose, deformer, argv[2], argv[3]);
  channels(model, pose);
  parts(deformer, pose);
  looks(model);
  play(model, argv[2]);
  arrays(model, deformer, argv[2]);
  files(model, argv[1]);
  sinew_deformer_free(deformer);
  sinew_pose_free(pose);
  sinew_model_free(model);
  return 0;
}
