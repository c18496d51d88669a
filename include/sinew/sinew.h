/* SPDX-License-Identifier: MIT
 *
 * The C interface (C99): load, pose, deform into the caller's memory, validate (docs/c.md). For C and languages that call C.
 *
 * Ownership: the caller owns each new handle and frees it with the matching sinew_…_free, which accepts NULL. Strings of a handle (const
 * char*, UTF-8, zero-terminated) live as long as the handle. A handle made from a model stays valid after sinew_model_free.
 * Failures: a function returns SINEW_OK or a failure. On failure it sets `*error` (unless `error` is NULL), which the caller frees, and
 * does not change the results. A NULL argument where a value is required returns SINEW_USAGE. No function throws an exception.
 * Threads: many threads may use one model at once. Only one thread at a time may use a pose, a deformer or an error.
 * sinew_bounds, sinew_compare, sinew_flex_… and sinew_validate are in the library of tools; core and sinew.cpp (docs/engines.md) lack them.
 * Units are metres, seconds and radians; CONVENTIONS.md says how matrices and rotors are stored.
 */
#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include <stddef.h>
#include <stdint.h>

/** The version of this header; sinew_version() is that of the library. docs/releases.md says what may change when. */
#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 3
#define SINEW_VERSION_PATCH 0
/** One number that grows with each version: `#if SINEW_VERSION_NUMBER >= 300`. */
#define SINEW_VERSION_NUMBER (SINEW_VERSION_MAJOR * 10000 + SINEW_VERSION_MINOR * 100 + SINEW_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a call. The numbers equal the exit status of the program, up to 5. */
typedef enum sinew_status {
  SINEW_OK = 0,
  SINEW_USAGE = 2,       /**< an argument is wrong: an unknown animation, an index out of range */
  SINEW_INPUT = 3,       /**< a file is missing, broken or not allowed */
  SINEW_OUTPUT = 4,      /**< the result could not be written */
  SINEW_UNSUPPORTED = 5, /**< the file is valid but needs an unsupported feature */
  SINEW_LIMIT = 6,       /**< a limit was exceeded, or memory ran out */
  SINEW_DEADLINE = 7,    /**< the time of a sinew::Deadline of the C++ code around the call is over */
  SINEW_CANCELLED = 8    /**< the `stop` of such a Deadline asked for the end */
} sinew_status;

typedef struct sinew_error sinew_error;
typedef struct sinew_model sinew_model;
typedef struct sinew_pose sinew_pose;
typedef struct sinew_player sinew_player;
typedef struct sinew_deformer sinew_deformer;

/** Returns the version of the running library, "MAJOR.MINOR.PATCH". */
const char* sinew_version(void);

/* ---- Errors */

const char* sinew_error_code(const sinew_error* error);    /**< the code of the finding (docs/findings.md) */
const char* sinew_error_message(const sinew_error* error); /**< one line: what was found and what was expected */
const char* sinew_error_line(const sinew_error* error);    /**< "FILE: PLACE: MESSAGE [CODE]" */
const char* sinew_error_file(const sinew_error* error);    /**< the path as the caller passed it; "" without a file */
const char* sinew_error_pointer(const sinew_error* error); /**< JSON pointer into the file, or NULL */
/** Returns 1 and sets the number of bytes from the start of the file, or returns 0 if the error has no offset. */
int sinew_error_offset(const sinew_error* error, uint64_t* offset);
void sinew_error_free(sinew_error* error);

/* ---- Models */

/** Where files come from instead of the file system. Calls may come from several threads. */
typedef struct sinew_files {
  /** Sets the bytes of a file, which stay as they are until `release`, and a handle for it. Returns 0, or nonzero if there is no such file.
   *  `name`: the path that was loaded; for what a model refers to the folder of that path with the decoded URI, "pak://hero/skin 1.png". */
  int (*read)(void* user, const char* name, const void** bytes, size_t* size, void** handle);
  void (*release)(void* user, void* handle); /**< called once for each file that was read, when nothing needs it any more; or NULL */
  void* user;
} sinew_files;

/** Where long-lived data is allocated instead of by the library: the bytes of files that are read, decoded buffers, all arrays of a model,
 *  the index of its JSON text; the packed meshes of a deformer. The struct is copied; `user` must live as long as the model or deformer and
 *  all that is made from it. A call allocates on its own thread; memory comes back on the thread that frees the last owner. */
