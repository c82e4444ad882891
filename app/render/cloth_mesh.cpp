#include "render/cloth_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <queue>

#include <glm/gtc/type_ptr.hpp>

#include "render/cloth_normals.hpp"

namespace clothlab::app::render {

using worker::MeshTopology;

namespace {

constexpr float kChecksPerSide = 16;

}  // namespace

ClothMesh::ClothMesh(const MeshTopology& mesh)
    : triangles_(mesh.triangles),
      particles_(std::size_t(mesh.particles)),
      vertices_(particles_),
      quads_(sizeof(Vertex), describe) {
    const std::vector<float> checks = checkerCoordinates(mesh);
    for (std::size_t i = 0; i < particles_; ++i) std::copy_n(&checks[2 * i], 2, vertices_[i].check);
    indices_ = gl::Buffer::make();
    checks_ = gl::Buffer::make();
    glBindVertexArray(0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.get());
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(triangles_.size() * sizeof(geometry::Triangle)), triangles_.data(),
                 GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, checks_.get());
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(checks.size() * sizeof(float)), checks.data(), GL_STATIC_DRAW);
    for (std::size_t p = 0; p < mesh.patches.size(); ++p)
        for (Index i = 0; i < mesh.patches[p].particles; ++i)
            vertices_[mesh.patches[p].firstParticle + i].cloth = std::uint8_t(p % 256);
    fillRims();
    makeCells();
    makeRing();
}

namespace {

float distanceToSegment(glm::vec2 p, glm::vec2 a, glm::vec2 b) {
    const glm::vec2 ab = b - a;
    const float along = std::clamp(glm::dot(p - a, ab) / std::max(glm::dot(ab, ab), 1e-12f), 0.0f, 1.0f);
    return glm::distance(p, a + along * ab);
}

}  // namespace

/// How far each particle is from the rim, on the texture. The nearest edge of the rim is handed on from neighbour to
/// neighbour, the nearest particle first.
void ClothMesh::fillRims() {
    constexpr float kFar = 1e3f;
    std::vector<std::array<Index, 2>> edges;
    edges.reserve(3 * triangles_.size());
    for (const geometry::Triangle& t : triangles_)
        for (int k = 0; k < 3; ++k) edges.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    std::ranges::sort(edges);
    const auto at = [&](Index i) { return glm::make_vec2(vertices_[i].check); };
    struct Found {
        float distance;
        Index particle;
        std::array<Index, 2> edge;
        bool operator>(const Found& other) const { return distance > other.distance; }
    };
    std::priority_queue<Found, std::vector<Found>, std::greater<>> found;
    std::vector<std::vector<Index>> neighbours(particles_);
    for (Vertex& vertex : vertices_) vertex.fromRim = kFar;
    for (std::size_t k = 0; k < edges.size();) {
        std::size_t end = k;
        while (end < edges.size() && edges[end] == edges[k]) ++end;
        const auto [a, b] = edges[k];
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
        if (end - k == 1)
            for (const Index i : edges[k]) found.push({0, i, edges[k]});
        k = end;
    }
    while (!found.empty()) {
        const Found next = found.top();
        found.pop();
        if (next.distance >= vertices_[next.particle].fromRim) continue;
        vertices_[next.particle].fromRim = next.distance;
        for (const Index other : neighbours[next.particle])
            found.push({distanceToSegment(at(other), at(next.edge[0]), at(next.edge[1])), other, next.edge});
    }
}

namespace {

/// Lets shaders read a buffer by number.
gl::Texture bufferTexture(const gl::Buffer& buffer, GLenum format) {
    gl::Texture texture = gl::Texture::make();
    glBindTexture(GL_TEXTURE_BUFFER, texture.get());
    glTexBuffer(GL_TEXTURE_BUFFER, format, buffer.get());
    return texture;
}

}  // namespace

void ClothMesh::makeCells() {
    cellColors_.assign(4 * particles_, 0);
    cells_ = gl::Buffer::make();
    glBindBuffer(GL_TEXTURE_BUFFER, cells_.get());
    glBufferData(GL_TEXTURE_BUFFER, GLsizeiptr(cellColors_.size()), cellColors_.data(), GL_STREAM_DRAW);
    cellTextures_ = {bufferTexture(cells_, GL_RGBA8), bufferTexture(indices_, GL_RGB32I),
                     bufferTexture(checks_, GL_RG32F)};
}

void ClothMesh::bindCells(GLenum firstUnit) const {
    for (std::size_t k = 0; k < cellTextures_.size(); ++k) {
        glActiveTexture(firstUnit + GLenum(k));
        glBindTexture(GL_TEXTURE_BUFFER, cellTextures_[k].get());
    }
}

void ClothMesh::updateCells(const worker::Snapshot& snapshot, OverlayKind overlay) {
    if (!isByComponent(overlay)) return;
    const bool colored = colors_.size() == particles_, byComponent = snapshot.components.of.size() == particles_;
    for (std::size_t i = 0; i < particles_; ++i) {
        const Rgb c = colored ? colors_[i] : Rgb{};
        const int alpha = !colored ? 0 : byComponent && snapshot.components.alone(i) ? 128 : 255;
        const std::uint8_t cell[] = {c.r, c.g, c.b, std::uint8_t(alpha)};
        std::copy_n(cell, 4, &cellColors_[4 * i]);
    }
    // A new store each time: the driver may still read the old one.
    glBindBuffer(GL_TEXTURE_BUFFER, cells_.get());
    glBufferData(GL_TEXTURE_BUFFER, GLsizeiptr(cellColors_.size()), cellColors_.data(), GL_STREAM_DRAW);
}

