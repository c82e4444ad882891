#include "panels/descent/cloth_sketch.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "render/cloth_normals.hpp"
#include "widgets/palette.hpp"

namespace clothlab::app::panels {

namespace {

/// ImGui's indices have 16 bits: a draw call has no more vertices than that.
constexpr std::size_t kMostVertices = 60000;
constexpr float kContrast = 1.5f;

}  // namespace

ClothSketch::ClothSketch(std::span<const float> positions, std::span<const geometry::Triangle> triangles,
                         const render::Camera& from) {
    const glm::vec3 right = from.right(), up = from.up(), forward = from.forward();
    const glm::vec3 toLight = glm::normalize(0.6f * up - right - 0.6f * forward);
    std::vector<float> normals, depth;
    render::vertexNormals(positions, triangles, normals);
    for (std::size_t k = 0; k + 2 < positions.size(); k += 3) {
        const glm::vec3 x{positions[k], positions[k + 1], positions[k + 2]};
        const glm::vec3 n{normals[k], normals[k + 1], normals[k + 2]};
        // Of the side that is seen; where the cloth turns away the one side goes over into the other.
        const float facing = std::clamp(-8 * glm::dot(n, forward), -1.0f, 1.0f);
        at_.emplace_back(glm::dot(x, right), -glm::dot(x, up));
        depth.push_back(glm::dot(x, forward));
        light_.push_back(std::pow(std::max(0.5f + 0.5f * facing * glm::dot(n, toLight), 0.0f), kContrast));
    }
    std::vector<float> distance;
    for (const geometry::Triangle& t : triangles) {
        const float sum = depth[t[0]] + depth[t[1]] + depth[t[2]];
        if (!std::isfinite(sum)) continue;
        order_.push_back(t);
        distance.push_back(sum);
        for (const Index i : t) {
            min_ = {std::min(min_.x, at_[i].x), std::min(min_.y, at_[i].y)};
            max_ = {std::max(max_.x, at_[i].x), std::max(max_.y, at_[i].y)};
        }
    }
    std::vector<std::size_t> farthest(order_.size());
    std::iota(farthest.begin(), farthest.end(), std::size_t(0));
    std::ranges::stable_sort(farthest, [&](std::size_t a, std::size_t b) { return distance[a] > distance[b]; });
    std::vector<geometry::Triangle> sorted;
    sorted.reserve(order_.size());
    for (const std::size_t k : farthest) sorted.push_back(order_[k]);
    order_ = std::move(sorted);
}

void ClothSketch::writeVertex(ImDrawList& list, Index i, const Place& place, ImU32 shadow, ImU32 lit) const {
    const ImVec2 p = at_[i];
    const bool drawn = std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(light_[i]);
    list.PrimWriteVtx({drawn ? place.centre.x + (p.x - place.middle.x) * place.pixelsPerMetre : 0,
                       drawn ? place.centre.y + (p.y - place.middle.y) * place.pixelsPerMetre : 0},
                      ImGui::GetFontTexUvWhitePixel(), widgets::mixed(shadow, lit, drawn ? light_[i] : 0));
}

void ClothSketch::draw(ImDrawList& list, const Place& place, ImU32 shadow, ImU32 lit) const {
    if (order_.empty()) return;
    if (at_.size() <= kMostVertices) {
        list.PrimReserve(int(3 * order_.size()), int(at_.size()));
        const unsigned first = list._VtxCurrentIdx;
        for (const geometry::Triangle& t : order_)
            for (const Index i : t) list.PrimWriteIdx(ImDrawIdx(first + unsigned(i)));
        for (Index i = 0; i < Index(at_.size()); ++i) writeVertex(list, i, place, shadow, lit);
        return;
    }
    // In pieces, whose triangles have corners of their own: the order must stay.
    for (std::size_t begin = 0; begin < order_.size(); begin += kMostVertices / 3) {
        const std::size_t count = std::min(order_.size() - begin, kMostVertices / 3);
        list.PrimReserve(int(3 * count), int(3 * count));
        const unsigned first = list._VtxCurrentIdx;
        for (unsigned k = 0; k < 3 * count; ++k) list.PrimWriteIdx(ImDrawIdx(first + k));
        for (std::size_t k = begin; k < begin + count; ++k)
            for (const Index i : order_[k]) writeVertex(list, i, place, shadow, lit);
    }
}

}  // namespace clothlab::app::panels