typedef struct sinew_memory {
  /** Returns `size` bytes, more than 0, at a multiple of `alignment`, a power of two. NULL: there is no memory, and the call fails with
   *  SINEW_LIMIT when it has given back all that it got. If the library was built without exceptions, std::set_new_handler counts. */
  void* (*allocate)(void* user, size_t size, size_t alignment);
  /** Takes back what `allocate` returned for the same numbers; never NULL. */
  void (*deallocate)(void* user, void* memory, size_t size, size_t alignment);
  void* user;
} sinew_memory;

/** Options for loading. Zero members, or NULL for the whole struct, select the defaults. */
typedef struct sinew_load_options {
  uint64_t max_memory;      /**< limit for decoded data in bytes; 0: 2 GiB */
  int force;                /**< read G4MF files despite certain errors (docs/semantics.md) */
  int allow_outside;        /**< allow references to files outside the folder of the file */
  int copy;                 /**< nonzero: copy large files into memory instead of mapping them; needed if they may be shortened meanwhile */
  const char* revision;     /**< read a G4MF file as "2025-08", "2026-01" or "2026-07"; NULL: detect it */
  const sinew_files* files; /**< NULL: the file system; otherwise copied, and used as long as the model or a part of it lives */
  const sinew_memory* memory; /**< NULL: the library allocates by itself */
} sinew_load_options;

/** Reads glTF (.gltf, .glb, .vrm) or G4MF (.g4tf, .g4b). */
sinew_status sinew_load(const char* path, const sinew_load_options* options, sinew_model** model, sinew_error** error);
/** Reads a file in memory and copies its bytes. Messages use `name`; files that the model refers to are read from its folder.
 *  NULL: no other files are read. */
sinew_status sinew_load_memory(const void* bytes, size_t size, const char* name, const sinew_load_options* options, sinew_model** model,
                               sinew_error** error);
void sinew_model_free(sinew_model* model);

/** The kinds of items in a model. */
typedef enum sinew_kind { SINEW_NODES, SINEW_MESHES, SINEW_SKINS, SINEW_ANIMATIONS, SINEW_MATERIALS, SINEW_SCENES } sinew_kind;

size_t sinew_model_dimension(const sinew_model* model);
const char* sinew_model_format(const sinew_model* model);   /**< "glTF" or "G4MF" */
const char* sinew_model_revision(const sinew_model* model); /**< "2.0", "2026-01", … */
size_t sinew_model_count(const sinew_model* model, sinew_kind kind);
/** Returns the name of an item: "" if it is unnamed, NULL if the index is out of range. */
const char* sinew_model_name(const sinew_model* model, sinew_kind kind, size_t index);
/** Finds the index of a node or animation by name ("name:7" for an item with the name 7). */
sinew_status sinew_model_find(const sinew_model* model, sinew_kind kind, const char* name, size_t* index, sinew_error** error);
double sinew_animation_duration(const sinew_model* model, size_t animation); /**< seconds; 0 if the animation does not exist */
size_t sinew_mesh_shapes(const sinew_model* model, size_t mesh);             /**< number of blend shapes */
/** Returns the name of a blend shape: "" if it is unnamed, NULL if it does not exist. */
const char* sinew_mesh_shape_name(const sinew_model* model, size_t mesh, size_t shape);

/** No item: the parent of a root, the joint of an empty slot. */
#define SINEW_NONE ((size_t)-1)
size_t sinew_node_parent(const sinew_model* model, size_t node);             /**< SINEW_NONE: a root, or no such node */
size_t sinew_node_mesh(const sinew_model* model, size_t node);               /**< SINEW_NONE: no mesh, or no such node */
size_t sinew_skin_joints(const sinew_model* model, size_t skin);             /**< number of joint slots; 0 if the skin does not exist */
size_t sinew_skin_joint(const sinew_model* model, size_t skin, size_t slot); /**< the node of a joint slot */

/* ---- Materials */

typedef enum sinew_alpha { SINEW_ALPHA_OPAQUE, SINEW_ALPHA_MASK, SINEW_ALPHA_BLEND } sinew_alpha;
typedef enum sinew_wrap { SINEW_WRAP_REPEAT, SINEW_WRAP_MIRROR, SINEW_WRAP_CLAMP } sinew_wrap;

