#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "scene/placement.hpp"

namespace clothlab::scene {
namespace {

struct Chosen {
    const ParticleSet& set;
    const ClothPatch& cloth;

    Expected<std::vector<Index>> operator()(std::vector<Index> listed) const {
        const long count = numberCount(cloth);
        for (const Index number : listed)
            if (number < 0 || number >= count)
                return fail(Error{.message = fmt::format("the set '{}' lists particle {}; the cloth has {}",
                                                         shown(set.name), number, count),
                                  .choices = {fmt::format("0 .. {}", count - 1)}});
        if (cloth.mesh)
            for (Index& number : listed) {
                const Index point = cloth.mesh.content->pointOfNumber(number);
                if (point < 0)
                    return fail(fmt::format("the set '{}' lists point {} of {}, which is in no face and no particle",
                                            shown(set.name), number, shownPath(cloth.mesh.name())));
                number = point;
            }
        if (cloth.mesh && cloth.weld.distance > 0)
            for (Index& number : listed) number = cloth.weld.content->welded.pointOf[number];
        std::sort(listed.begin(), listed.end());
        listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
        return listed;
    }
    Expected<std::vector<Index>> operator()(const ParticleSet::Near& near) const {
        const linalg::BlockVector x = startPositions(cloth);
        Index best = 0;
        for (Index i = 1; i < x.size(); ++i)
            if ((x[i] - near.point).squaredNorm() < (x[best] - near.point).squaredNorm()) best = i;
        return std::vector<Index>{best};
    }
    Expected<std::vector<Index>> operator()(const ParticleSet::Box& box) const {
        const linalg::BlockVector x = startPositions(cloth);
        std::vector<Index> inside;
        for (Index i = 0; i < x.size(); ++i)
            if ((x[i].array() >= box.low.array()).all() && (x[i].array() <= box.high.array()).all())
                inside.push_back(i);
        if (inside.empty())
            return fail(fmt::format("the set '{}' is empty: no particle starts in its box", shown(set.name)));
        return inside;
    }
};

}  // namespace

Expected<std::vector<Index>> resolve(const ParticleSet& set, const ClothPatch& cloth) {
    ClothPatch made = cloth;
    if (auto done = makeCloth(made); !done) return fail(done.error());
    return std::visit(Chosen{set, made}, set.which);
}

}  // namespace clothlab::scene
