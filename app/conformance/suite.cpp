// SPDX-License-Identifier: MIT
#include "conformance/suite.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <system_error>

#include "console/joined.hpp"
#include "usage_error.hpp"

namespace app {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

sinew::Unexpected broken(const fs::path& file, std::string message) {
  return sinew::Unexpected(sinew::Error{sinew::Failure::input, "IO_ERROR", {file.string(), {}, {}}, std::move(message)});
}

bool holds_suite(const fs::path& folder) {
  std::error_code unknown;
  return fs::is_directory(folder / "cases", unknown);
}

/// Reads a string; false if there is none.
bool read(const json& object, const char* key, std::string& out) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return false;
  out = found->get<std::string>();
  return true;
}

bool read_moments(const json& object, std::vector<ConformanceCase::Moment>& out) {
  const auto poses = object.find("poses");
  if (poses == object.end() || !poses->is_array()) return false;
  for (const json& pose : *poses) {
    ConformanceCase::Moment& moment = out.emplace_back();
    if (!pose.is_object() || !pose.contains("clip") || !pose.contains("time") || !pose["time"].is_number()) return false;
    moment.seconds = pose["time"].get<double>();
    if (pose["clip"].is_null()) continue;
    if (!pose["clip"].is_number_unsigned() || pose["clip"] > std::numeric_limits<std::uint32_t>::max()) return false;
    moment.clip = pose["clip"].get<sinew::Index>();
  }
  return !out.empty();
}

sinew::Result<ConformanceCase> read_case(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const json object = json::parse(in, nullptr, false);
  if (!object.is_object()) return broken(file, "expected a JSON object");
  ConformanceCase out;
  std::string model;
  for (const auto& [key, text] : {std::pair{"name", &out.name},
                                  {"rule", &out.rule},
                                  {"source", &out.source},
                                  {"says", &out.says},
                                  {"status", &out.status},
                                  {"attribute", &out.attribute},
                                  {"model", &model}})
    if (!read(object, key, *text)) return broken(file, fmt::format("\"{}\": expected a string", key));
  const std::set<std::string> attributes = {"position", "normal", "tangent"};
  if (!attributes.contains(out.attribute)) return broken(file, "\"attribute\": expected \"position\", \"normal\" or \"tangent\"");
  const std::set<std::string> statuses = {"required", "recommended", "reading"};
  if (!statuses.contains(out.status)) return broken(file, "\"status\": expected \"required\", \"recommended\" or \"reading\"");
  if (!object.contains("tolerance") || !object["tolerance"].is_number()) return broken(file, "\"tolerance\": expected a number");
  out.tolerance = object["tolerance"].get<double>();
  if (!read_moments(object, out.moments)) return broken(file, "\"poses\": expected objects with clip and time");
  out.model = fs::absolute(file.parent_path() / model);
  constexpr std::size_t most = std::size_t{1} << 24;
  auto expected = read_npy(file.parent_path() / "vertices.npy", most);
  if (!expected) return sinew::Unexpected(expected.error());
  if (expected->shape.size() != 3 || expected->shape[0] != out.moments.size())
    return broken(file.parent_path() / "vertices.npy", fmt::format("found the shape ({}), expected ({}, vertices, dimensions)",
                                                                   joined(expected->shape, ", "), out.moments.size()));
  out.expected = std::move(*expected);
  return out;
}

/// Returns the diagonal of the box around rows; 1 for a single place.
double diagonal(std::span<const double> rows, std::size_t width) {
  double sum = 0;
  for (std::size_t axis = 0; axis < width; ++axis) {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (std::size_t i = axis; i < rows.size(); i += width) {
      least = std::min(least, rows[i]);
      most = std::max(most, rows[i]);
    }
    sum += rows.empty() ? 0 : (most - least) * (most - least);
  }
  return sum > 0 ? std::sqrt(sum) : 1;
}

}  // namespace

sinew::Result<fs::path> find_suite(const std::string& given) {
  if (!given.empty()) {
    if (holds_suite(given)) return fs::path(given);
    return sinew::Unexpected(usage_error(fmt::format("--suite {}: expected a folder with the folder \"cases\"", given)));
  }
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  for (const fs::path& folder : {fs::path("conformance"), program / "../share/sinew/conformance", program / "../../conformance"})
    if (holds_suite(folder)) return folder;
  return sinew::Unexpected(usage_error("the conformance suite was not found; name its folder with --suite"));
}

sinew::Result<std::vector<ConformanceCase>> read_suite(const fs::path& suite, const std::string& only) {
  std::vector<ConformanceCase> cases;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(suite / "cases", failed), end; at != end; at.increment(failed)) {
    if (failed) return broken(suite, failed.message());
    if (at->path().filename() != "case.json") continue;
    auto read = read_case(at->path());
    if (!read) return sinew::Unexpected(read.error());
    if (read->name.find(only) != std::string::npos) cases.push_back(std::move(*read));
  }
  if (failed) return broken(suite, failed.message());
  if (cases.empty() && only.empty()) return broken(suite / "cases", "expected folders with case.json");
  if (cases.empty()) return sinew::Unexpected(usage_error(fmt::format("no case of {} has \"{}\" in its name", suite.string(), only)));
  std::ranges::sort(cases, {}, &ConformanceCase::name);
  return cases;
}

void compare_rows(const ConformanceCase& wanted, std::size_t moment, const sinew::Result<Numbers>& found, ConformanceResult& result) {
  using State = ConformanceResult::State;
  const auto set_reason = [&](State state, std::string reason) { result = {state, std::nullopt, std::move(reason), moment, {}}; };
  if (moment > 0 && !result.error) return;  // an earlier moment has no number
  if (!found) return set_reason(State::failed, found.error().message);
  const std::size_t size = wanted.rows() * wanted.width();
  if (found->shape != std::vector{wanted.rows(), wanted.width()})
    return set_reason(State::differs,
                      fmt::format("the shape is ({}) instead of ({}, {})", joined(found->shape, ", "), wanted.rows(), wanted.width()));
  const std::span<const double> expected = std::span(wanted.expected.values).subspan(moment * size, size);
  double worst = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double distance = std::abs(found->values[i] - expected[i]);
    if (!std::isfinite(distance)) return set_reason(State::differs, "a coordinate is not a number");
    worst = std::max(worst, distance);
  }
  const double error = worst / diagonal(expected, wanted.width());
  if (result.error && *result.error >= error) return;
  result.error = error;
  result.moment = moment;
  result.rows = found->values;
  result.state = *result.error <= wanted.tolerance ? State::pass : State::differs;
}

}  // namespace app