/** The parts of a material that a simple picture needs: base colour and transparency. All pointers are valid as long as the struct. */
typedef struct sinew_appearance {
  double color[4];         /**< factor of the base colour, linear */
  int alpha;               /**< a sinew_alpha */
  double cutoff;           /**< of SINEW_ALPHA_MASK */
  int double_sided;        /**< nonzero: draw the back as well */
  int unlit;               /**< nonzero: draw the colour without light (KHR_materials_unlit) */
  const void* image;       /**< the picture of the base colour as a file's bytes, not decoded: PNG, JPEG or WebP; NULL: none */
  size_t image_size;       /**< in bytes */
  const char* image_error; /**< one line: why a picture that the file has is left out; otherwise NULL */
  int wrap_s, wrap_t;      /**< each a sinew_wrap */
  int nearest;             /**< nonzero: no interpolation between texels */
  uint32_t set;            /**< of sinew_deformer_texture_coordinates */
  double transform[9];     /**< of texture coordinates (KHR_texture_transform): columns of a 3 × 3 matrix that is applied to (u, v, 1) */
} sinew_appearance;

/** Reads how a material looks, and its picture from where the model came from. Pictures with three dimensions (G4MF) are left out. */
sinew_status sinew_appearance_load(const sinew_model* model, size_t material, sinew_appearance** appearance, sinew_error** error);
void sinew_appearance_free(sinew_appearance* appearance);

/* ---- Poses */

/** Creates a pose, initially the pose stored in the file. */
sinew_status sinew_pose_create(const sinew_model* model, sinew_pose** pose, sinew_error** error);
void sinew_pose_free(sinew_pose* pose);
/** Restores the pose stored in the file. */
sinew_status sinew_pose_reset(sinew_pose* pose, sinew_error** error);
/** Applies an animation at a time, clamped to its keys. Nodes without keys keep their transform. */
sinew_status sinew_pose_sample(sinew_pose* pose, size_t animation, double seconds, sinew_error** error);
/** Sets parts of the local transform of a node. All numbers must be finite. translation and scale: N numbers. */
sinew_status sinew_pose_set_translation(sinew_pose* pose, size_t node, const double* translation, sinew_error** error);
sinew_status sinew_pose_set_scale(sinew_pose* pose, size_t node, const double* scale, sinew_error** error);
/** Sets the rotation as a quaternion (x, y, z, w) as in glTF; three dimensions only. */
sinew_status sinew_pose_set_quaternion(sinew_pose* pose, size_t node, const double* quaternion, sinew_error** error);
/** Sets the rotation as a rotor of `count` numbers, scalar first: [s, xy, xz, yz] in three dimensions. */
sinew_status sinew_pose_set_rotor(sinew_pose* pose, size_t node, const double* rotor, size_t count, sinew_error** error);
/** Replaces rotation and scale by a matrix of N * N numbers, column-major. */
sinew_status sinew_pose_set_basis(sinew_pose* pose, size_t node, const double* basis, sinew_error** error);
/** Sets the amount of each blend shape of the node's mesh. */
sinew_status sinew_pose_set_amounts(sinew_pose* pose, size_t node, const double* amounts, size_t count, sinew_error** error);

/** Turns a node (name or index) about its own origin, in its own axes: first this rotation, then the rotation of the pose. `rotor`: as in
 *  sinew_pose_set_rotor; it is normalised and must not be 0. */
sinew_status sinew_pose_turn(sinew_pose* pose, const char* node, const double* rotor, size_t count, sinew_error** error);
/** Sets the amount of a blend shape: "SHAPE" in every mesh that has it, or "NODE:SHAPE"; by name or index. */
sinew_status sinew_pose_blend(sinew_pose* pose, const char* shape, double amount, sinew_error** error);
/** Turns on `count` expressions of an avatar (VRM, KHR_character) together, and all others off: names ("Joy", "happy") or indices, and
 *  amounts from 0 to 1. Sets the amounts of all blend shapes that expressions bind. */
sinew_status sinew_pose_express(sinew_pose* pose, const char* const* expressions, const double* amounts, size_t count, sinew_error** error);

/** Read parts of the local transform of a node into the caller's memory. Translation and scale: N numbers. Rotor: 2^(N-1) numbers, scalar
 *  first. Matrix: N * (N + 1) numbers, column-major, the translation last. SINEW_USAGE for rotor and scale of a node that has a basis. */
