/* SPDX-License-Identifier: MIT
 *
 * The C interface (C99): load, pose, deform into the caller's memory, validate. For C and for whatever speaks C (docs/c.md).
 *
 * Ownership: what a function makes is the caller's, to be given back to the sinew_…_free of its kind, which takes NULL too. Texts that a
 * handle returns (const char*, UTF-8, ending in 0) live as long as the handle. Handles made from a model keep what they need of it.
 * Failures: a function returns SINEW_OK or why it did not deliver; then `*error`, where `error` is not NULL, is the caller's, and results
 * are not touched. Arguments that must not be NULL are a failure (SINEW_USAGE) where they are. No exception leaves a function.
 * Threads: a model may be used by many threads at once. A pose, a deformer and an error are for one thread at a time.
 * Units are metres, seconds and radians; CONVENTIONS.md says how matrices and rotors are stored.
 */
#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Why a call did not deliver. The numbers are those of the program's exit status, but for SINEW_LIMIT. */
typedef enum sinew_status {
  SINEW_OK = 0,
  SINEW_USAGE = 2,       /**< what was asked for makes no sense: an unknown animation, an index out of range */
  SINEW_INPUT = 3,       /**< a file is missing, broken or refused */
  SINEW_OUTPUT = 4,      /**< the result could not be written */
  SINEW_UNSUPPORTED = 5, /**< the file is fine, the library cannot do it */
  SINEW_LIMIT = 6        /**< a limit or memory ran out */
} sinew_status;

typedef struct sinew_error sinew_error;
typedef struct sinew_model sinew_model;
typedef struct sinew_pose sinew_pose;
typedef struct sinew_deformer sinew_deformer;

/** The semantic version of the library that is running, "MAJOR.MINOR.PATCH". */
const char* sinew_version(void);

/* ---- Errors */

const char* sinew_error_code(const sinew_error* error);    /**< a name of the findings catalogue (docs/findings.md) */
const char* sinew_error_message(const sinew_error* error); /**< one line: what was found, what was expected */
const char* sinew_error_line(const sinew_error* error);    /**< "FILE: PLACE: MESSAGE [CODE]" */
const char* sinew_error_file(const sinew_error* error);    /**< as the caller named it; "": there is no file */
const char* sinew_error_pointer(const sinew_error* error); /**< JSON pointer into the file; NULL: none */
/** 1 and the bytes from the start of the file, or 0 where the place has no offset. */
int sinew_error_offset(const sinew_error* error, uint64_t* offset);
void sinew_error_free(sinew_error* error);

/* ---- Models */

/** All zero (or NULL for the whole): the defaults. */
typedef struct sinew_load_options {
  uint64_t max_memory;  /**< bytes; 0: 2 GiB */
  int force;            /**< read G4MF files with certain mistakes all the same */
  int allow_outside;    /**< let a file name buffers outside of its folder */
  int copy;             /**< read large files instead of mapping them: for files that others may shorten while the model lives */
  const char* revision; /**< take a G4MF file for one of "2025-08", "2026-01", "2026-07"; NULL: as the file is */
} sinew_load_options;

/** Reads glTF (.gltf, .glb, .vrm) or G4MF (.g4tf, .g4b). */
sinew_status sinew_load(const char* path, const sinew_load_options* options, sinew_model** model, sinew_error** error);
/** The same of a file in memory, which is copied. `name`: what messages call it, and in whose folder other files that it names lie;
 *  NULL: they lie nowhere. */
sinew_status sinew_load_memory(const void* bytes, size_t size, const char* name, const sinew_load_options* options, sinew_model** model,
                               sinew_error** error);
void sinew_model_free(sinew_model* model);

/** What a model has lists of. */
typedef enum sinew_kind { SINEW_NODES, SINEW_MESHES, SINEW_SKINS, SINEW_ANIMATIONS, SINEW_MATERIALS, SINEW_SCENES } sinew_kind;

size_t sinew_model_dimension(const sinew_model* model);
const char* sinew_model_format(const sinew_model* model);   /**< "glTF" or "G4MF" */
const char* sinew_model_revision(const sinew_model* model); /**< "2.0", "2026-01", … */
size_t sinew_model_count(const sinew_model* model, sinew_kind kind);
/** The name of a thing, "" where it has none; NULL where there is no such thing. */
const char* sinew_model_name(const sinew_model* model, sinew_kind kind, size_t index);
/** The index of the node or animation of that name ("name:7" for one that is called 7). */
sinew_status sinew_model_find(const sinew_model* model, sinew_kind kind, const char* name, size_t* index, sinew_error** error);
double sinew_animation_duration(const sinew_model* model, size_t animation); /**< seconds; 0 where there is no such animation */
size_t sinew_mesh_shapes(const sinew_model* model, size_t mesh);             /**< number of blend shapes */

