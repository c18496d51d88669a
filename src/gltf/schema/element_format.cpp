// SPDX-License-Identifier: MIT
#include "gltf/schema/element_format.hpp"

#include "base/budget.hpp"
#include "base/message.hpp"

namespace sinew::gltf {

namespace {

struct Component {
  std::uint32_t code;
  ComponentType type;
  std::string_view name;
};
constexpr Component components[] = {
    {5120, ComponentType::int8, "byte"},           {5121, ComponentType::uint8, "unsigned byte"},
    {5122, ComponentType::int16, "short"},         {5123, ComponentType::uint16, "unsigned short"},
    {5125, ComponentType::uint32, "unsigned int"}, {5126, ComponentType::float32, "float"},
    {5130, ComponentType::float64, "double"},      {5131, ComponentType::float16, "half float"},
};

}  // namespace

ComponentType component_of(std::uint64_t code) {
  for (const Component& component : components)
    if (component.code == code) return component.type;
  return ComponentType::float32;
}

std::uint32_t component_code(ComponentType type) {
  constexpr std::uint32_t last_of_gltf_2 = 5126;  // the others need extensions, and are only read
  for (const Component& component : components)
    if (component.type == type && component.code <= last_of_gltf_2) return component.code;
  return 0;
}

std::string_view component_name(ComponentType type) {
  for (const Component& component : components)
    if (component.type == type) return component.name;
  return {};
}

ElementLayout layout_of(ComponentType component, std::size_t rows, std::size_t columns) {
  const std::size_t column = rows * byte_size(component);
  const std::size_t column_stride = columns == 1 ? column : (column + 3) / 4 * 4;
  return {column, column_stride, (columns - 1) * column_stride + column, columns * column_stride};
}

std::optional<std::uint64_t> ElementLayout::end(std::uint64_t offset, std::uint64_t count, std::uint64_t stride) const {
  if (count == 0) return offset;
  auto bytes = checked_mul(count - 1, stride);
  if (bytes) bytes = checked_add(*bytes, element);
  return bytes ? checked_add(*bytes, offset) : bytes;
}

std::string ElementFormat::text() const {
  if (width() == 0) return "an accessor without a known type";
  return format_text("{} of {}{}", accessor_types[type], normalized ? "normalized " : "", component_name(component));
}

}  // namespace sinew::gltf