sinew_status sinew_pose_get_translation(const sinew_pose* pose, size_t node, double* translation, sinew_error** error);
sinew_status sinew_pose_get_scale(const sinew_pose* pose, size_t node, double* scale, sinew_error** error);
sinew_status sinew_pose_get_rotor(const sinew_pose* pose, size_t node, double* rotor, sinew_error** error);
sinew_status sinew_pose_get_matrix(const sinew_pose* pose, size_t node, double* matrix, sinew_error** error);
/** Reads the amounts of all `count` blend shapes of the node's mesh. */
sinew_status sinew_pose_get_amounts(const sinew_pose* pose, size_t node, double* amounts, size_t count, sinew_error** error);
/** Reads the world transforms of all nodes, those that follow others (VRMC_node_constraint) among them: N * (N + 1) numbers each,
 * column-major, the translation last. */
sinew_status sinew_pose_get_world(const sinew_pose* pose, double* matrices, sinew_error** error);

/* ---- Playing */

/** A clip that a player plays together with others. The rules of blending are those of include/sinew/play.hpp. Zeros are no defaults: set at
 *  least `animation`, `weight` and `speed`. */
typedef struct sinew_played_clip {
  size_t animation;
  double weight;     /**< at least 0 */
  double speed;      /**< seconds of the clip per second; negative: backwards */
  double seconds;    /**< the time in the clip */
  int holds;         /**< 0: the clip loops; otherwise it stays at the end that it reaches */
  int additive;      /**< 0: shares properties by weight; otherwise adds its difference from its state at 0 seconds */
  const float* mask; /**< a number from 0 to 1 per node, how much of the weight counts there; NULL: all of it everywhere */
} sinew_played_clip;

/** Creates a player of `count` clips, with the pose of their times. `root`: a node whose translation stays as stored, because
 *  sinew_player_advance gives its movement; SINEW_NONE: no such node. Keeps the model. One thread at a time may use it. */
sinew_status sinew_player_create(const sinew_model* model, const sinew_played_clip* clips, size_t count, size_t root, sinew_player** player,
                                 sinew_error** error);
void sinew_player_free(sinew_player* player);
/** These count from the next sinew_player_advance. `clip`: the place in the list. */
sinew_status sinew_player_set_weight(sinew_player* player, size_t clip, double weight, sinew_error** error);
sinew_status sinew_player_set_speed(sinew_player* player, size_t clip, double speed, sinew_error** error);
sinew_status sinew_player_seek(sinew_player* player, size_t clip, double seconds, sinew_error** error);
/** Returns the time in a clip; 0 if it does not exist. */
double sinew_player_seconds(const sinew_player* player, size_t clip);
/** Moves all clips on and computes the pose. `pose`: of the same model, gets it; or NULL. `root_motion`: N numbers, by how much the clips
 *  moved the root, in the space of its parent; or NULL. */
sinew_status sinew_player_advance(sinew_player* player, double seconds, sinew_pose* pose, double* root_motion, sinew_error** error);
/** Reads the world transform of one node: N * (N + 1) numbers, column-major, the translation last. */
sinew_status sinew_player_get_world(const sinew_player* player, size_t node, double* matrix, sinew_error** error);
/** Does the same for a node by name or index, as sinew_model_find: a hand that holds a sword. */
sinew_status sinew_player_get_socket(const sinew_player* player, const char* node, double* matrix, sinew_error** error);

/* ---- Deforming */

/** The normals that a deformer computes. */
typedef enum sinew_normals {
  SINEW_NORMALS_OFF,
  SINEW_NORMALS_STORED,  /**< stored normals of vertices; rows of meshes without them become NaN */
  SINEW_NORMALS_COMPUTED /**< stored normals; else the mean of the deformed triangles around a vertex, weighted by area */
} sinew_normals;

/** Options for deforming. Zero members, or NULL for the whole struct, select the defaults. */
typedef struct sinew_deformer_options {
  int normals;             /**< a sinew_normals */
  int tangents;            /**< nonzero: stored tangents; rows of meshes without them become NaN */
  uint32_t max_influences; /**< use only the strongest influences of each vertex, renormalised; 0: all */
  int choose_scene;        /**< 0: the default scene; otherwise `scene` */
  size_t scene;
  const sinew_memory* memory; /**< for the packed meshes; NULL: the library allocates by itself */
} sinew_deformer_options;

