// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

/// What program.js does for the program. Numbers of errors are those of the C library (WASI). Paths are not terminated by 0.
#define HOST(name) extern "C" __attribute__((import_module("sinew"), import_name(#name)))

namespace host {

struct Status {
  double kind;  ///< 0: regular, 1: folder, 2: device, 3: socket, 4: pipe, 5: link
  double size;
  double permissions;
  double device, number;  ///< the same for all names of a file
};

enum Opening : int { to_read, to_write, new_file };

enum PathWork : int { work_rename, work_remove_file, work_remove_folder, work_remove_all, work_make_folder, work_may_write };

enum PathText : int { text_real, text_link, text_current, text_names };

}  // namespace host

/// Each returns 0 or the number of an error.
HOST(status) int host_status(const char* path, std::size_t length, int follow, host::Status* status);
HOST(status_of) int host_status_of(int file, host::Status* status);
HOST(path_work) int host_path_work(host::PathWork work, const char* path, std::size_t length, const char* other, std::size_t other_length);
HOST(close) int host_close(int file);
HOST(store) int host_store(int file);
HOST(permissions) int host_permissions(int file, int permissions);
/// Each returns what it opened, read, wrote or found, or the number of an error below zero. `offset`: negative where the last one ended.
HOST(open) int host_open(const char* path, std::size_t length, host::Opening how, int permissions);
HOST(read) int host_read(int file, void* to, std::size_t size);
HOST(write) int host_write(int file, const void* from, std::size_t size, double offset);
/// The text is kept for host_take, which copies it. Names are separated by 0.
HOST(path_text) int host_path_text(host::PathText what, const char* path, std::size_t length);
HOST(take) void host_take(char* to);
