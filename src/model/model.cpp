// SPDX-License-Identifier: MIT
#include "sinew/model.hpp"

// Here and not in the header: a copy of these would be compiled into every source that has a model.
namespace sinew {

VertexBlock::VertexBlock() = default;
VertexBlock::VertexBlock(const VertexBlock&) = default;
VertexBlock::VertexBlock(VertexBlock&&) noexcept = default;
VertexBlock& VertexBlock::operator=(const VertexBlock&) = default;
VertexBlock& VertexBlock::operator=(VertexBlock&&) noexcept = default;
VertexBlock::~VertexBlock() = default;

Surface::Surface() = default;
Surface::Surface(const Surface&) = default;
Surface::Surface(Surface&&) noexcept = default;
Surface& Surface::operator=(const Surface&) = default;
Surface& Surface::operator=(Surface&&) noexcept = default;
Surface::~Surface() = default;

Mesh::Mesh() = default;
Mesh::Mesh(const Mesh&) = default;
Mesh::Mesh(Mesh&&) noexcept = default;
Mesh& Mesh::operator=(const Mesh&) = default;
Mesh& Mesh::operator=(Mesh&&) noexcept = default;
Mesh::~Mesh() = default;

Model::Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

}  // namespace sinew