/** Prepares all drawn meshes of a scene for any number of poses. Fails, with the place, for everything that cannot be deformed. */
sinew_status sinew_deformer_create(const sinew_model* model, const sinew_deformer_options* options, sinew_deformer** deformer,
                                   sinew_error** error);
void sinew_deformer_free(sinew_deformer* deformer);
/** Makes a deformer for another thread; it shares the packed meshes. */
sinew_status sinew_deformer_copy(const sinew_deformer* deformer, sinew_deformer** copy, sinew_error** error);
size_t sinew_deformer_vertices(const sinew_deformer* deformer); /**< number of rows: vertices, instance after instance */
size_t sinew_deformer_instances(const sinew_deformer* deformer);
/** Returns the triangles of all instances, three rows each, and sets the number of indices. They are valid as long as the
 *  deformer. In other dimensions than three: simplexes of max(N, 3) rows. NULL if there are none, or if memory runs out. */
const uint32_t* sinew_deformer_triangles(const sinew_deformer* deformer, size_t* count);

/** The triangles of one surface of a drawn mesh. */
typedef struct sinew_triangle_range {
  size_t first, count; /**< triangles of sinew_deformer_triangles; ranges follow each other without gaps */
  size_t instance;     /**< as in sinew_deformer_instance */
  size_t surface;      /**< of the mesh; glTF: the primitive */
  size_t material;     /**< as in sinew_model_name; SINEW_NONE: none */
} sinew_triangle_range;
/** Returns which surface and material the triangles have, in their order, and sets the number of ranges. They are valid as long as the
 *  deformer. NULL if there are none, or if memory runs out. */
const sinew_triangle_range* sinew_deformer_triangle_ranges(const sinew_deformer* deformer, size_t* count);

/** The influences of all rows, compressed: row r has the entries first[r] to first[r + 1] - 1. A node occurs once in a row. glTF: weights
 *  as stored; G4MF: their sum is 1. Vertices that no joint moves follow the node of their mesh, with the weight 1. */
typedef struct sinew_influences {
  const size_t* first;   /**< sinew_deformer_vertices + 1 numbers */
  const uint32_t* nodes; /**< first[sinew_deformer_vertices] numbers, as are the weights; NULL if that is 0 */
  const float* weights;
} sinew_influences;
/** Reads the nodes that each row follows; `max_influences` of the options counts. The arrays are valid as long as the deformer. */
sinew_status sinew_deformer_influences(const sinew_deformer* deformer, sinew_influences* influences, sinew_error** error);
/** Fills the texture coordinates of each row (TEXCOORD_n with n = `set`): two numbers, NaN where a mesh has none. Blend shapes move them
 *  by the amounts of the pose. SINEW_USAGE for G4MF, which stores them by corner. */
sinew_status sinew_deformer_texture_coordinates(const sinew_deformer* deformer, const sinew_pose* pose, uint32_t set, float* coordinates,
                                                sinew_error** error);
/** Fills a box for each node of the model: around the rows that have a weight of more than `above` (finite, at least 0) for it. A box is N
 *  minima, then N maxima, in world space; NaN if no row follows the node. `positions`: packed rows, as sinew_deform fills them. */
sinew_status sinew_deformer_bone_boxes(const sinew_deformer* deformer, const float* positions, double above, float* boxes,
                                       sinew_error** error);

/** Where a ray meets a deformed mesh. */
typedef struct sinew_ray_hit {
  size_t instance;       /**< as in sinew_deformer_instance */
  size_t triangle;       /**< its corners are indices 3 * triangle and following of sinew_deformer_triangles */
  double barycentric[3]; /**< weights of the corners; their sum is 1 */
  double distance;       /**< from the origin, in lengths of the direction */
} sinew_ray_hit;
/** Finds the nearest triangle that a ray in world space meets, from either side; three dimensions only. `positions`: packed rows of three
 *  numbers, as sinew_deform fills them. `origin`, `direction`: three finite numbers; the direction is not 0. `found`: 0 if there is none,
 *  and `hit` then stays as it is. */
sinew_status sinew_deformer_hit(const sinew_deformer* deformer, const float* positions, const double* origin, const double* direction,
                                sinew_ray_hit* hit, int* found, sinew_error** error);

