/* SPDX-License-Identifier: MIT */
/* The C interface, as a C99 program sees it: test_c SIMPLE_SKIN.gltf MORPH_CUBE.gltf ARM_4D.g4tf BROKEN */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/sinew.h"

static int failures = 0;
static int checks = 0;

static void expect(int holds, const char* what, int line) {
  ++checks;
  if (holds) return;
  ++failures;
  fprintf(stderr, "test_c.c:%d: %s\n", line, what);
}
#define EXPECT(condition) expect((condition) ? 1 : 0, #condition, __LINE__)

static int near(const float* p, double x, double y, double z) {
  return fabs(p[0] - x) < 1e-6 && fabs(p[1] - y) < 1e-6 && fabs(p[2] - z) < 1e-6;
}

/* The rectangle of the glTF tutorial: positions at a pose of the upper joint turned by a quarter. */
static void test_deform(const char* path) {
  sinew_model* model = NULL;
  sinew_pose *pose = NULL, *stranger = NULL;
  sinew_deformer *deformer = NULL, *copy = NULL;
  sinew_error* error = NULL;
  sinew_output output = {0};
  sinew_instance instance;
  size_t upper = 0, count = 0;
  sinew_deformer_options options = {0};
  const uint32_t* triangles = NULL;
  double numbers[12], world[36];
  float positions[30], wide[10][8];
  const double quarter[4] = {0, 0, 0.70710678118654752, 0.70710678118654752};
  const double rotor[4] = {0.70710678118654752, 0.70710678118654752, 0, 0};
  const double basis[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
  const double bad[4] = {0, 0, NAN, 1};

  EXPECT(sinew_load(path, NULL, &model, &error) == SINEW_OK && error == NULL);
  EXPECT(sinew_model_dimension(model) == 3);
  EXPECT(strcmp(sinew_model_format(model), "glTF") == 0 && strcmp(sinew_model_revision(model), "2.0") == 0);
  EXPECT(sinew_model_count(model, SINEW_NODES) == 3 && sinew_model_count(model, SINEW_ANIMATIONS) == 1);
  EXPECT(strcmp(sinew_model_name(model, SINEW_NODES, 2), "Upper") == 0);
  EXPECT(sinew_model_name(model, SINEW_NODES, 3) == NULL);
  EXPECT(sinew_animation_duration(model, 0) == 5.5 && sinew_animation_duration(model, 1) == 0);
  EXPECT(sinew_model_find(model, SINEW_NODES, "Upper", &upper, NULL) == SINEW_OK && upper == 2);

  EXPECT(sinew_deformer_create(model, NULL, &deformer, NULL) == SINEW_OK);
  EXPECT(sinew_pose_create(model, &pose, NULL) == SINEW_OK);
  EXPECT(sinew_deformer_vertices(deformer) == 10 && sinew_deformer_instances(deformer) == 1);
  EXPECT(sinew_deformer_instance(deformer, 0, &instance, NULL) == SINEW_OK && instance.first == 0 && instance.vertices == 10);
  EXPECT(sinew_deformer_instance(deformer, 1, &instance, NULL) == SINEW_USAGE);

  output.positions = positions;
  EXPECT(sinew_pose_set_quaternion(pose, upper, quarter, NULL) == SINEW_OK);
  EXPECT(sinew_deform(deformer, pose, &output, 0, NULL) == SINEW_OK);
  EXPECT(near(positions + 12, -0.25, 0.75, 0) && near(positions + 18, -0.5, 0.75, 0) && near(positions + 27, -1, 1.5, 0));
  EXPECT(sinew_pose_reset(pose, NULL) == SINEW_OK && sinew_deform(deformer, pose, &output, 1, NULL) == SINEW_OK);
  EXPECT(near(positions + 27, 0.5, 2, 0));
  EXPECT(sinew_pose_set_rotor(pose, upper, rotor, 4, NULL) == SINEW_OK);
  EXPECT(sinew_deform(deformer, pose, &output, 0, NULL) == SINEW_OK && near(positions + 27, -1, 1.5, 0));
  EXPECT(sinew_pose_reset(pose, NULL) == SINEW_OK && sinew_pose_set_basis(pose, upper, basis, NULL) == SINEW_OK);
  EXPECT(sinew_deform(deformer, pose, &output, 0, NULL) == SINEW_OK && near(positions + 27, -1, 1.5, 0));
  EXPECT(sinew_pose_sample(pose, 0, 4.125, NULL) == SINEW_OK && sinew_deform(deformer, pose, &output, 0, NULL) == SINEW_OK);

  /* Rows of the caller's own structures. */
  memset(wide, 0, sizeof wide);
  output.positions = &wide[0][2];
  output.positions_stride = sizeof wide[0];
  EXPECT(sinew_deform(deformer, pose, &output, 0, NULL) == SINEW_OK);
  EXPECT(memcmp(&wide[9][2], positions + 27, 12) == 0 && wide[9][1] == 0 && wide[9][5] == 0);
  output.positions_stride = 8;
  EXPECT(sinew_deform(deformer, pose, &output, 0, &error) == SINEW_USAGE);
  EXPECT(error != NULL && strstr(sinew_error_message(error), "stride") != NULL);
  sinew_error_free(error);
  error = NULL;
  output.positions_stride = 0;
  output.positions = NULL;
  output.normals = positions;
  EXPECT(sinew_deform(deformer, pose, &output, 0, NULL) == SINEW_USAGE);
  options.normals = SINEW_NORMALS_STORED; /* there are none in the file */
  EXPECT(sinew_deformer_create(model, &options, &copy, NULL) == SINEW_OK && sinew_deform(copy, pose, &output, 0, NULL) == SINEW_OK);
  EXPECT(isnan(positions[0]) && isnan(positions[29]));
  sinew_deformer_free(copy);
  options.normals = SINEW_NORMALS_COMPUTED;
  EXPECT(sinew_deformer_create(model, &options, &copy, NULL) == SINEW_OK && sinew_deform(copy, pose, &output, 0, NULL) == SINEW_OK);
  EXPECT(near(positions, 0, 0, 1) && near(positions + 27, 0, 0, 1));
  sinew_deformer_free(copy);
  options.normals = 3;
  EXPECT(sinew_deformer_create(model, &options, &copy, NULL) == SINEW_USAGE);
  output.normals = NULL;

  /* The rig, and what a pose holds. */
  EXPECT(sinew_node_parent(model, upper) == 1 && sinew_node_parent(model, 0) == SINEW_NONE && sinew_node_parent(model, 9) == SINEW_NONE);
  EXPECT(sinew_node_mesh(model, 0) == 0 && sinew_node_mesh(model, 1) == SINEW_NONE && sinew_node_mesh(model, 9) == SINEW_NONE);
  EXPECT(sinew_skin_joints(model, 0) == 2 && sinew_skin_joint(model, 0, 1) == upper && sinew_skin_joint(model, 0, 2) == SINEW_NONE);
  EXPECT(sinew_skin_joints(model, 1) == 0 && sinew_mesh_shape_name(model, 0, 0) == NULL);
  triangles = sinew_deformer_triangles(deformer, &count);
  EXPECT(triangles != NULL && count == 24 && triangles == sinew_deformer_triangles(deformer, NULL));
  EXPECT(sinew_pose_reset(pose, NULL) == SINEW_OK && sinew_pose_turn(pose, "Upper", rotor, 4, NULL) == SINEW_OK);
  EXPECT(sinew_pose_get_rotor(pose, upper, numbers, NULL) == SINEW_OK && fabs(numbers[1] - rotor[1]) < 1e-12);
  EXPECT(sinew_pose_get_scale(pose, upper, numbers, NULL) == SINEW_OK && numbers[2] == 1);
  EXPECT(sinew_pose_get_translation(pose, upper, numbers, NULL) == SINEW_OK && numbers[1] == 1);
  EXPECT(sinew_pose_get_matrix(pose, upper, numbers, NULL) == SINEW_OK && fabs(numbers[1] - 1) < 1e-12 && numbers[10] == 1);
  EXPECT(sinew_pose_get_world(pose, world, NULL) == SINEW_OK && fabs(world[25] - 1) < 1e-12 && world[34] == 1 && world[0] == 1);
  EXPECT(sinew_pose_get_amounts(pose, 0, numbers, 1, NULL) == SINEW_USAGE && sinew_pose_get_rotor(pose, 3, numbers, NULL) == SINEW_USAGE);
  EXPECT(sinew_pose_set_basis(pose, upper, basis, NULL) == SINEW_OK && sinew_pose_get_rotor(pose, upper, numbers, NULL) == SINEW_USAGE);
  EXPECT(sinew_pose_turn(pose, "Uper", rotor, 4, NULL) == SINEW_USAGE && sinew_pose_turn(pose, "Upper", bad, 4, NULL) == SINEW_USAGE);
  EXPECT(sinew_pose_blend(pose, "0", 1, NULL) == SINEW_USAGE);

  EXPECT(sinew_pose_set_quaternion(pose, upper, bad, NULL) == SINEW_USAGE);
  EXPECT(sinew_pose_set_quaternion(pose, 3, quarter, NULL) == SINEW_USAGE);
  EXPECT(sinew_pose_set_rotor(pose, upper, rotor, 3, NULL) == SINEW_USAGE);
  EXPECT(sinew_pose_set_translation(pose, upper, NULL, NULL) == SINEW_USAGE);
  EXPECT(sinew_pose_set_amounts(pose, 0, quarter, 4, NULL) == SINEW_USAGE);
  EXPECT(sinew_pose_sample(pose, 1, 0, NULL) == SINEW_USAGE && sinew_pose_sample(pose, 0, NAN, NULL) == SINEW_USAGE);

  /* The model may go first; another model's pose does not fit. */
  EXPECT(sinew_deformer_copy(deformer, &copy, NULL) == SINEW_OK);
  sinew_model_free(model);
  sinew_deformer_free(deformer);
  output.positions = positions;
  EXPECT(sinew_deform(copy, pose, &output, 0, NULL) == SINEW_OK);
  EXPECT(sinew_load(path, NULL, &model, NULL) == SINEW_OK && sinew_pose_create(model, &stranger, NULL) == SINEW_OK);
  EXPECT(sinew_deform(copy, stranger, &output, 0, NULL) == SINEW_USAGE);
  sinew_pose_free(stranger);
  sinew_pose_free(pose);
  sinew_deformer_free(copy);
  sinew_model_free(model);
}

/* Many poses as arrays: those of single calls, and what does not fit is refused. */
static void test_many_poses(const char* path) {
  sinew_model* model = NULL;
  sinew_pose* pose = NULL;
  sinew_deformer* deformer = NULL;
  sinew_error* error = NULL;
  sinew_output output = {0};
  sinew_pose_arrays poses = {0};
  double local[2 * 3 * 16], matrix[12];
  float one[2 * 30], many[2 * 30];
  size_t i, node, row, column;

  EXPECT(sinew_load(path, NULL, &model, NULL) == SINEW_OK && sinew_pose_create(model, &pose, NULL) == SINEW_OK);
  EXPECT(sinew_deformer_create(model, NULL, &deformer, NULL) == SINEW_OK);
  for (i = 0; i < 2; ++i) {
    EXPECT(sinew_pose_sample(pose, 0, 1.0 + (double)i, NULL) == SINEW_OK);
    output.positions = one + 30 * i;
    EXPECT(sinew_deform(deformer, pose, &output, 0, NULL) == SINEW_OK);
    for (node = 0; node < 3; ++node) {
      double* out = local + 16 * (3 * i + node);
      EXPECT(sinew_pose_get_matrix(pose, node, matrix, NULL) == SINEW_OK);
      for (row = 0; row < 4; ++row)
        for (column = 0; column < 4; ++column) out[4 * row + column] = row < 3 ? matrix[3 * column + row] : column == 3;
    }
  }
  poses.poses = 2;
  poses.nodes = 3;
  poses.local = local;
  output.positions = many;
  EXPECT(sinew_deform_many(deformer, &poses, &output, 0, NULL) == SINEW_OK && memcmp(one, many, sizeof one) == 0);
  poses.nodes = 4;
  EXPECT(sinew_deform_many(deformer, &poses, &output, 0, NULL) == SINEW_USAGE);
  poses.nodes = 3;
  poses.amounts = local;
  poses.amounts_per_pose = 1;
  EXPECT(sinew_deform_many(deformer, &poses, &output, 0, NULL) == SINEW_USAGE);
  poses.amounts = NULL;
  local[16 + 3] = 5; /* moves the second node; its child follows it only if there are parents */
  EXPECT(sinew_deform_many(deformer, &poses, &output, 0, NULL) == SINEW_OK);
  memcpy(one, many, sizeof one);
  poses.world = local;
  EXPECT(sinew_deform_many(deformer, &poses, &output, 0, NULL) == SINEW_USAGE);
  poses.local = NULL;
  EXPECT(sinew_deform_many(deformer, &poses, &output, 0, NULL) == SINEW_OK && memcmp(one, many, 30 * sizeof(float)) != 0 &&
         memcmp(one + 30, many + 30, 30 * sizeof(float)) == 0);
  local[16 * 4 + 15] = 2;
  EXPECT(sinew_deform_many(deformer, &poses, &output, 0, &error) == SINEW_USAGE);
  EXPECT(error != NULL && strstr(sinew_error_message(error), "pose 1, node 1") != NULL);
  sinew_error_free(error);
  EXPECT(sinew_deform_many(deformer, NULL, &output, 0, NULL) == SINEW_USAGE);
  sinew_pose_free(pose);
  sinew_deformer_free(deformer);
  sinew_model_free(model);
}

/* The clip "Swing" turns the upper joint (node 2). */
static void test_playing(const char* path) {
  sinew_model* model = NULL;
  sinew_pose *pose = NULL, *alone = NULL;
  sinew_player* player = NULL;
  sinew_error* error = NULL;
  sinew_played_clip clips[2] = {{0, 3, 1, 0.5, 0, 0, NULL}, {0, 1, 2, 1.25, 0, 0, NULL}};
  const float hands[3] = {0, 0, 0.5f};
  double rotor[4], a[4], b[4], world[12], all[36], moved[3] = {9, 9, 9}, sum = 0;
  size_t i;
  EXPECT(sinew_load(path, NULL, &model, NULL) == SINEW_OK);
  EXPECT(sinew_pose_create(model, &pose, NULL) == SINEW_OK && sinew_pose_create(model, &alone, NULL) == SINEW_OK);
  EXPECT(sinew_player_create(model, clips, 2, SINEW_NONE, &player, NULL) == SINEW_OK);
  EXPECT(sinew_player_advance(player, 0.25, pose, moved, NULL) == SINEW_OK && moved[0] == 0 && moved[2] == 0);
  EXPECT(fabs(sinew_player_seconds(player, 0) - 0.75) < 1e-12 && fabs(sinew_player_seconds(player, 1) - 1.75) < 1e-12);
  EXPECT(sinew_player_seconds(player, 2) == 0);
  sinew_pose_sample(alone, 0, 0.75, NULL);
  sinew_pose_get_rotor(alone, 2, a, NULL);
  sinew_pose_sample(alone, 0, 1.75, NULL);
  sinew_pose_get_rotor(alone, 2, b, NULL);
  sinew_pose_get_rotor(pose, 2, rotor, NULL);
  for (i = 0; i < 4; ++i) sum += (3 * a[i] + b[i]) * (3 * a[i] + b[i]);
  for (i = 0; i < 4; ++i) EXPECT(fabs(rotor[i] - (3 * a[i] + b[i]) / sqrt(sum)) < 1e-9);
  EXPECT(sinew_player_get_world(player, 2, world, NULL) == SINEW_OK && sinew_pose_get_world(pose, all, NULL) == SINEW_OK);
  for (i = 0; i < 12; ++i) EXPECT(fabs(world[i] - all[24 + i]) < 1e-12);
  EXPECT(sinew_player_set_weight(player, 1, 0, NULL) == SINEW_OK && sinew_player_set_speed(player, 0, -1, NULL) == SINEW_OK);
  EXPECT(sinew_player_seek(player, 0, 1, NULL) == SINEW_OK && sinew_player_advance(player, 0.25, NULL, NULL, NULL) == SINEW_OK);
  EXPECT(fabs(sinew_player_seconds(player, 0) - 0.75) < 1e-12);
  EXPECT(sinew_player_set_weight(player, 0, -1, NULL) == SINEW_USAGE && sinew_player_set_speed(player, 2, 1, NULL) == SINEW_USAGE);
  EXPECT(sinew_player_advance(player, HUGE_VAL, NULL, NULL, NULL) == SINEW_USAGE && sinew_player_get_world(player, 3, world, NULL) == SINEW_USAGE);
  EXPECT(sinew_player_advance(NULL, 0, NULL, NULL, &error) == SINEW_USAGE);
  sinew_error_free(error);
  sinew_player_free(player);
  clips[0].mask = hands;
  clips[0].weight = 1;
  EXPECT(sinew_player_create(model, clips, 1, 0, &player, NULL) == SINEW_OK);
  sinew_player_free(player);
  clips[0].animation = 7;
  EXPECT(sinew_player_create(model, clips, 1, SINEW_NONE, &player, NULL) == SINEW_USAGE);
  clips[0].animation = 0;
  EXPECT(sinew_player_create(model, clips, 1, 99, &player, NULL) == SINEW_USAGE);
  sinew_player_free(NULL);
  sinew_pose_free(pose);
  sinew_pose_free(alone);
  sinew_model_free(model);
}

/* A ray through the strip of the tutorial, which lies in the plane z = 0 from x = -0.5 to 0.5. */
static void test_picking(const char* path, const char* arm) {
  sinew_model *model = NULL, *other = NULL;
  sinew_pose* pose = NULL;
  sinew_deformer *deformer = NULL, *of_four = NULL;
  sinew_output output = {0};
  sinew_ray_hit hit = {9, 9, {0, 0, 0}, 0};
  float positions[30];
  const double origin[3] = {0.25, 1.2, 3}, along[3] = {0, 0, -2}, away[3] = {0, 0, 1}, nowhere[3] = {0, 0, 0};
  double x = 0, y = 0;
  int found = 7, k;
  size_t count = 0;
  const uint32_t* triangles;
  EXPECT(sinew_load(path, NULL, &model, NULL) == SINEW_OK && sinew_load(arm, NULL, &other, NULL) == SINEW_OK);
  EXPECT(sinew_pose_create(model, &pose, NULL) == SINEW_OK && sinew_deformer_create(model, NULL, &deformer, NULL) == SINEW_OK);
  EXPECT(sinew_deformer_create(other, NULL, &of_four, NULL) == SINEW_OK);
  output.positions = positions;
  EXPECT(sinew_deform(deformer, pose, &output, 1, NULL) == SINEW_OK);
  EXPECT(sinew_deformer_hit(deformer, positions, origin, away, &hit, &found, NULL) == SINEW_OK && found == 0 && hit.instance == 9);
  EXPECT(sinew_deformer_hit(deformer, positions, origin, along, &hit, &found, NULL) == SINEW_OK && found == 1 && hit.instance == 0);
  triangles = sinew_deformer_triangles(deformer, &count);
  EXPECT(3 * hit.triangle + 2 < count && fabs(hit.distance - 1.5) < 1e-9);
  for (k = 0; k < 3; ++k) {
    x += hit.barycentric[k] * positions[3 * triangles[3 * hit.triangle + (size_t)k]];
    y += hit.barycentric[k] * positions[3 * triangles[3 * hit.triangle + (size_t)k] + 1];
  }
  EXPECT(fabs(x - 0.25) < 1e-6 && fabs(y - 1.2) < 1e-6);
  EXPECT(sinew_deformer_hit(deformer, positions, origin, nowhere, &hit, &found, NULL) == SINEW_USAGE);
  EXPECT(sinew_deformer_hit(deformer, positions, origin, along, NULL, &found, NULL) == SINEW_USAGE);
  EXPECT(sinew_deformer_hit(of_four, positions, origin, along, &hit, &found, NULL) == SINEW_USAGE);
  sinew_deformer_free(deformer);
  sinew_deformer_free(of_four);
  sinew_pose_free(pose);
  sinew_model_free(model);
  sinew_model_free(other);
}

/* What rows and triangles of the strip belong to: one surface, the joints Lower and Upper. */
static void test_parts(const char* path, const char* arm) {
  sinew_model *model = NULL, *other = NULL;
  sinew_pose* pose = NULL;
  sinew_deformer *deformer = NULL, *of_four = NULL;
  sinew_output output = {0};
  sinew_influences all = {0};
  const sinew_triangle_range* ranges;
  float positions[30], boxes[18], coordinates[20];
  double matrix[12], twin[12];
  sinew_played_clip clip = {0};
  sinew_player* player = NULL;
  size_t count = 0, k;
  EXPECT(sinew_load(path, NULL, &model, NULL) == SINEW_OK && sinew_load(arm, NULL, &other, NULL) == SINEW_OK);
  EXPECT(sinew_pose_create(model, &pose, NULL) == SINEW_OK && sinew_deformer_create(model, NULL, &deformer, NULL) == SINEW_OK);
  EXPECT(sinew_deformer_create(other, NULL, &of_four, NULL) == SINEW_OK);
  ranges = sinew_deformer_triangle_ranges(deformer, &count);
  EXPECT(ranges != NULL && count == 1 && ranges == sinew_deformer_triangle_ranges(deformer, NULL));
  EXPECT(ranges[0].first == 0 && ranges[0].count == 8 && ranges[0].instance == 0 && ranges[0].surface == 0 && ranges[0].material == SINEW_NONE);
  EXPECT(sinew_deformer_triangle_ranges(NULL, &count) == NULL && count == 0);
  EXPECT(sinew_deformer_influences(deformer, &all, NULL) == SINEW_OK && all.first[10] == 16 && all.first[1] == 1);
  EXPECT(all.nodes[0] == 1 && all.weights[0] == 1 && all.nodes[15] == 2 && all.weights[15] == 1 && all.weights[2] + all.weights[3] == 1);
  EXPECT(sinew_deformer_influences(deformer, NULL, NULL) == SINEW_USAGE);
  output.positions = positions;
  EXPECT(sinew_deform(deformer, pose, &output, 1, NULL) == SINEW_OK);
  EXPECT(sinew_deformer_bone_boxes(deformer, positions, 0.5, boxes, NULL) == SINEW_OK && isnan(boxes[0]) && isnan(boxes[5]));
  EXPECT(near(boxes + 6, -0.5, 0, 0) && near(boxes + 9, 0.5, 0.5, 0) && near(boxes + 12, -0.5, 1.5, 0) && near(boxes + 15, 0.5, 2, 0));
  EXPECT(sinew_deformer_bone_boxes(deformer, positions, 0, boxes, NULL) == SINEW_OK && near(boxes + 9, 0.5, 1.5, 0));
  EXPECT(sinew_deformer_bone_boxes(deformer, positions, -1, boxes, NULL) == SINEW_USAGE);
  EXPECT(sinew_deformer_bone_boxes(deformer, NULL, 0, boxes, NULL) == SINEW_USAGE);
  EXPECT(sinew_deformer_texture_coordinates(deformer, pose, 0, coordinates, NULL) == SINEW_OK && isnan(coordinates[0]) && isnan(coordinates[19]));
  EXPECT(sinew_deformer_texture_coordinates(of_four, pose, 0, coordinates, NULL) == SINEW_USAGE);
  clip.weight = clip.speed = 1;
  clip.seconds = 1;
  EXPECT(sinew_player_create(model, &clip, 1, SINEW_NONE, &player, NULL) == SINEW_OK);
  EXPECT(sinew_player_get_socket(player, "Upper", matrix, NULL) == SINEW_OK && sinew_player_get_world(player, 2, twin, NULL) == SINEW_OK);
  for (k = 0; k < 12; ++k) EXPECT(matrix[k] == twin[k]);
  EXPECT(sinew_player_get_socket(player, "2", matrix, NULL) == SINEW_OK && sinew_player_get_socket(player, "Hand", matrix, NULL) == SINEW_USAGE);
  sinew_player_free(player);
  sinew_deformer_free(deformer);
  sinew_deformer_free(of_four);
  sinew_pose_free(pose);
  sinew_model_free(model);
  sinew_model_free(other);
}

static void test_blend_and_four_dimensions(const char* cube, const char* arm) {
  sinew_model* model = NULL;
  sinew_pose* pose = NULL;
  sinew_instance instance;
  sinew_deformer* deformer = NULL;
  sinew_deformer_options options = {0};
  sinew_output output = {0};
  float* values = NULL;
  const double amounts[2] = {1, 0.5};
  double read[2];
  size_t vertices;

  options.normals = 1;
  EXPECT(sinew_load(cube, NULL, &model, NULL) == SINEW_OK);
  EXPECT(sinew_deformer_create(model, &options, &deformer, NULL) == SINEW_OK && sinew_pose_create(model, &pose, NULL) == SINEW_OK);
  EXPECT(sinew_deformer_instance(deformer, 0, &instance, NULL) == SINEW_OK && sinew_mesh_shapes(model, instance.mesh) == 2);
  EXPECT(sinew_pose_set_amounts(pose, instance.node, amounts, 2, NULL) == SINEW_OK);
  EXPECT(sinew_pose_set_amounts(pose, instance.node, amounts, 1, NULL) == SINEW_USAGE);
  EXPECT(sinew_pose_blend(pose, "1", 0.25, NULL) == SINEW_OK && sinew_mesh_shape_name(model, instance.mesh, 1) != NULL);
  EXPECT(sinew_pose_get_amounts(pose, instance.node, read, 2, NULL) == SINEW_OK && read[0] == 1 && read[1] == 0.25);
  vertices = sinew_deformer_vertices(deformer);
  values = calloc(6 * vertices, sizeof(float));
  output.positions = values;
  output.normals = values + 3 * vertices;
  EXPECT(sinew_deform(deformer, pose, &output, 0, NULL) == SINEW_OK);
  EXPECT(fabs(sqrt(pow(output.normals[0], 2) + pow(output.normals[1], 2) + pow(output.normals[2], 2)) - 1) < 1e-6);
  free(values);
  sinew_pose_free(pose);
  sinew_deformer_free(deformer);
  sinew_model_free(model);

  EXPECT(sinew_load(arm, NULL, &model, NULL) == SINEW_OK && sinew_model_dimension(model) == 4);
  EXPECT(sinew_pose_create(model, &pose, NULL) == SINEW_OK && sinew_pose_set_quaternion(pose, 0, amounts, NULL) == SINEW_USAGE);
  sinew_pose_free(pose);
  sinew_model_free(model);
}

static void test_memory(const char* path) {
  static char bytes[1 << 16];
  sinew_model* model = NULL;
  sinew_error* error = NULL;
  sinew_load_options options = {0};
  FILE* file = fopen(path, "rb");
  const size_t size = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
  if (file != NULL) fclose(file);
  EXPECT(size > 100);
  EXPECT(sinew_load_memory(bytes, size, NULL, NULL, &model, NULL) == SINEW_OK && sinew_model_count(model, SINEW_NODES) == 3);
  memset(bytes, 0, size); /* they were copied */
  EXPECT(strcmp(sinew_model_name(model, SINEW_NODES, 2), "Upper") == 0);
  sinew_model_free(model);
  model = NULL;
  EXPECT(sinew_load_memory(bytes, size, "name of it", NULL, &model, &error) == SINEW_INPUT && model == NULL);
  EXPECT(strcmp(sinew_error_file(error), "name of it") == 0);
  sinew_error_free(error);
  EXPECT(sinew_load_memory(NULL, 0, NULL, NULL, &model, NULL) == SINEW_INPUT);
  EXPECT(sinew_load_memory(NULL, 1, NULL, NULL, &model, NULL) == SINEW_USAGE);
  options.max_memory = 10;
  EXPECT(sinew_load_memory(bytes, size, NULL, &options, &model, NULL) == SINEW_LIMIT);
}

static void test_memory_names_no_files(void) {
  static const char text[] = "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,\"uri\":\"secret.bin\"}]}";
  sinew_model* model = NULL;
  EXPECT(sinew_load_memory(text, sizeof text - 1, NULL, NULL, &model, NULL) == SINEW_OK); /* the buffer has a defect */
  sinew_model_free(model);
}

typedef struct packed_file {
  const char *name, *bytes;
  size_t size;
  int in_use; /* an atomic number if you load on several threads */
} packed_file;

typedef struct package {
  packed_file* files;
  size_t count;
} package;

static int read_file(void* user, const char* name, const void** bytes, size_t* size, void** handle) {
  const package* own = user;
  for (size_t i = 0; i < own->count; ++i) {
    packed_file* file = &own->files[i];
    if (strcmp(file->name, name) != 0) continue;
    *bytes = file->bytes;
    *size = file->size;
    *handle = file;
    ++file->in_use;
    return 0;
  }
  return 1; /* not in the package */
}

static void release_file(void* user, void* handle) {
  (void)user;
  --((packed_file*)handle)->in_use;
}

static void test_files_of_the_host(void) {
  static const char text[] =
      "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"One\"}],\"buffers\":[{\"byteLength\":4,\"uri\":\"the%20data.bin\"}]}";
  packed_file files_of[] = {{"pak://a/model.gltf", text, sizeof text - 1, 0}, {"pak://a/the data.bin", "abcd", 4, 0}};
  package own = {files_of, 2};
  sinew_files files = {read_file, release_file, &own};
  sinew_load_options options = {0};
  sinew_model* model = NULL;
  sinew_error* error = NULL;
  options.files = &files;
  EXPECT(sinew_load("pak://a/model.gltf", &options, &model, &error) == SINEW_OK && sinew_model_count(model, SINEW_NODES) == 1);
  EXPECT(files_of[0].in_use == 1);
  sinew_model_free(model);
  EXPECT(files_of[0].in_use == 0 && files_of[1].in_use == 0);
  model = NULL;
  EXPECT(sinew_load("pak://a/none.gltf", &options, &model, &error) == SINEW_INPUT && model == NULL);
  EXPECT(strcmp(sinew_error_file(error), "pak://a/none.gltf") == 0 && strstr(sinew_error_line(error), "host") != NULL);
  sinew_error_free(error);
  files.read = NULL;
  EXPECT(sinew_load("pak://a/model.gltf", &options, &model, NULL) == SINEW_USAGE);
}

typedef struct level {
  size_t left; /* bytes */
} level;

static void* take_memory(void* user, size_t size, size_t alignment) {
  level* own = user;
  void* memory = size > own->left ? NULL : malloc(size); /* aligned for everything, as is asked for */
  (void)alignment;
  if (memory != NULL) own->left -= size;
  return memory; /* NULL: the call fails with SINEW_LIMIT, if exceptions are on */
}

static void return_memory(void* user, void* memory, size_t size, size_t alignment) {
  (void)alignment;
  free(memory);
  ((level*)user)->left += size;
}

static void test_memory_of_the_host(const char* skin) {
  const size_t all = 1 << 20;
  level own = {1 << 20}, small = {100};
  sinew_memory memory = {take_memory, return_memory, &own};
  sinew_load_options options = {0};
  sinew_deformer_options how = {0};
  sinew_model* model = NULL;
  sinew_deformer *deformer = NULL, *copy = NULL;
  sinew_pose* pose = NULL;
  sinew_error* error = NULL;
  size_t of_model, of_deformer;
  float positions[30];
  sinew_output output = {0};
  output.positions = positions;
  options.memory = &memory;
  how.memory = &memory;
  EXPECT(sinew_load(skin, &options, &model, NULL) == SINEW_OK);
  of_model = all - own.left;
  EXPECT(of_model > 1000);
  EXPECT(sinew_deformer_create(model, &how, &deformer, NULL) == SINEW_OK && sinew_pose_create(model, &pose, NULL) == SINEW_OK);
  of_deformer = all - own.left - of_model;
  EXPECT(of_deformer > 10 * 3 * sizeof(float));
  memory.allocate = NULL; /* the struct was copied */
  EXPECT(sinew_deformer_copy(deformer, &copy, NULL) == SINEW_OK);
  sinew_model_free(model);
  sinew_deformer_free(deformer);
  EXPECT(own.left == all - of_model - of_deformer);
  EXPECT(sinew_deformer_vertices(copy) == 10 && sinew_deform(copy, pose, &output, 1, NULL) == SINEW_OK);
  sinew_deformer_free(copy);
  EXPECT(own.left == all - of_model);
  sinew_pose_free(pose);
  EXPECT(own.left == all);

  model = NULL;
  EXPECT(sinew_load(skin, &options, &model, &error) == SINEW_USAGE && strstr(sinew_error_line(error), "sinew_memory") != NULL);
  sinew_error_free(error);
  error = NULL;
  memory.allocate = take_memory;
  memory.user = &small;
  EXPECT(sinew_load(skin, &options, &model, &error) == SINEW_LIMIT && model == NULL);
  EXPECT(strcmp(sinew_error_code(error), "SINEW_NO_MEMORY") == 0 && small.left == 100);
  sinew_error_free(error);
  options.memory = NULL;
  deformer = NULL;
  EXPECT(sinew_load(skin, &options, &model, NULL) == SINEW_OK);
  EXPECT(sinew_deformer_create(model, &how, &deformer, NULL) == SINEW_LIMIT && deformer == NULL && small.left == 100);
  memory.deallocate = NULL;
  EXPECT(sinew_deformer_create(model, &how, &deformer, NULL) == SINEW_USAGE);
  sinew_model_free(model);
}

/* A picture in the package, one that is missing there, one in a data URI, and none. They outlive the model. */
static void test_appearances(void) {
  static const char text[] =
      "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],"
      "\"images\":[{\"uri\":\"skin%201.png\"},{\"uri\":\"none.png\"},{\"uri\":\"data:image/png;base64,YWJjZGU=\"}],"
      "\"samplers\":[{\"wrapS\":33071,\"wrapT\":33648,\"magFilter\":9728}],"
      "\"textures\":[{\"source\":0,\"sampler\":0},{\"source\":1},{\"source\":2}],"
      "\"materials\":[{\"alphaMode\":\"MASK\",\"alphaCutoff\":0.25,\"doubleSided\":true,"
      "\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0.25,0.125,1],\"baseColorTexture\":{\"index\":0,\"texCoord\":1,"
      "\"extensions\":{\"KHR_texture_transform\":{\"offset\":[0.5,0.75]}}}}},"
      "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":1}}},"
      "{\"alphaMode\":\"BLEND\",\"extensions\":{\"KHR_materials_unlit\":{}},\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":2}}},{}]}";
  packed_file files_of[] = {{"pak://a/model.gltf", text, sizeof text - 1, 0}, {"pak://a/skin 1.png", "picture", 7, 0}};
  package own = {files_of, 2};
  level room = {1000000};
  sinew_files files = {read_file, release_file, &own};
  sinew_memory memory = {take_memory, return_memory, &room};
  sinew_load_options options = {0};
  sinew_model* model = NULL;
  sinew_appearance *looks[4] = {NULL, NULL, NULL, NULL}, *more = NULL;
  sinew_error* error = NULL;
  size_t i, used;
  options.files = &files;
  options.memory = &memory;
  EXPECT(sinew_load("pak://a/model.gltf", &options, &model, NULL) == SINEW_OK && sinew_model_count(model, SINEW_MATERIALS) == 4);
  used = room.left;
  room.left = 0;
  EXPECT(sinew_appearance_load(model, 2, &more, &error) == SINEW_LIMIT && more == NULL && strcmp(sinew_error_code(error), "SINEW_NO_MEMORY") == 0);
  sinew_error_free(error);
  room.left = used;
  for (i = 0; i < 4; ++i) EXPECT(sinew_appearance_load(model, i, &looks[i], &error) == SINEW_OK && looks[i] != NULL);
  EXPECT(sinew_appearance_load(model, 4, &more, &error) == SINEW_USAGE && more == NULL &&
         strstr(sinew_error_line(error), "material 4") != NULL);
  sinew_error_free(error);
  EXPECT(sinew_appearance_load(NULL, 0, &more, NULL) == SINEW_USAGE && sinew_appearance_load(model, 0, NULL, NULL) == SINEW_USAGE);
  used = 1000000 - room.left;
  room.left = 0;
  sinew_model_free(model);
  EXPECT(looks[0]->image_size == 7 && memcmp(looks[0]->image, "picture", 7) == 0 && looks[0]->image_error == NULL);
  EXPECT(looks[0]->alpha == SINEW_ALPHA_MASK && looks[0]->cutoff == 0.25 && looks[0]->double_sided == 1 && looks[0]->unlit == 0);
  EXPECT(looks[0]->color[0] == 0.5 && looks[0]->color[1] == 0.25 && looks[0]->color[2] == 0.125 && looks[0]->color[3] == 1);
  EXPECT(looks[0]->wrap_s == SINEW_WRAP_CLAMP && looks[0]->wrap_t == SINEW_WRAP_MIRROR && looks[0]->nearest == 1 && looks[0]->set == 1);
  EXPECT(looks[0]->transform[0] == 1 && looks[0]->transform[6] == 0.5 && looks[0]->transform[7] == 0.75 && looks[0]->transform[8] == 1);
  EXPECT(looks[1]->image == NULL && looks[1]->image_size == 0 && strstr(looks[1]->image_error, "none.png") != NULL);
  EXPECT(looks[2]->image_size == 5 && memcmp(looks[2]->image, "abcde", 5) == 0 && looks[2]->alpha == SINEW_ALPHA_BLEND &&
         looks[2]->unlit == 1);
  EXPECT(looks[3]->image == NULL && looks[3]->image_error == NULL && looks[3]->alpha == SINEW_ALPHA_OPAQUE && looks[3]->cutoff == 0.5);
  EXPECT(looks[3]->color[0] == 1 && looks[3]->wrap_s == SINEW_WRAP_REPEAT && looks[3]->nearest == 0 && looks[3]->set == 0);
  EXPECT(files_of[1].in_use == 1);
  for (i = 0; i < 4; ++i) sinew_appearance_free(looks[i]);
  sinew_appearance_free(NULL);
  EXPECT(files_of[0].in_use == 0 && files_of[1].in_use == 0 && room.left == used);
}