void ClothMesh::describe(GLsizei stride) {
    const auto floats = [&](GLuint location, GLint count, std::size_t offset) {
        glVertexAttribPointer(location, count, GL_FLOAT, GL_FALSE, stride, gl::bufferOffset(offset));
    };
    floats(0, 3, offsetof(Vertex, position));
    floats(1, 3, offsetof(Vertex, normal));
    floats(2, 2, offsetof(Vertex, check));
    glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, stride, gl::bufferOffset(offsetof(Vertex, data)));
    floats(4, 1, offsetof(Vertex, fromRim));
    glVertexAttribIPointer(5, 1, GL_UNSIGNED_BYTE, stride, gl::bufferOffset(offsetof(Vertex, cloth)));
    for (const GLuint attribute : {0u, 1u, 2u, 3u, 4u, 5u}) glEnableVertexAttribArray(attribute);
}

void ClothMesh::makeRing() {
    for (std::size_t k = 0; k < buffers_.size(); ++k) {
        buffers_[k] = gl::Buffer::make();
        arrays_[k] = gl::VertexArray::make();
        glBindVertexArray(arrays_[k].get());
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.get());
        glBindBuffer(GL_ARRAY_BUFFER, buffers_[k].get());
        glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(particles_ * sizeof(Vertex)), nullptr, GL_STREAM_DRAW);
        describe(sizeof(Vertex));
    }
    glBindVertexArray(0);
}

/// The longer side of each cloth has sixteen checks; a mesh without patches takes the extent of its coordinates.
std::vector<float> ClothMesh::checkerCoordinates(const MeshTopology& mesh) const {
    std::vector<float> checks(2 * particles_, 0.0f);
    std::copy_n(mesh.uv.begin(), std::min(mesh.uv.size(), checks.size()), checks.begin());
    const auto scale = [&](std::size_t first, std::size_t count) {
        const std::size_t end = std::min(first + count, particles_);
        float side = 0;
        for (const std::size_t axis : {0u, 1u}) {
            float low = INFINITY, high = -INFINITY;
            for (std::size_t i = first; i < end; ++i) {
                low = std::min(low, checks[2 * i + axis]);
                high = std::max(high, checks[2 * i + axis]);
            }
            side = std::max(side, high - low);
        }
        for (std::size_t i = 2 * first; i < 2 * end; ++i) checks[i] *= side > 0 ? kChecksPerSide / side : 1;
    };
    if (mesh.patches.empty()) scale(0, particles_);
    for (const auto& patch : mesh.patches) scale(std::size_t(patch.firstParticle), std::size_t(patch.particles));
    return checks;
}

void ClothMesh::update(const worker::Snapshot& snapshot, OverlayKind overlay) {
    particleColors(overlay, snapshot, colors_);
    updateCells(snapshot, overlay);
    fill(snapshot.positions, isShaded(overlay) && colors_.size() >= particles_);
}

std::array<std::uint8_t, 4> ClothMesh::colorBytes(std::size_t particle, bool colored) const {
    if (!colored) return {};
    const Rgb c = colors_[particle];
    return {c.r, c.g, c.b, 255};
}

/// Bit by bit, so that what is no number is like itself.
bool ClothMesh::holds(std::span<const float> positions, bool colored) const {
    if (fills_ == 0) return false;
    for (std::size_t i = 0; i < particles_; ++i) {
        const Vertex& v = vertices_[i];
        if (std::memcmp(&positions[3 * i], v.position, sizeof v.position) != 0) return false;
        if (const auto data = colorBytes(i, colored); std::memcmp(data.data(), v.data, sizeof v.data) != 0)
            return false;
    }
    return true;
}

void ClothMesh::fill(std::span<const float> positions, bool colored) {
    if (holds(positions, colored)) return;
    ++fills_;
    vertexNormals(positions, triangles_, normals_);
    for (std::size_t i = 0; i < particles_; ++i) {
        Vertex& v = vertices_[i];
        std::copy_n(&positions[3 * i], 3, v.position);
        std::copy_n(&normals_[3 * i], 3, v.normal);
        const auto data = colorBytes(i, colored);
        std::copy(data.begin(), data.end(), v.data);
    }
    current_ = (current_ + 1) % gl::kRing;
    glBindBuffer(GL_ARRAY_BUFFER, buffers_[current_].get());
    glBufferSubData(GL_ARRAY_BUFFER, 0, GLsizeiptr(vertices_.size() * sizeof(Vertex)), vertices_.data());
}

void ClothMesh::updateOutline(std::span<const float> positions, const glm::vec3& eye, const glm::mat4& viewProjection,
                              const Viewport& viewport) {
    if (!outline_) {
        std::vector<std::uint32_t> indices;
        for (const geometry::Triangle& t : triangles_)
            for (const Index corner : t) indices.push_back(std::uint32_t(corner));
        outline_.emplace(indices);
    }
    corners_.clear();
    outline_->find(positions, 3, eye, viewProjection, viewport, corners_);
    quads_.fill(vertices_.data(), corners_);
}

void ClothMesh::draw() const {
    glBindVertexArray(arrays_[current_].get());
    glDrawElements(GL_TRIANGLES, GLsizei(3 * triangles_.size()), GL_UNSIGNED_INT, nullptr);
}

}  // namespace clothlab::app::render
