#include "render/outline.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>

namespace clothlab::app::render {
namespace {

glm::vec3 vertexPlace(std::span<const float> positions, std::size_t stride, std::uint32_t vertex) {
    const float* p = &positions[stride * vertex];
    return {p[0], p[1], p[2]};
}

}  // namespace

std::vector<std::uint32_t> weldVertices(std::span<const float> positions, std::size_t stride) {
    std::map<std::array<float, 3>, std::uint32_t> first;
    std::vector<std::uint32_t> of(positions.size() / stride);
    for (std::uint32_t i = 0; i < of.size(); ++i) {
        const float* p = &positions[stride * i];
        of[i] = first.try_emplace({p[0] + 0.0f, p[1] + 0.0f, p[2] + 0.0f}, i).first->second;
    }
    return of;
}

Outline::Outline(std::span<const std::uint32_t> indices, const std::vector<std::uint32_t>& places)
    : indices_(indices.begin(), indices.end()), faces_(indices.size() / 3) {
    const auto placeOfVertex = [&](std::uint32_t vertex) { return places.empty() ? vertex : places[vertex]; };
    struct Side {
        std::array<std::uint32_t, 2> places, ends;
        std::uint32_t opposite;
        std::int32_t triangle;
    };
    std::vector<Side> sides;
    sides.reserve(indices_.size());
    for (std::size_t t = 0; t + 2 < indices_.size(); t += 3)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = indices_[t + k], b = indices_[t + (k + 1) % 3], c = indices_[t + (k + 2) % 3];
            const std::uint32_t from = placeOfVertex(a), to = placeOfVertex(b);
            if (from != to) sides.push_back({{std::min(from, to), std::max(from, to)}, {a, b}, c, std::int32_t(t / 3)});
        }
    std::ranges::stable_sort(sides, {}, &Side::places);
    for (std::size_t k = 0; k < sides.size();) {
        std::size_t end = k + 1;
        while (end < sides.size() && sides[end].places == sides[k].places) ++end;
        const Side &first = sides[k], &second = sides[end - k == 1 ? k : k + 1];
        edges_.push_back({first.ends[0],
                          first.ends[1],
                          {first.triangle, end - k == 1 ? -1 : second.triangle},
                          {first.opposite, second.opposite}});
        k = end;
    }
}

void Outline::find(std::span<const float> positions, std::size_t stride, const glm::vec3& eye,
                   const glm::mat4& viewProjection, const Viewport& viewport, std::vector<OutlineCorner>& corners) {
    for (std::size_t t = 0; t < faces_.size(); ++t) {
        const glm::vec3 a = vertexPlace(positions, stride, indices_[3 * t]),
                        b = vertexPlace(positions, stride, indices_[3 * t + 1]),
                        c = vertexPlace(positions, stride, indices_[3 * t + 2]);
        faces_[t] = glm::dot(glm::cross(b - a, c - a), eye - a) > 0 ? 1 : 0;
    }
    const glm::vec2 size(float(viewport.width), float(viewport.height));
    const auto toPixel = [&](const glm::vec3& p) -> std::optional<glm::vec2> {
        const glm::vec4 clip = viewProjection * glm::vec4(p, 1);
        if (!(clip.w > 1e-6f)) return {};
        return 0.5f * size * glm::vec2(clip) / clip.w;
    };
    const auto at = [&](std::uint32_t vertex) { return vertexPlace(positions, stride, vertex); };
    for (const Edge& edge : edges_) {
        const bool rim = edge.triangles[1] < 0;
        if (!rim && faces_[edge.triangles[0]] == faces_[edge.triangles[1]]) continue;
        const glm::vec3 a = at(edge.a), b = at(edge.b), c = at(edge.opposite[0]);
        // Both triangles are on the same side of the outline; the second hides the first that lies behind its plane.
        const glm::vec3 normal = glm::cross(b - a, at(edge.opposite[1]) - a);
        const bool hidden = !rim && glm::dot(normal, c - a) * glm::dot(normal, eye - a) < 0;
        const std::size_t seen = hidden ? 1 : 0;
        const auto from = toPixel(a), to = toPixel(b), inside = toPixel(at(edge.opposite[seen]));
        if (!from || !to || !inside) continue;
        const glm::vec2 way = *to - *from, in = *inside - *from;
        const float turn = way.x * in.y - way.y * in.x;
        if (turn == 0 || !(glm::dot(way, way) > 0)) continue;
        // A ripple of a surface seen edge-on is thinner than what its quad would add.
        if (!rim && std::abs(turn) < glm::length(way)) continue;
        // Out is to the left of the way from a to b, or to its right; on the way back it is the other.
        const float out = turn > 0 ? -1.0f : 1.0f;
        const auto triangle = float(edge.triangles[seen] + 1);
        const OutlineCorner quad[] = {{edge.a, {{b.x, b.y, b.z}, 0, triangle}},
                                      {edge.b, {{a.x, a.y, a.z}, 0, triangle}},
                                      {edge.b, {{a.x, a.y, a.z}, -out, triangle}},
                                      {edge.a, {{b.x, b.y, b.z}, out, triangle}}};
        const bool front = faces_[edge.triangles[seen]] != 0;
        if (front == (out > 0))
            corners.insert(corners.end(), std::begin(quad), std::end(quad));
        else
            corners.insert(corners.end(), std::rbegin(quad), std::rend(quad));
    }
}

