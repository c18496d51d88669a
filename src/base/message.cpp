// SPDX-License-Identifier: MIT
#include "base/message.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

namespace sinew {

std::string format_message(std::string_view message, std::span<const Argument> arguments) {
  using Kind = Argument::Kind;
  fmt::dynamic_format_arg_store<fmt::format_context> values;
  values.reserve(arguments.size(), 0);
  for (const Argument& argument : arguments) {
    switch (argument.kind()) {
      case Kind::text:
        values.push_back(fmt::string_view(argument.text().data(), argument.text().size()));
        break;
      case Kind::truth:
        values.push_back(argument.natural() != 0);
        break;
      case Kind::character:
        values.push_back(static_cast<char>(argument.natural()));
        break;
      case Kind::integer:
        values.push_back(static_cast<std::int64_t>(argument.natural()));
        break;
      case Kind::natural:
        values.push_back(argument.natural());
        break;
      case Kind::single:
        values.push_back(static_cast<float>(argument.real()));
        break;
      case Kind::real:
        values.push_back(argument.real());
        break;
    }
  }
  return fmt::vformat({message.data(), message.size()}, values);
}

}  // namespace sinew
