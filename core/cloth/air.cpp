#include "cloth/air.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace clothlab::cloth {

void PressureDrag::analyze(const ClothModel& model, std::span<const std::uint8_t> torn) {
    const auto n = std::size_t(model.particles());
    const auto isTorn = [&](std::size_t t) { return !torn.empty() && torn[t] != 0; };
    start_.assign(n + 1, 0);
    area_ = model.restArea;
    for (std::size_t t = 0; t < model.facets.size(); ++t)
        for (const Index i : model.facets[t].corners)
            if (isTorn(t))
                area_[i] = std::max(0.0, area_[i] - facetRestArea(model, model.facets[t]) / 3);
            else
                ++start_[i + 1];
    for (std::size_t i = 0; i < n; ++i) start_[i + 1] += start_[i];
    facet_.resize(std::size_t(start_.back()));
    std::vector<Index> cursor(start_.begin(), start_.end() - 1);
    for (std::size_t t = 0; t < model.facets.size(); ++t)
        if (!isTorn(t))
            for (const Index i : model.facets[t].corners) facet_[cursor[i]++] = Index(t);
    areaVector_.resize(Index(model.facets.size()));
}

void PressureDrag::evaluate(const ClothModel& model, const linalg::BlockVector& x, const linalg::BlockVector& v,
                            const Air& air, linalg::BlockVector& force, WorkerPool& pool) {
    if (force.size() != model.particles()) force.resize(model.particles());
    parallelRows(pool, areaVector_.size(), [&](Index begin, Index end) {
        for (Index t = begin; t < end; ++t) {
            const auto& [corners, share] = model.facets[t];
            const Vec3 a = x[corners[1]] - x[corners[0]], b = x[corners[2]] - x[corners[0]];
            areaVector_[t] = share * a.cross(b);
        }
    });
    parallelRows(pool, model.particles(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            Vec3 normal = Vec3::Zero();
            for (Index k = start_[i]; k < start_[i + 1]; ++k) normal += areaVector_[facet_[k]];
            const double length = normal.norm();
            const Vec3 w = v[i] - air.velocity;
            const double across = length > 0 ? std::abs(normal.dot(w)) / length : 0;
            force[i] = (-air.factor * area_[i] * across) * w;
        }
    });
}

}  // namespace clothlab::cloth