OutlineQuads::OutlineQuads(std::size_t vertexBytes, const std::function<void(GLsizei)>& describe)
    : vertexBytes_(vertexBytes) {
    vertices_ = gl::Buffer::make();
    indices_ = gl::Buffer::make();
    array_ = gl::VertexArray::make();
    const auto stride = GLsizei(vertexBytes + sizeof(OutlineCorner::Tail));
    glBindVertexArray(array_.get());
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.get());
    glBindBuffer(GL_ARRAY_BUFFER, vertices_.get());
    describe(stride);
    constexpr GLuint kOther = 6, kOut = 7, kTriangle = 8;  // locations in the shaders
    glVertexAttribPointer(kOther, 3, GL_FLOAT, GL_FALSE, stride,
                          gl::bufferOffset(vertexBytes + offsetof(OutlineCorner::Tail, other)));
    glVertexAttribPointer(kOut, 1, GL_FLOAT, GL_FALSE, stride,
                          gl::bufferOffset(vertexBytes + offsetof(OutlineCorner::Tail, out)));
    glVertexAttribPointer(kTriangle, 1, GL_FLOAT, GL_FALSE, stride,
                          gl::bufferOffset(vertexBytes + offsetof(OutlineCorner::Tail, triangle)));
    for (const GLuint attribute : {kOther, kOut, kTriangle}) glEnableVertexAttribArray(attribute);
    glBindVertexArray(0);
}

void OutlineQuads::fill(const void* vertices, std::span<const OutlineCorner> corners) {
    corners_ = corners.size();
    const std::size_t stride = vertexBytes_ + sizeof(OutlineCorner::Tail);
    bytes_.resize(stride * corners.size());
    for (std::size_t k = 0; k < corners.size(); ++k) {
        std::byte* at = bytes_.data() + stride * k;
        std::memcpy(at, static_cast<const std::byte*>(vertices) + vertexBytes_ * corners[k].vertex, vertexBytes_);
        std::memcpy(at + vertexBytes_, &corners[k].tail, sizeof corners[k].tail);
    }
    // A new store each time: the driver may still read the old one.
    glBindVertexArray(array_.get());
    glBindBuffer(GL_ARRAY_BUFFER, vertices_.get());
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(bytes_.size()), bytes_.data(), GL_STREAM_DRAW);
    if (corners_ > indexed_) {
        std::vector<std::uint32_t> indices;
        for (std::uint32_t first = 0; first < 2 * corners_; first += 4)
            for (const std::uint32_t corner : {0, 1, 2, 0, 2, 3}) indices.push_back(first + corner);
        indexed_ = indices.size() / 6 * 4;
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(indices.size() * sizeof(std::uint32_t)), indices.data(),
                     GL_STATIC_DRAW);
    }
    glBindVertexArray(0);
}

void OutlineQuads::draw(std::size_t firstCorner, std::size_t corners) const {
    if (corners == 0) return;
    glBindVertexArray(array_.get());
    glDrawElements(GL_TRIANGLES, GLsizei(corners / 4 * 6), GL_UNSIGNED_INT,
                   gl::bufferOffset(firstCorner / 4 * 6 * sizeof(std::uint32_t)));
}

}  // namespace clothlab::app::render
