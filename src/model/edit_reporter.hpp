// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sinew/model.hpp"
#include "sinew/result.hpp"

namespace sinew {

/// Reports losses of an edit (SINEW_EDIT_LOST, a warning) and its other changes (SINEW_EDIT_CHANGED, a hint), each at its place in the
/// edit's input: a JSON pointer, or the pointer of an entity of the model.
class EditReporter {
 public:
  /// The sink and the model must outlive the reporter. Without a model only JSON pointers name places.
  explicit EditReporter(FindingSink& sink) : sink_(sink) {}
  EditReporter(const Model& model, FindingSink& sink) : model_(&model), sink_(sink) {}

  void lost(std::string pointer, const std::string& what) const;
  void lost(SourceId at, const std::string& what) const { lost(pointer(at), what); }
  void lost(const Entity& at, const std::string& what) const { lost(at.source, what); }

  void changed(std::string pointer, const std::string& what) const;
  void changed(SourceId at, const std::string& what) const { changed(pointer(at), what); }
  void changed(const Entity& at, const std::string& what) const { changed(at.source, what); }

 private:
  [[nodiscard]] std::string pointer(SourceId at) const;

  const Model* model_ = nullptr;
  FindingSink& sink_;
};

}  // namespace sinew
