// SPDX-License-Identifier: MIT
#include "reports/info_skeletons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "command.hpp"
#include "console/need.hpp"

#include "sinew/convert.hpp"

namespace app {

namespace {

using sinew::Index;
using sinew::Model;
using sinew::operations::SkeletonAccount;

// Returns "skin 0", "skins 0 and 2", "84 skins from 0 to 83".
std::string skins_text(const std::vector<Index>& skins) {
  if (skins.empty()) return "no skin";
  if (skins.size() == 1) return fmt::format("skin {}", skins[0]);
  if (skins.size() == 2) return fmt::format("skins {} and {}", skins[0], skins[1]);
  return fmt::format("{} skins from {} to {}", skins.size(), skins.front(), skins.back());
}

std::string origin_text(const SkeletonAccount& account, const Model& model) {
  if (account.skeleton == sinew::none) return fmt::format("from {}", skins_text(account.skins));
  const std::string& name = model.skeletons[account.skeleton].name;
  return fmt::format("skeleton {}{} of the file, used by {}", account.skeleton, name.empty() ? "" : " \"" + printable(name) + '"',
                     skins_text(account.skins));
}

std::string joints_text(const SkeletonAccount& account, const Model& model) {
  constexpr std::size_t most = 8;
  std::string text = account.joints.size() == 1 ? "1 joint" : fmt::format("{} joints", account.joints.size());
  for (std::size_t i = 0; i < std::min(most, account.joints.size()); ++i)
    text += fmt::format("{}{}", i == 0 ? ": " : ", ", node_text(model, account.joints[i]));
  if (account.joints.size() > most) text += fmt::format(" and {} more", account.joints.size() - most);
  return text;
}

}  // namespace

std::string node_text(const Model& model, Index node) {
  const std::string& name = model.nodes[node].name;
  return name.empty() ? fmt::format("node {}", node) : fmt::format("node {} \"{}\"", node, printable(name));
}

std::string skeletons_text(const Model& model, const Terminal& terminal) {
  const std::vector<SkeletonAccount> accounts = need(sinew::operations::describe_skeletons(model));
  std::string text;
  if (accounts.empty()) return "No skeletons: the file has neither skins nor bones.\n";
  for (std::size_t i = 0; i < accounts.size(); ++i) {
    const SkeletonAccount& account = accounts[i];
    text += fmt::format("{}  {}\n", terminal.bold(fmt::format("{}", i)), origin_text(account, model));
    if (!account.joints.empty()) text += fmt::format("     {}\n", joints_text(account, model));
    if (account.root != sinew::none) text += fmt::format("     root: {}\n", node_text(model, account.root));
    for (const std::string& note : account.notes) text += fmt::format("     {}\n", printable(note));
    if (!account.obstacle.empty()) text += fmt::format("     It cannot become a strict skeleton: {}.\n", printable(account.obstacle));
  }
  return text;
}

Json skeletons_json(const Model& model) {
  const auto index_or_null = [](Index index) { return index == sinew::none ? Json(nullptr) : Json(index); };
  Json list = Json::array();
  for (const SkeletonAccount& account : need(sinew::operations::describe_skeletons(model)))
    list.push_back({{"skeleton", index_or_null(account.skeleton)},
                    {"skins", account.skins},
                    {"joints", account.joints},
                    {"named", account.named},
                    {"root", index_or_null(account.root)},
                    {"notes", account.notes},
                    {"obstacle", account.obstacle.empty() ? Json(nullptr) : Json(account.obstacle)}});
  return list;
}

}  // namespace app
