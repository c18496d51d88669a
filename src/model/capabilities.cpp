// SPDX-License-Identifier: MIT
#include "sinew/model.hpp"

namespace sinew {

namespace {

bool is_g4mf(const Model& model) { return model.format == "G4MF"; }

}  // namespace

bool Model::binds_by_stored_pose() const { return is_g4mf(*this); }
bool Model::stores_values_by_corner() const { return is_g4mf(*this); }
bool Model::stores_shear() const { return is_g4mf(*this); }
bool Model::has_root_node() const { return is_g4mf(*this); }
bool Model::requires_unique_names() const { return is_g4mf(*this); }
bool Model::normalizes_rotors() const { return is_g4mf(*this); }

}  // namespace sinew
