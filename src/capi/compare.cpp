// SPDX-License-Identifier: MIT
#include "sinew/compare.hpp"

#include <cmath>

#include "base/guard.hpp"
#include "capi/guard.hpp"

using sinew::Result;
using sinew::Unexpected;
using sinew::capi::guarded;
using sinew::capi::usage;

namespace {

sinew_verdict verdict_of(sinew::operations::Verdict verdict) {
  using sinew::operations::Verdict;
  switch (verdict) {
    case Verdict::equal_in_every_pose:
      return SINEW_EQUAL_IN_EVERY_POSE;
    case Verdict::equal_where_sampled:
      return SINEW_EQUAL_WHERE_SAMPLED;
    case Verdict::different:
      return SINEW_DIFFERENT;
    case Verdict::not_comparable:
      break;
  }
  return SINEW_NOT_COMPARABLE;
}

}  // namespace

sinew_status sinew_compare(const sinew_model* a, const sinew_model* b, double tolerance, unsigned threads, sinew_comparison* comparison,
                           sinew_error** error) {
  return guarded(error, [&]() -> Result<> {
    if (a == nullptr || b == nullptr || comparison == nullptr) return usage("sinew_compare: a model or the comparison is NULL");
    if (!(tolerance >= 0)) return usage("sinew_compare: tolerance must not be negative");
    sinew::operations::CompareOptions options;
    options.threads = threads;
    const auto found = sinew::operations::compare(*a->model, *b->model, options);
    if (!found) return Unexpected(found.error());
    *comparison = {verdict_of(found->verdict(tolerance)), found->diagonal, found->max(), sinew::need(found->every_pose()).bound};
    return {};
  });
}