static void test_errors(const char* broken, const char* good) {
  sinew_model* model = NULL;
  sinew_error* error = NULL;
  sinew_load_options options = {0};
  uint64_t offset = 0, errors = 7;
  char* json = NULL;
  EXPECT(sinew_load("no such file", NULL, &model, &error) == SINEW_INPUT && model == NULL);
  EXPECT(strcmp(sinew_error_code(error), "IO_ERROR") == 0 && strcmp(sinew_error_file(error), "no such file") == 0);
  EXPECT(strstr(sinew_error_line(error), "no such file: ") == sinew_error_line(error));
  sinew_error_free(error);
  error = NULL;
  EXPECT(sinew_load(broken, NULL, &model, &error) == SINEW_INPUT);
  EXPECT(strcmp(sinew_error_code(error), "INVALID_JSON") == 0);
  EXPECT(sinew_error_offset(error, &offset) == 1 && offset == 40);
  sinew_error_free(error);
  error = NULL;
  EXPECT(sinew_load(NULL, NULL, &model, &error) == SINEW_USAGE && error != NULL);
  sinew_error_free(error);
  EXPECT(sinew_load("x", NULL, NULL, NULL) == SINEW_USAGE);
  options.revision = "2027-01";
  EXPECT(sinew_load(good, &options, &model, NULL) == SINEW_USAGE);
  EXPECT(sinew_validate(good, &json, &errors, NULL) == SINEW_OK && errors == 0 && strstr(json, "\"issues\"") != NULL);
  sinew_string_free(json);
  EXPECT(sinew_validate(broken, NULL, &errors, NULL) == SINEW_OK && errors == 1);
  EXPECT(sinew_validate("no such file", &json, NULL, NULL) == SINEW_INPUT);

  sinew_error_free(NULL);
  sinew_model_free(NULL);
  sinew_pose_free(NULL);
  sinew_deformer_free(NULL);
  sinew_string_free(NULL);
  EXPECT(sinew_error_pointer(NULL) == NULL && sinew_error_offset(NULL, NULL) == 0 && sinew_model_count(NULL, SINEW_NODES) == 0);
}