/* ---- Poses */

/** A pose: at first the file's own state. */
sinew_status sinew_pose_create(const sinew_model* model, sinew_pose** pose, sinew_error** error);
void sinew_pose_free(sinew_pose* pose);
/** Back to the file's own state. */
sinew_status sinew_pose_reset(sinew_pose* pose, sinew_error** error);
/** The state of an animation at a time, on top of what the pose holds. Keys clamp. */
sinew_status sinew_pose_sample(sinew_pose* pose, size_t animation, double seconds, sinew_error** error);
/** Parts of a node's local transform; all numbers finite. translation and scale: N numbers. */
sinew_status sinew_pose_set_translation(sinew_pose* pose, size_t node, const double* translation, sinew_error** error);
sinew_status sinew_pose_set_scale(sinew_pose* pose, size_t node, const double* scale, sinew_error** error);
/** glTF's quaternion (x, y, z, w), in three dimensions. */
sinew_status sinew_pose_set_quaternion(sinew_pose* pose, size_t node, const double* quaternion, sinew_error** error);
/** `count` numbers, scalar first: [s, xy, xz, yz] in three dimensions. */
sinew_status sinew_pose_set_rotor(sinew_pose* pose, size_t node, const double* rotor, size_t count, sinew_error** error);
/** N * N numbers, column by column, instead of rotation and scale. */
sinew_status sinew_pose_set_basis(sinew_pose* pose, size_t node, const double* basis, sinew_error** error);
/** One amount per blend shape of the mesh that the node carries. */
sinew_status sinew_pose_set_amounts(sinew_pose* pose, size_t node, const double* amounts, size_t count, sinew_error** error);

/* ---- Deforming */

/** All zero (or NULL for the whole): the defaults. */
typedef struct sinew_deformer_options {
  int normals, tangents;   /**< pack what they need */
  uint32_t max_influences; /**< the first ones of each vertex as stored, renormalised; 0: all */
  int choose_scene;        /**< 0: the default scene, else `scene` */
  size_t scene;
} sinew_deformer_options;

/** All drawn meshes of a scene, packed once, for any number of poses. */
sinew_status sinew_deformer_create(const sinew_model* model, const sinew_deformer_options* options, sinew_deformer** deformer,
                                   sinew_error** error);
void sinew_deformer_free(sinew_deformer* deformer);
/** Another one for another thread, which shares the packed meshes. */
sinew_status sinew_deformer_copy(const sinew_deformer* deformer, sinew_deformer** copy, sinew_error** error);
size_t sinew_deformer_vertices(const sinew_deformer* deformer); /**< rows: vertices, instance after instance */
size_t sinew_deformer_instances(const sinew_deformer* deformer);

/** A drawn mesh and its rows. */
typedef struct sinew_instance {
  size_t node, mesh;
  size_t first, vertices;
} sinew_instance;
sinew_status sinew_deformer_instance(const sinew_deformer* deformer, size_t index, sinew_instance* instance, sinew_error** error);

/** Where results go: a row per vertex, float32, in world space; NULL: not wanted. Rows are `stride` bytes apart (a multiple of 4, at least
 *  a row; 0: packed). Rows of meshes without normals or tangents are left as they are. */
typedef struct sinew_output {
  float* positions; /**< N numbers a row */
  size_t positions_stride;
  float* normals; /**< N numbers a row */
  size_t normals_stride;
  float* tangents; /**< 4 numbers a row */
  size_t tangents_stride;
} sinew_output;

/** Deforms all vertices on up to `threads` threads (0: all cores); the number does not change a bit of the result. `pose`: of the same
 *  model. On failure the content of the outputs is undefined. */
sinew_status sinew_deform(sinew_deformer* deformer, const sinew_pose* pose, const sinew_output* output, unsigned threads,
                          sinew_error** error);

/* ---- Checking */

/** Checks every rule of a file's format. `json`: the report as text, as `sinew validate --format json` writes it, to be given to
 *  sinew_string_free; `errors`, where not NULL: how many findings are errors. Broken files have a report; only what cannot be opened fails.
 */
sinew_status sinew_validate(const char* path, char** json, uint64_t* errors, sinew_error** error);
void sinew_string_free(char* string);

#ifdef __cplusplus
}
#endif

#endif
