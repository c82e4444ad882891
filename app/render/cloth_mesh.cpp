#include "render/cloth_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "render/cloth_normals.hpp"

namespace clothlab::app {
namespace {

constexpr float kChecksPerSide = 16;

const void* offset(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }

}  // namespace

ClothMesh::ClothMesh(const MeshTopology& mesh)
    : triangles_(mesh.triangles), particles_(static_cast<std::size_t>(mesh.particles)), vertices_(particles_) {
    std::vector<float> checks;
    fillChecks(mesh, checks);
    indices_ = gl::Buffer::make();
    checks_ = gl::Buffer::make();
    glBindVertexArray(0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.get());
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(triangles_.size() * sizeof(geometry::Triangle)),
                 triangles_.data(), GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, checks_.get());
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(checks.size() * sizeof(float)), checks.data(),
                 GL_STATIC_DRAW);
    makeRing(checks_.get());
}

void ClothMesh::makeRing(GLuint checks) {
    for (std::size_t k = 0; k < buffers_.size(); ++k) {
        buffers_[k] = gl::Buffer::make();
        arrays_[k] = gl::VertexArray::make();
        glBindVertexArray(arrays_[k].get());
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.get());
        glBindBuffer(GL_ARRAY_BUFFER, checks);
        glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, 0, offset(0));
        glBindBuffer(GL_ARRAY_BUFFER, buffers_[k].get());
        glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(particles_ * sizeof(Vertex)), nullptr, GL_STREAM_DRAW);
        glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Vertex), offset(offsetof(Vertex, position)));
        glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(Vertex), offset(offsetof(Vertex, normal)));
        glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex), offset(offsetof(Vertex, data)));
        for (const GLuint attribute : {0u, 1u, 2u, 3u}) glEnableVertexAttribArray(attribute);
    }
    glBindVertexArray(0);
}

/// The longer side of each cloth has sixteen checks; a mesh without patches takes the extent of its coordinates.
void ClothMesh::fillChecks(const MeshTopology& mesh, std::vector<float>& checks) const {
    checks.assign(2 * particles_, 0.0f);
    std::copy_n(mesh.uv.begin(), std::min(mesh.uv.size(), checks.size()), checks.begin());
    const auto scale = [&](std::size_t first, std::size_t count) {
        float side = 0;
        for (std::size_t i = 2 * first; i < 2 * (first + count); ++i) side = std::max(side, checks[i]);
        for (std::size_t i = 2 * first; i < 2 * (first + count); ++i) checks[i] *= side > 0 ? kChecksPerSide / side : 1;
    };
    if (mesh.patches.empty()) scale(0, particles_);
    for (const auto& patch : mesh.patches)
        scale(static_cast<std::size_t>(patch.firstParticle),
              static_cast<std::size_t>(patch.grid.rows) * static_cast<std::size_t>(patch.grid.columns));
}

void ClothMesh::update(std::span<const float> positions, const ParticleField* field) {
    vertexNormals(positions, triangles_, normals_);
    const bool colored = field && field->values.size() >= particles_;
    for (std::size_t i = 0; i < particles_; ++i) {
        Vertex& v = vertices_[i];
        std::copy_n(&positions[3 * i], 3, v.position);
        std::copy_n(&normals_[3 * i], 3, v.normal);
        const Rgb c = colored ? viridis(field->position(field->values[i])) : Rgb{};
        v.data[0] = c.r;
        v.data[1] = c.g;
        v.data[2] = c.b;
        v.data[3] = colored ? 255 : 0;
    }
    current_ = (current_ + 1) % gl::kRing;
    glBindBuffer(GL_ARRAY_BUFFER, buffers_[static_cast<std::size_t>(current_)].get());
    glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(vertices_.size() * sizeof(Vertex)), vertices_.data());
}

void ClothMesh::draw() const {
    glBindVertexArray(arrays_[static_cast<std::size_t>(current_)].get());
    glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(3 * triangles_.size()), GL_UNSIGNED_INT, nullptr);
}

}  // namespace clothlab::app
