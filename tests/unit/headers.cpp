// SPDX-License-Identifier: MIT
// Owns the header that all unit tests compile with.
