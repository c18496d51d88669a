// SPDX-License-Identifier: MIT
#include "kernels/scan.hpp"

#include "kernels/bounds.hpp"

namespace sinew::kernels {

template std::uint8_t largest(strided_view<const std::uint8_t>);
template std::uint16_t largest(strided_view<const std::uint16_t>);
template std::uint32_t largest(strided_view<const std::uint32_t>);
template std::size_t first_not_finite(strided_view<const float>);
template std::size_t first_not_finite(strided_view<const double>);
template std::size_t count_degenerate(strided_view<const std::uint8_t>);
template std::size_t count_degenerate(strided_view<const std::uint16_t>);
template std::size_t count_degenerate(strided_view<const std::uint32_t>);
template bool influences_are_plain(strided_view<const std::uint8_t>, strided_view<const float>, std::size_t, std::size_t, std::uint64_t,
                                   float);
template bool influences_are_plain(strided_view<const std::uint16_t>, strided_view<const float>, std::size_t, std::size_t, std::uint64_t,
                                   float);
template bool are_unit<3>(const UnitTest&, strided_view<const float>);
template bool are_unit<3>(const UnitTest&, strided_view<const double>);
template bool are_unit<4>(const UnitTest&, strided_view<const float>);
template bool are_unit<4>(const UnitTest&, strided_view<const double>);
template bool bounds(strided_view<const std::int8_t>, std::int8_t*, std::int8_t*);
template bool bounds(strided_view<const std::uint8_t>, std::uint8_t*, std::uint8_t*);
template bool bounds(strided_view<const std::int16_t>, std::int16_t*, std::int16_t*);
template bool bounds(strided_view<const std::uint16_t>, std::uint16_t*, std::uint16_t*);
template bool bounds(strided_view<const std::uint32_t>, std::uint32_t*, std::uint32_t*);
template bool bounds(strided_view<const float>, float*, float*);

}  // namespace sinew::kernels