/** A drawn mesh and its rows. */
typedef struct sinew_instance {
  size_t node, mesh;
  size_t first, vertices;
} sinew_instance;
sinew_status sinew_deformer_instance(const sinew_deformer* deformer, size_t index, sinew_instance* instance, sinew_error** error);

/** Memory for the results: one row per vertex, float32, in world space; NULL skips a channel. `stride` is the distance between rows in
 *  bytes: a multiple of 4, at least one row; 0: packed. */
typedef struct sinew_output {
  float* positions; /**< N numbers per row */
  size_t positions_stride;
  float* normals; /**< N numbers per row */
  size_t normals_stride;
  float* tangents; /**< 4 numbers per row */
  size_t tangents_stride;
} sinew_output;

/** Deforms all vertices on up to `threads` threads (0: all cores). Results are bit for bit the same for any number of threads.
 *  `pose` must belong to the same model. On failure the outputs are undefined. */
sinew_status sinew_deform(sinew_deformer* deformer, const sinew_pose* pose, const sinew_output* output, unsigned threads,
                          sinew_error** error);

/** Many poses of one model as arrays of the caller, in C order: B = `poses`, J = `nodes`, S = `amounts_per_pose`, N dimensions. NULL leaves
 *  a part as stored in the file. Matrices act on column vectors and are stored row by row; their last row is 0 ... 0 1. Give one of three:
 *  `local`; `world`; or any of `translation`, `rotor` and `scale`. */
typedef struct sinew_pose_arrays {
  size_t poses;
  size_t nodes;              /**< must be the number of nodes of the model */
  size_t amounts_per_pose;   /**< with `amounts`: must be the number of blend shapes of all nodes with a mesh */
  const double* local;       /**< (B, J, N+1, N+1): transforms relative to the parent */
  const double* world;       /**< (B, J, N+1, N+1): world transforms, independent of the parents */
  const double* translation; /**< (B, J, N) */
  const double* rotor;       /**< (B, J, 2^(N-1)), as in sinew_pose_set_rotor */
  const double* scale;       /**< (B, J, N) */
  const double* amounts;     /**< (B, S): blend shapes, node after node */
} sinew_pose_arrays;

/** Deforms all vertices for many poses: B times sinew_deformer_vertices rows, one pose after the other. Each thread computes whole poses;
 *  results are bit for bit those of sinew_deform. Numbers that are not finite and wrong last rows give SINEW_USAGE with pose and node. The
 *  call does not change the arrays and keeps none. On failure the outputs are undefined. */
sinew_status sinew_deform_many(sinew_deformer* deformer, const sinew_pose_arrays* poses, const sinew_output* output, unsigned threads,
                               sinew_error** error);

/* ---- Bounds */

/** Options for bounds. Zero members, or NULL for the whole struct, select the defaults. */
typedef struct sinew_bounds_options {
  int choose_animation; /**< 0: the stored pose and all animations; otherwise the stored pose and `animation` (SINEW_NONE: none) */
  size_t animation;
  int choose_range; /**< 0: blend amounts as stored and animated; otherwise any from `least_amount` to `most_amount` */
  double least_amount, most_amount;
  double slack;     /**< how far a side may lie outside the reach of the vertices, relative to the diagonal of the box; 0: 0.01 */
  int choose_scene; /**< 0: the default scene; otherwise `scene` */
  size_t scene;
  unsigned threads; /**< 0: all cores */
} sinew_bounds_options;

/** Computes boxes in world space that contain every vertex at every time of the animations, also between keys. A box is N minima, then N
 *  maxima; NaN if there are no vertices. `all`: one box, or NULL. `instances`: a box for each drawn mesh, in the order of
 *  sinew_deformer_instance, or NULL. `count`: the number of boxes in `instances`; it must equal the number of drawn meshes. */
sinew_status sinew_bounds(const sinew_model* model, const sinew_bounds_options* options, float* all, float* instances, size_t count,
                          sinew_error** error);

/* ---- Comparing */

/** The result of a comparison (docs/compare.md). */
typedef enum sinew_verdict {
  SINEW_EQUAL_IN_EVERY_POSE = 0, /**< proved, and the animations are equal where sampled */
  SINEW_EQUAL_WHERE_SAMPLED = 1,
  SINEW_DIFFERENT = 2,
  SINEW_NOT_COMPARABLE = 3
} sinew_verdict;

