// SPDX-License-Identifier: MIT
#include "model/edit_reporter.hpp"

#include <utility>

#include "base/catalogue_edit.hpp"
#include "model/place.hpp"

namespace sinew {

void EditReporter::lost(std::string pointer, const std::string& what) const {
  using operations::operator""_code;
  sink_.add(finding("SINEW_EDIT_LOST"_code, std::move(pointer), what));
}

void EditReporter::changed(std::string pointer, const std::string& what) const {
  using operations::operator""_code;
  sink_.add(finding("SINEW_EDIT_CHANGED"_code, std::move(pointer), what));
}

std::string EditReporter::pointer(SourceId at) const { return model_ == nullptr ? std::string() : pointer_of(*model_, at); }

}  // namespace sinew
