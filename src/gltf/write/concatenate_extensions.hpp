// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "document/schema/renumber.hpp"
#include "gltf/extensions/extension.hpp"
#include "model/edit_reporter.hpp"

namespace sinew::gltf {

/// Joins the extension objects of the root of a second file with those of the first, by the tables of the extensions.
class JoinedExtensions {
 public:
  /// `renumbering`: gives references of the second file their place in the result, those into lists of extensions by place(). `is_shared`:
  /// whether a node of the second file is a node of the first. All are kept as references.
  JoinedExtensions(JsonValue first, JsonValue second, const Renumbering& renumbering, const std::function<bool(JsonValue node)>& is_shared,
                   const EditReporter& reporter);

  /// Returns the place of an element of a list ("EXTENSION/list") in the result; nothing if it does not go along.
  [[nodiscard]] std::optional<std::uint64_t> place(std::string_view list, std::uint64_t index) const;
  /// Adds the objects to `root`, an edit of the first file.
  void join(JsonEdit& root);
  /// Returns whether the second file's object of an extension stays out.
  [[nodiscard]] bool is_left_out(std::string_view name) const { return left_out_.contains(name); }

 private:
  void number(const Extension& extension, const Table& table, JsonValue mine, JsonValue source, const std::string& path);
  /// Returns whether an object loses a reference without which it says nothing.
  [[nodiscard]] bool is_incomplete(JsonValue source, const Table& table) const;
  /// Removes such objects from lists, at any depth. `edit` has the elements of `source`.
  void drop_incomplete(JsonEdit& edit, JsonValue source, const Table& any) const;
  [[nodiscard]] std::optional<std::uint64_t> placed(const Property& row, JsonValue mine, JsonValue element, std::uint64_t next);
  void join_object(JsonEdit& mine, JsonEdit& other, JsonValue source, const Table& table, const std::string& path);
  void join_list(JsonEdit& mine, JsonEdit& other, JsonValue source, const Property& row, const std::string& path);
  void fill_parallel(JsonEdit& object, const Extension& extension, const Table& table);

  JsonValue first_, second_;
  const Renumbering& renumbering_;
  const std::function<bool(JsonValue node)>& is_shared_;
  const EditReporter& reporter_;
  std::map<std::string, std::vector<std::optional<std::uint64_t>>, std::less<>> places_;
  std::set<std::string, std::less<>> left_out_;
};

}  // namespace sinew::gltf