/* A box that holds all animations, and a model that equals itself in every pose. */
static void test_bounds_and_comparing(const char* skin) {
  sinew_model* model = NULL;
  sinew_comparison found;
  float box[6], instance[6];
  int axis;
  EXPECT(sinew_load(skin, NULL, &model, NULL) == SINEW_OK);
  EXPECT(sinew_bounds(model, NULL, box, instance, 1, NULL) == SINEW_OK);
  for (axis = 0; axis < 3; ++axis) EXPECT(box[axis] <= box[axis + 3] && box[axis] == instance[axis]);
  EXPECT(box[4] > 1.99F);
  EXPECT(sinew_bounds(NULL, NULL, box, NULL, 0, NULL) == SINEW_USAGE);
  EXPECT(sinew_bounds(model, NULL, box, instance, 2, NULL) == SINEW_USAGE);
  EXPECT(sinew_compare(model, model, 0, 0, &found, NULL) == SINEW_OK);
  EXPECT(found.verdict == SINEW_EQUAL_IN_EVERY_POSE && found.max == 0 && found.bound == 0 && found.diagonal > 2);
  EXPECT(sinew_compare(model, model, -1, 0, &found, NULL) == SINEW_USAGE);
  EXPECT(sinew_compare(model, NULL, 0, 0, &found, NULL) == SINEW_USAGE);
  sinew_model_free(model);
}

