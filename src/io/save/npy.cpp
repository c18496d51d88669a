// SPDX-License-Identifier: MIT
#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "document/files/output.hpp"
#include "io/save/flat_scene.hpp"
#include "io/save/formats.hpp"
#include "io/save/npy_header.hpp"

#include "sinew/save.hpp"

namespace sinew::io {

struct NpyWriter::State {
  State(document::OutputFile file_, std::size_t missing_) : file(std::move(file_)), missing(missing_) {}

  document::OutputFile file;
  std::size_t missing;      ///< values still expected
  std::vector<float> held;  ///< the values that the thread writes
  Result<> outcome;         ///< of the thread
  std::jthread writing;

  /// Waits for the writing thread, if there is one.
  [[nodiscard]] Result<> settle() {
    if (writing.joinable()) writing.join();
    return std::exchange(outcome, {});
  }
};

NpyWriter::NpyWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
NpyWriter::NpyWriter(NpyWriter&&) noexcept = default;
NpyWriter& NpyWriter::operator=(NpyWriter&&) noexcept = default;
NpyWriter::~NpyWriter() = default;

Result<NpyWriter> NpyWriter::create(const std::filesystem::path& path, const std::vector<std::size_t>& shape, OutputName name) SINEW_TRY {
  auto file = document::OutputFile::create(path, name);
  if (!file) return Unexpected(std::move(file.error()));
  if (auto written = file->write(npy_header("<f4", shape)); !written) return Unexpected(std::move(written.error()));
  std::size_t values = 1;
  for (const std::size_t extent : shape) values *= extent;
  return NpyWriter(std::make_unique<State>(std::move(*file), values));
}
SINEW_CATCH()

Result<> NpyWriter::write(std::span<const float> values) SINEW_TRY {
  assert(values.size() <= state_->missing);
  if (auto settled = state_->settle(); !settled) return settled;
  state_->missing -= values.size();
  return state_->file.write(std::as_bytes(values));
}
SINEW_CATCH()

Result<> NpyWriter::write_behind(std::vector<float>& values) SINEW_TRY {
  assert(values.size() <= state_->missing);
  if (auto settled = state_->settle(); !settled) return settled;
  state_->missing -= values.size();
  state_->held.swap(values);
  const auto write = [state = state_.get()] { state->outcome = state->file.write(std::as_bytes(std::span(state->held))); };
  try {
    state_->writing = std::jthread(write);
  } catch (const std::system_error&) {  // the system has no more threads
    write();
  }
  return {};
}
SINEW_CATCH()

Result<> NpyWriter::finish() SINEW_TRY {
  assert(state_->missing == 0);
  if (auto settled = state_->settle(); !settled) return settled;
  return state_->file.commit();
}
SINEW_CATCH()

Result<> save_npy(const Model& model, const Target& to, std::vector<std::string>& /*notes*/) {
  const FlatScene scene = flatten(model);
  auto writer = NpyWriter::create(to.path, {scene.vertices, model.dimension}, to.name);
  if (!writer) return Unexpected(std::move(writer.error()));
  for (const FlatInstance& instance : scene.instances)
    for (const FlatBlock& block : instance.blocks)
      if (auto written = writer->write(rows_of(*block.block, Semantic::position).values); !written) return written;
  return writer->finish();
}

}  // namespace sinew::io
