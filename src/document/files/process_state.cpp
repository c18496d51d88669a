// SPDX-License-Identifier: MIT
#include "document/files/process_state.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "base/path_text.hpp"
#include "document/files/platform.hpp"

#include "sinew/document.hpp"

namespace sinew::document {

enum class State : int { free, filling, ready };

struct RecordedPath::Slot {
  std::atomic<State> state = State::free;
  std::array<char, 4096> path{};
  const std::byte* address = nullptr;
  std::size_t length = 0;
};

// Uses no locks and no allocation, because a signal may come at any instruction.
struct RecordedPath::Table {
  static_assert(std::atomic<State>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

  Slot* note(const std::filesystem::path& path, const void* address, std::size_t length) {
    for (Slot& slot : slots) {
      State expected = State::free;
      if (!slot.state.compare_exchange_strong(expected, State::filling)) continue;
      const std::size_t size = path_text(path).copy(slot.path.data(), slot.path.size() - 1);
      slot.path[size] = '\0';
      slot.address = static_cast<const std::byte*>(address);
      slot.length = length;
      slot.state = State::ready;
      while (closed) platform::wait_for_end();  // the handler may have passed this slot; the process is ending
      return &slot;
    }
    return nullptr;
  }

  std::array<Slot, 32> slots;
  std::atomic<bool> closed = false;
};

// Initialised at compile time, so that a handler needs no guard.
RecordedPath::Table& RecordedPath::outputs() {
  static constinit Table table;
  return table;
}
RecordedPath::Table& RecordedPath::mappings() {
  static constinit Table table;
  return table;
}

RecordedPath RecordedPath::output(const std::filesystem::path& temporary) {
  RecordedPath recorded;
  recorded.slot_ = outputs().note(temporary, nullptr, 0);
  return recorded;
}

RecordedPath RecordedPath::mapping(const std::filesystem::path& file, const void* address, std::size_t length) {
  RecordedPath recorded;
  recorded.slot_ = mappings().note(file, address, length);
  return recorded;
}

RecordedPath::~RecordedPath() {
  if (slot_ != nullptr) slot_->state = State::free;
}

void remove_unfinished_outputs() noexcept {
  RecordedPath::Table& table = RecordedPath::outputs();
  table.closed = true;
  for (const RecordedPath::Slot& slot : table.slots)
    if (slot.state == State::ready) platform::remove_in_handler(slot.path.data());
}

const char* mapped_file_at(const void* address) noexcept {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  for (const RecordedPath::Slot& slot : RecordedPath::mappings().slots) {
    const auto begin = reinterpret_cast<std::uintptr_t>(slot.address);
    if (slot.state == State::ready && wanted >= begin && wanted - begin < slot.length) return slot.path.data();
  }
  return nullptr;
}

}  // namespace sinew::document
