#include "cloth/tearing.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <utility>

#include "cloth/joined_particles.hpp"

namespace clothlab::cloth {
namespace {

bool isBroken(std::span<const std::uint8_t> broken, std::size_t e) { return !broken.empty() && broken[e] != 0; }

template <class Breaks>
Index breakWhere(const ClothModel& model, std::vector<std::uint8_t>& broken, Breaks breaks) {
    Index count = 0;
    for (std::size_t e = 0; e < model.springs.size(); ++e) {
        if (isBroken(broken, e) || !breaks(model.springs[e])) continue;
        broken.resize(model.springs.size(), 0);
        broken[e] = 1;
        ++count;
    }
    return count;
}

/// Ends of the broken springs, i < j, ascending: the order of the model.
std::vector<std::pair<Index, Index>> brokenPairs(const ClothModel& model, std::span<const std::uint8_t> broken) {
    std::vector<std::pair<Index, Index>> pairs;
    for (std::size_t e = 0; e < broken.size(); ++e)
        if (broken[e] != 0) pairs.emplace_back(model.springs[e].i, model.springs[e].j);
    return pairs;
}

/// For each particle the first one of its piece. joinAll(join) calls join(a, b) for what holds together.
template <class JoinAll>
std::vector<Index> joinedPieces(Index particles, JoinAll&& joinAll) {
    JoinedParticles groups(particles);
    joinAll([&](Index i, Index j) { groups.join(i, j); });
    return std::move(groups).firsts();
}

/// What hangs together by whole triangles.
std::vector<Index> findPieces(const ClothModel& model, std::span<const std::uint8_t> broken) {
    return joinedPieces(model.particles(), [&](auto&& join) {
        for (const geometry::Triangle& t : wholeTriangles(model, broken)) join(t[0], t[1]), join(t[0], t[2]);
    });
}

/// Breaks the springs that would hold together pieces which no triangle joins any more. Returns how many are broken
/// that were whole before.
Index breakApart(const ClothModel& model, std::span<const std::uint8_t> before, std::vector<std::uint8_t>& broken) {
    const std::vector<Index> were = findPieces(model, before), are = findPieces(model, broken);
    breakWhere(model, broken, [&](const Spring& s) { return were[s.i] == were[s.j] && are[s.i] != are[s.j]; });
    return Index(std::ranges::count(broken, 1) - std::ranges::count(before, 1));
}

std::vector<std::uint8_t> hasWholeTriangle(const ClothModel& model, std::span<const std::uint8_t> broken) {
    std::vector<std::uint8_t> has(std::size_t(model.particles()), 0);
    for (const geometry::Triangle& t : wholeTriangles(model, broken))
        for (const Index corner : t) has[corner] = 1;
    return has;
}

/// A particle close to a cut can lose all its triangles, and would fall out of the sheet by itself. It changes sides
/// instead: its springs that were cut are whole again, and those that were not are cut.
void moveCrumbsAcross(const ClothModel& model, std::span<const std::uint8_t> before,
                      std::vector<std::uint8_t>& broken) {
    const std::vector<std::uint8_t> had = hasWholeTriangle(model, before), kept = hasWholeTriangle(model, broken);
    const auto crossed = [&](const auto& isMoved) {
        std::vector<std::uint8_t> flags = broken;
        for (std::size_t e = 0; e < flags.size(); ++e)
            if (!isBroken(before, e) && isMoved(model.springs[e].i) != isMoved(model.springs[e].j)) flags[e] ^= 1;
        return flags;
    };
    const auto isCrumb = [&](Index i) { return had[i] != kept[i]; };
    const std::vector<std::uint8_t> joined = hasWholeTriangle(model, crossed(isCrumb));
    broken = crossed([&](Index i) { return isCrumb(i) && joined[i] != 0; });
}

}  // namespace

bool cuts(const Blade& blade, const Vec3& a, const Vec3& b) {
    const Vec3 n = blade.from.cross(blade.to);
    const double atA = n.dot(a - blade.eye), atB = n.dot(b - blade.eye);
    if ((atA >= 0) == (atB >= 0)) return false;
    const Vec3 p = a + atA / (atA - atB) * (b - a) - blade.eye;
    // p = (s from + t to) / |n|^2
    const double s = p.cross(blade.to).dot(n), t = blade.from.cross(p).dot(n);
    return s >= 0 && t >= 0 && s + t > 0;
}

Index breakCut(const ClothModel& model, const Blade& blade, const linalg::BlockVector& x,
               std::vector<std::uint8_t>& broken) {
    const std::vector<std::uint8_t> before = broken;
    if (breakWhere(model, broken, [&](const Spring& s) { return cuts(blade, x[s.i], x[s.j]); }) == 0) return 0;
    moveCrumbsAcross(model, before, broken);
    return breakApart(model, before, broken);
}

Index breakOverstretched(const ClothModel& model, std::span<const double> limits, const linalg::BlockVector& x,
                         std::vector<std::uint8_t>& broken) {
    if (std::ranges::none_of(limits, [](double limit) { return limit > 0; })) return 0;
    const std::vector<std::uint8_t> before = broken;
    const auto breaks = [&](const Spring& s) {
        const double limit = limits[s.material], longest = s.restLength * (1 + limit);
        return limit > 0 && (x[s.j] - x[s.i]).squaredNorm() > longest * longest;
    };
    if (breakWhere(model, broken, breaks) == 0) return 0;
    return breakApart(model, before, broken);
}

std::vector<Index> piecesOfSprings(const ClothModel& model, std::span<const std::uint8_t> broken) {
    return joinedPieces(model.particles(), [&](auto&& join) {
        for (std::size_t e = 0; e < model.springs.size(); ++e)
            if (broken.empty() || broken[e] == 0) join(model.springs[e].i, model.springs[e].j);
        for (const SewingThread& thread : model.threads) join(thread.i, thread.j);
    });
}

std::vector<std::uint8_t> looseParticles(const ClothModel& model, std::span<const std::uint8_t> broken) {
    if (std::ranges::none_of(broken, [](std::uint8_t flag) { return flag != 0; })) return {};
    std::vector<std::uint8_t> loose(std::size_t(model.particles()), 0);
    for (const bool whole : {false, true})
        for (std::size_t e = 0; e < model.springs.size(); ++e)
            if (isBroken(broken, e) != whole)
                for (const Index end : {model.springs[e].i, model.springs[e].j}) loose[end] = whole ? 0 : 1;
    return loose;
}

std::vector<std::uint8_t> tornTriangles(const ClothModel& model, std::span<const geometry::Triangle> triangles,
                                        std::span<const std::uint8_t> broken) {
    std::vector<std::uint8_t> torn(triangles.size(), 0);
    const std::vector<std::pair<Index, Index>> pairs = brokenPairs(model, broken);
    if (pairs.empty()) return torn;
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const auto& [p, q] : {std::pair(0, 1), std::pair(1, 2), std::pair(2, 0)}) {
            const auto ends = std::minmax(triangles[t][p], triangles[t][q]);
            if (std::ranges::binary_search(pairs, std::pair<Index, Index>(ends))) torn[t] = 1;
        }
    return torn;
}

std::vector<std::uint8_t> tornFacets(const ClothModel& model, std::span<const std::uint8_t> broken) {
    std::vector<geometry::Triangle> corners;
    corners.reserve(model.facets.size());
    for (const Facet& facet : model.facets) corners.push_back(facet.corners);
    return tornTriangles(model, corners, broken);
}

std::vector<geometry::Triangle> wholeTriangles(const ClothModel& model, std::span<const std::uint8_t> broken) {
    const std::vector<std::uint8_t> torn = tornTriangles(model, model.triangles, broken);
    std::vector<geometry::Triangle> whole;
    for (std::size_t t = 0; t < torn.size(); ++t)
        if (torn[t] == 0) whole.push_back(model.triangles[t]);
    return whole;
}

}  // namespace clothlab::cloth