static void test_bending(const char* skin, const char* arm) {
  sinew_model* model = NULL;
  sinew_flex* report = NULL;
  sinew_error* error = NULL;
  sinew_flex_options options = {0};
  sinew_flex_finding found;
  size_t i;
  /* A model of four dimensions says which checks it skips. */
  EXPECT(sinew_load(arm, NULL, &model, NULL) == SINEW_OK);
  EXPECT(sinew_flex_create(model, NULL, &report, NULL) == SINEW_OK);
  EXPECT(sinew_flex_skipped(report, 0) != NULL && strstr(sinew_flex_skipped(report, 0), "FLEX_") == sinew_flex_skipped(report, 0));
  EXPECT(sinew_flex_skipped(report, 99) == NULL);
  sinew_flex_free(report);
  sinew_model_free(model);
  /* Twists of half a turn are found in the order of their severity; at right angles there is nothing. */
  EXPECT(sinew_load(skin, NULL, &model, NULL) == SINEW_OK);
  options.choose_animation = 1;
  options.animation = SINEW_NONE;
  options.kinds = "collapse,tear";
  EXPECT(sinew_flex_create(model, &options, &report, NULL) == SINEW_OK && sinew_flex_count(report) == 0);
  sinew_flex_free(report);
  options.angle = 180;
  EXPECT(sinew_flex_create(model, &options, &report, NULL) == SINEW_OK && sinew_flex_count(report) > 0);
  for (i = 0; i < sinew_flex_count(report); ++i) {
    const int before = i == 0 ? 0 : found.severity;
    EXPECT(sinew_flex_get(report, i, &found, NULL) == SINEW_OK);
    EXPECT(strcmp(found.code, "FLEX_COLLAPSE") == 0 && strcmp(found.unit, "ratio") == 0 && found.message[0] != 0);
    EXPECT(found.severity >= before && found.severity <= SINEW_SEVERITY_NOTE);
    EXPECT(found.pose == SINEW_FLEX_STRESS && found.animation == SINEW_NONE && found.plane[0] < found.plane[1]);
    EXPECT(found.degrees == 180 || found.degrees == -180);
    EXPECT(found.value >= found.limit && found.value <= 1 && found.count == found.row_count && found.rows[0] < 10);
    EXPECT(sinew_model_name(model, SINEW_NODES, found.joint) != NULL);
  }
  EXPECT(sinew_flex_get(report, i, &found, &error) == SINEW_USAGE);
  sinew_error_free(error);
  sinew_flex_free(report);
  options.kinds = "tears";
  EXPECT(sinew_flex_create(model, &options, &report, NULL) == SINEW_USAGE);
  options.kinds = "tear";
  options.angle = 200;
  EXPECT(sinew_flex_create(model, &options, &report, NULL) == SINEW_USAGE);
  options.angle = 0;
  options.animation = 7;
  EXPECT(sinew_flex_create(model, &options, &report, NULL) == SINEW_USAGE);
  EXPECT(sinew_flex_create(NULL, NULL, &report, NULL) == SINEW_USAGE && sinew_flex_create(model, NULL, NULL, NULL) == SINEW_USAGE);
  EXPECT(sinew_flex_count(NULL) == 0 && sinew_flex_get(NULL, 0, &found, NULL) == SINEW_USAGE && sinew_flex_skipped(NULL, 0) == NULL);
  sinew_flex_free(NULL);
  sinew_model_free(model);
}

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  EXPECT(strlen(sinew_version()) >= 5);
  test_deform(argv[1]);
  test_many_poses(argv[1]);
  test_playing(argv[1]);
  test_parts(argv[1], argv[3]);
  test_picking(argv[1], argv[3]);
  test_blend_and_four_dimensions(argv[2], argv[3]);
  test_memory(argv[1]);
  test_memory_names_no_files();
  test_files_of_the_host();
  test_memory_of_the_host(argv[1]);
  test_appearances();
  test_errors(argv[4], argv[1]);
  test_bounds_and_comparing(argv[1]);
  test_bending(argv[1], argv[3]);
  printf("%d of %d checks passed\n", checks - failures, checks);
  return failures == 0 && checks > 60 ? 0 : 1;
}