typedef struct sinew_comparison {
  sinew_verdict verdict;
  double diagonal; /**< of the box around the first model at rest, in metres */
  double max;      /**< the largest distance of two vertices where sampled, in metres; infinite if nothing could be compared */
  double
      bound; /**< no vertex is further away, in metres, while joints only turn and blend amounts are between 0 and 1; infinite: no bound */
} sinew_comparison;

/** Compares the deformed vertices of two models of any format: at rest, in all animations, in stress poses and with every blend shape.
 *  `tolerance`: the largest distance, relative to the diagonal, of equal vertices. `threads`: 0 for all cores. */
sinew_status sinew_compare(const sinew_model* a, const sinew_model* b, double tolerance, unsigned threads, sinew_comparison* comparison,
                           sinew_error** error);

/* ---- Bending */

typedef struct sinew_flex sinew_flex;

/** Options for bending. Zero members, or NULL for the whole struct, select the defaults. */
typedef struct sinew_flex_options {
  const char* kinds;    /**< only these kinds of findings, with commas: "tear,spike"; NULL: all */
  int choose_animation; /**< 0: all animations; otherwise only `animation` (SINEW_NONE: none) */
  size_t animation;
  double angle;     /**< of stress poses, in degrees, up to 180; 0: 45 and 90 */
  int names;        /**< nonzero: know the bones of a humanoid by their names */
  int choose_scene; /**< 0: the default scene; otherwise `scene` */
  size_t scene;
  unsigned threads; /**< 0: all cores */
} sinew_flex_options;

typedef enum sinew_severity { SINEW_SEVERITY_ERROR, SINEW_SEVERITY_WARNING, SINEW_SEVERITY_NOTE } sinew_severity;
typedef enum sinew_flex_pose { SINEW_FLEX_REST, SINEW_FLEX_STRESS, SINEW_FLEX_ANIMATION, SINEW_FLEX_SHAPE } sinew_flex_pose;

/** Bad deformation: the worst pose of a joint or blend shape for one code (docs/flex.md). Pointers live as long as the report. */
typedef struct sinew_flex_finding {
  const char* code; /**< "FLEX_TEAR" */
  const char* message;
  int severity;        /**< a sinew_severity */
  int pose;            /**< a sinew_flex_pose; `message` names blend shapes */
  size_t joint;        /**< the responsible node; SINEW_NONE: none */
  double value, limit; /**< in `unit`: "diagonal", "ratio", "weight" or "count" */
  const char* unit;
  size_t plane[2]; /**< SINEW_FLEX_STRESS: `joint` turns by `degrees` from one of its axes towards the other one */
  double degrees;
  size_t animation; /**< SINEW_FLEX_ANIMATION: at `seconds`; otherwise SINEW_NONE */
  double seconds;
  size_t count;       /**< vertices beyond the limit (FLEX_FLIP: triangles, FLEX_SELF: pairs) */
  const size_t* rows; /**< all vertices beyond the limit: rows of a deformer of the scene, ascending */
  size_t row_count;
} sinew_flex_finding;

/** Bends the rig in every joint, animation and blend shape, and finds where vertices deform badly. */
sinew_status sinew_flex_create(const sinew_model* model, const sinew_flex_options* options, sinew_flex** report, sinew_error** error);
void sinew_flex_free(sinew_flex* report);
size_t sinew_flex_count(const sinew_flex* report);
/** Reads a finding; the most severe come first. */
sinew_status sinew_flex_get(const sinew_flex* report, size_t index, sinew_flex_finding* finding, sinew_error** error);
/** Returns "CODE: REASON" of a check that did not run; NULL: there are not so many. */
const char* sinew_flex_skipped(const sinew_flex* report, size_t index);

/* ---- Checking */

/** Checks a file against the rules of its format. `json`: the report as `sinew validate --format json` writes it; free it with
 *  sinew_string_free. `errors`: the number of errors, unless NULL. Broken files have a report; the call fails only if the file cannot be
 *  opened. */
sinew_status sinew_validate(const char* path, char** json, uint64_t* errors, sinew_error** error);
void sinew_string_free(char* string);

#ifdef __cplusplus
}
#endif

#endif
