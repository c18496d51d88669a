// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "glue.hpp"

namespace python {

// Results are plain data: their state for pickles and copies is a tuple of their members, in their order. Some are shown as a dict of them.

template <class T>
struct Members;
/// Names all members of a struct, in namespace python. One name too few or too many does not compile.
#define PYTHON_MEMBERS(Type, ...)                                            \
  template <>                                                                \
  struct Members<Type> {                                                     \
    [[maybe_unused]] static constexpr std::string_view names = #__VA_ARGS__; \
    static auto of(Type& members_of) {                                       \
      auto& [__VA_ARGS__] = members_of;                                      \
      return std::tie(__VA_ARGS__);                                          \
    }                                                                        \
  }

/// Returns text that lives as long as the program: that of codes and units.
[[nodiscard]] std::string_view kept_text(std::string text);

template <class T>
struct State;
template <class T>
py::object state_of(const T& value) {
  return State<T>::of(value);
}
template <class T>
void restore_state(const py::handle& state, T& value) {
  State<T>::restore(state, value);
}

/// Structs with Members.
template <class T>
struct State {
  static py::object of(const T& value) {
    return std::apply([](const auto&... member) { return py::make_tuple(state_of(member)...); }, Members<T>::of(const_cast<T&>(value)));
  }
  static void restore(const py::handle& state, T& value) {
    const auto all = Members<T>::of(value);
    const auto given = py::cast<py::tuple>(state);
    if (given.size() != std::tuple_size_v<decltype(all)>) raise_usage("the pickle is of another version of sinew");
    std::size_t i = 0;
    std::apply([&](auto&... member) { (restore_state(given[i++], member), ...); }, all);
  }
};

template <class T>
  requires std::is_arithmetic_v<T>
struct State<T> {
  static py::object of(T value) { return py::cast(value); }
  static void restore(const py::handle& state, T& value) { value = py::cast<T>(state); }
};

template <class T>
  requires std::is_enum_v<T>
struct State<T> {
  static py::object of(T value) { return py::int_(static_cast<std::underlying_type_t<T>>(value)); }
  static void restore(const py::handle& state, T& value) { value = static_cast<T>(py::cast<std::underlying_type_t<T>>(state)); }
};

template <>
struct State<std::string> {  // bytes: names in files need not be UTF-8
  static py::object of(const std::string& value) { return py::bytes(value); }
  static void restore(const py::handle& state, std::string& value) { value = std::string(py::cast<py::bytes>(state)); }
};

template <>
struct State<std::string_view> {
  static py::object of(std::string_view value) { return py::str(value.data(), value.size()); }
  static void restore(const py::handle& state, std::string_view& value) { value = kept_text(py::cast<std::string>(state)); }
};

template <>
struct State<SharedModel> {
  static py::object of(const SharedModel& value) { return py::cast(value); }
  static void restore(const py::handle& state, SharedModel& value) { value = py::cast<SharedModel>(state); }
};

template <>
struct State<std::filesystem::path> {
  static py::object of(const std::filesystem::path& value) { return py::cast(value); }
  static void restore(const py::handle& state, std::filesystem::path& value) { value = py::cast<std::filesystem::path>(state); }
};

template <class T>
struct State<std::optional<T>> {
  static py::object of(const std::optional<T>& value) { return value ? state_of(*value) : py::object(py::none()); }
  static void restore(const py::handle& state, std::optional<T>& value) {
    if (state.is_none()) return;
    value = T{};
    restore_state(state, *value);
  }
};

template <class A, class B>
struct State<std::pair<A, B>> {
  static py::object of(const std::pair<A, B>& value) { return py::make_tuple(state_of(value.first), state_of(value.second)); }
  static void restore(const py::handle& state, std::pair<A, B>& value) {
    const auto both = py::cast<py::tuple>(state);
    restore_state(both[0], value.first);
    restore_state(both[1], value.second);
  }
};

template <class T>
struct State<std::vector<T>> {
  static py::object of(const std::vector<T>& value) {
    py::list out;
    for (const T& one : value) out.append(state_of<T>(one));
    return out;
  }
  static void restore(const py::handle& state, std::vector<T>& value) {
    for (const py::handle one : py::cast<py::list>(state)) {
      T made{};
      restore_state(one, made);
      value.push_back(std::move(made));
    }
  }
};

template <class T, std::size_t N>
struct State<std::array<T, N>> {
  static py::object of(const std::array<T, N>& value) { return state_of(std::vector<T>(value.begin(), value.end())); }
  static void restore(const py::handle& state, std::array<T, N>& value) {
    std::vector<T> list;
    restore_state(state, list);
    if (list.size() != N) raise_usage("the pickle is of another version of sinew");
    std::copy(list.begin(), list.end(), value.begin());
  }
};

template <class A, class B, class C>
struct State<std::map<A, B, C>> {
  static py::object of(const std::map<A, B, C>& value) { return state_of(std::vector<std::pair<A, B>>(value.begin(), value.end())); }
  static void restore(const py::handle& state, std::map<A, B, C>& value) {
    std::vector<std::pair<A, B>> list;
    restore_state(state, list);
    value.insert(list.begin(), list.end());
  }
};

/// Returns the members of a struct by name.
template <class T>
py::dict as_dict(const T& value) {
  py::dict out;
  std::string_view names = Members<T>::names;
  const auto add = [&](const auto& member) {
    using Member = std::decay_t<decltype(member)>;
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 2, names.size()));
    if constexpr (std::is_enum_v<Member>)
      out[text(name)] = text(to_string(member));
    else if constexpr (std::is_convertible_v<const Member&, std::string_view>)
      out[text(name)] = text(member);
    else
      out[text(name)] = member;
  };
  std::apply([&](const auto&... member) { (add(member), ...); }, Members<T>::of(const_cast<T&>(value)));
  return out;
}
template <class T>
py::list as_dicts(const std::vector<T>& values) {
  py::list out;
  for (const T& value : values) out.append(as_dict(value));
  return out;
}

/// Lets sinew._pickle make an object of a type of its state.
void add_restorer(const py::type& type, py::object (*restore)(const py::handle&));

/// Makes a class of plain data one that can be pickled and copied.
template <class T, class... Options>
void bind_state(py::class_<T, Options...>& type) {
  type.def("__reduce__",
           [](const T& value) { return py::make_tuple(restorer("plain"), py::make_tuple(py::type::of<T>(), state_of(value))); });
  add_restorer(type, [](const py::handle& state) {
    T value{};
    restore_state(state, value);
    return py::cast(std::move(value));
  });
}

}  // namespace python
