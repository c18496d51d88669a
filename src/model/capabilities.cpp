// SPDX-License-Identifier: MIT
#include "sinew/model.hpp"

namespace sinew {

namespace {

bool is_g4mf(const Model& model) { return model.format == "G4MF"; }

}  // namespace

bool Model::binds_by_stored_pose() const noexcept { return is_g4mf(*this); }
bool Model::stores_values_by_corner() const noexcept { return is_g4mf(*this); }
bool Model::stores_shear() const noexcept { return is_g4mf(*this); }
bool Model::has_root_node() const noexcept { return is_g4mf(*this); }
bool Model::requires_unique_names() const noexcept { return is_g4mf(*this); }
bool Model::normalizes_rotors() const noexcept { return is_g4mf(*this); }

std::string_view to_string(Skin::Bind bind) noexcept {
  switch (bind) {
    case Skin::Bind::matrices:
      return "matrices";
    case Skin::Bind::identity:
      return "identity";
    case Skin::Bind::stored_pose:
      return "stored pose";
    case Skin::Bind::skeleton_pose:
      break;
  }
  return "skeleton's stored pose";
}

}  // namespace sinew
