// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace sinew {

/// Where long-lived data is allocated instead of by operator new: an arena or a counted heap of an engine. It belongs to one call
/// (OpenOptions::memory, DeformerOptions::memory, PrepareOptions::memory), never to the process, and must outlive every object that the
/// call makes and all copies of it: they share its memory. The functions have the names and arguments of std::pmr::memory_resource, which
/// cannot return null and so needs exceptions.
///
/// It holds, array by array and without spare room:
/// - of a model: the bytes of files that are read, decoded buffers and images, the index of the JSON text, and all arrays;
/// - of a Deformer or Prepared: the packed meshes, and the triangles around vertices for computed normals.
/// Outside are mapped files (FileAccess::copy reads them) and the bytes of a FileSource; names, and lists of nodes, meshes, tracks and so
/// on; memory that a call frees before it returns; the memory that a Deformer keeps from one pose to the next.
///
/// Threads: a call allocates on the thread that makes it. Memory comes back on the thread that destroys its last owner. So a resource needs
/// a lock if you load or prepare on several threads at once, or let go of a model on another one.
class MemoryResource {
 public:
  MemoryResource() = default;
  MemoryResource(const MemoryResource&) = delete;
  MemoryResource& operator=(const MemoryResource&) = delete;
  virtual ~MemoryResource() = default;

  /// Returns `bytes` bytes, more than 0, at a multiple of `alignment`: a power of two, now always that of std::max_align_t. Null: there is
  /// no memory, and the call fails with SINEW_NO_MEMORY when it has given back all that it got. Without exceptions: calls the new-handler
  /// of the program and tries again, as operator new does; without a handler the program ends.
  [[nodiscard]] virtual void* allocate(std::size_t bytes, std::size_t alignment) noexcept = 0;
  /// Takes back what `allocate` returned for the same numbers; never null.
  virtual void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept = 0;
};

}  // namespace sinew
