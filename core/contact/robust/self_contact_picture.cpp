#include "contact/robust/self_contact_picture.hpp"

#include <algorithm>

#include "contact/robust/self_contact.hpp"

namespace clothlab::contact {
namespace {

/// Marks the corners that have a share in a pair.
void mark(const std::array<Index, 4>& corners, const std::array<double, 4>& weights, SelfContactKind kind,
          std::vector<std::uint8_t>& kinds) {
    for (int k = 0; k < 4; ++k)
        if (weights[k] != 0) kinds[corners[k]] = std::max(kinds[corners[k]], std::uint8_t(kind));
}

}  // namespace

void SelfContact::describe(const linalg::BlockVector& x, SelfContactPicture& out) const {
    out.kinds.assign(std::size_t(x.size()), std::uint8_t(SelfContactKind::None));
    out.nears.clear();
    for (const Near& near : near_) {
        const auto& weights = near.closest.weights;
        const auto& [corners, kind, push, friction] = near.carried;
        mark(corners, weights, SelfContactKind::Near, out.kinds);
        const int second = kind == geometry::PairKind::EdgeEdge ? 2 : 1;  // its first corner
        std::array<Vec3, 2> ends{Vec3::Zero(), Vec3::Zero()};
        for (int corner = 0; corner < 4; ++corner)
            ends[corner >= second] += (corner < second ? 1 : -1) * weights[corner] * Vec3(x[corners[corner]]);
        out.nears.push_back(ends);
    }
    for (std::size_t k = impactsFrom_; k < impulses_.size(); ++k)
        if (impulses_[k].lambda > 0)
            mark(impulses_[k].corners, impulses_[k].weights, SelfContactKind::Stopped, out.kinds);
    for (const Index i : restrained_) out.kinds[i] = std::uint8_t(SelfContactKind::Restrained);
}

}  // namespace clothlab::contact
