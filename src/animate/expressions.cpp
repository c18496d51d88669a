// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/catalogue.hpp"
#include "base/guard.hpp"
#include "base/message.hpp"
#include "base/number.hpp"

#include "sinew/animate.hpp"

namespace sinew::animate {

namespace {

using Kind = Expression::Kind;
using Override = Expression::Override;

Unexpected usage(std::string message) { return Unexpected(error("SINEW_USAGE"_code, Failure::usage, {}, message)); }

/// How far an expression is on before others turn it down.
double output(const Expression& expression, double amount) { return expression.binary ? (amount > 0.5 ? 1 : 0) : amount; }

/// Returns what is left of each kind that can be overridden, 0 to 1.
std::array<double, 3> left_by_overrides(const std::vector<Expression>& expressions, const std::vector<double>& amounts) {
  std::array<double, 3> left{1, 1, 1};
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const double on = output(expressions[i], amounts[i]);
    for (std::size_t kind = 0; kind < left.size(); ++kind) {
      if (on == 0 || kind_of(expressions[i]) == static_cast<Kind>(kind)) continue;  // none overrides its own kind
      if (expressions[i].overrides[kind] == Override::block) left[kind] = 0;
      if (expressions[i].overrides[kind] == Override::blend) left[kind] = std::max(0.0, left[kind] - on);
    }
  }
  return left;
}

}  // namespace

Result<Index> find_expression(std::string_view wanted, const Model& model) SINEW_TRY {
  const std::vector<Expression>& expressions = model.avatar.expressions;
  if (expressions.empty()) return usage(format_text("\"{}\": the file has no expressions", wanted));
  std::vector<NamedThing> names;
  for (Index i = 0; i < expressions.size(); ++i) {
    names.push_back({expressions[i].name, i});
    if (expressions[i].stored != expressions[i].name && !expressions[i].stored.empty()) names.push_back({expressions[i].stored, i});
  }
  return find_by_name(wanted, names, expressions.size(), "expression");
}
SINEW_CATCH()

Result<ExpressionAmount> parse_expression(std::string_view text, const Model& model) SINEW_TRY {
  const std::size_t equals = text.rfind('=');
  const auto amount = equals == std::string_view::npos ? std::nullopt : number_in<double>(text.substr(equals + 1));
  if (!amount || !(*amount >= 0 && *amount <= 1))
    return usage(format_text("\"{}\": expected EXPRESSION=AMOUNT with an amount from 0 to 1", text));
  const auto found = find_expression(text.substr(0, equals), model);
  if (!found) return Unexpected(found.error());
  return ExpressionAmount{*found, *amount};
}
SINEW_CATCH()

Result<> express(const Model& model, std::span<const ExpressionAmount> amounts, Pose& pose) SINEW_TRY {
  const std::vector<Expression>& expressions = model.avatar.expressions;
  if (amounts.empty()) return {};
  std::vector<double> on(expressions.size());
  for (const ExpressionAmount& each : amounts) on[each.expression] = std::clamp(each.amount, 0.0, 1.0);
  for (const Expression& expression : expressions)
    for (const ShapeBind& bind : expression.binds) pose.amounts[bind.node][bind.shape] = 0;
  const std::array<double, 3> left = left_by_overrides(expressions, on);
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const Expression& expression = expressions[i];
    if (on[i] == 0) continue;
    const Kind kind = kind_of(expression);
    const double turned_down = kind == Kind::other ? 1 : left[static_cast<std::size_t>(kind)];
    const double amount = expression.binary && turned_down < 1 ? 0 : output(expression, on[i]) * turned_down;
    for (const ShapeBind& bind : expression.binds) pose.amounts[bind.node][bind.shape] += amount * bind.weight;
    if (expression.clip != none) need(sample(model, model.clips[expression.clip], on[i] * model.clips[expression.clip].duration, pose));
  }
  return {};
}
SINEW_CATCH()

}  // namespace sinew::animate
