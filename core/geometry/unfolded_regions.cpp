#include "geometry/unfolded_regions.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

namespace clothlab::geometry {
namespace {

using simd::Float8;

/// Patches further apart at rest than this, of their size, are not asked about: a region around both is rarely flat.
constexpr double kNeighbours = 1;
/// Share of the largest entry of F that rounding and the rim of a hull may take from the stretch.
constexpr float kStretchMargin = 1e-4f;
/// Share of the size of a patch by which rounding to floats may move its corners, for F and for its box.
constexpr float kInGradients = 0x1p-20f, kInBoxes = 0x1p-21f;

float least(const Float8& of) {
    float lane[8];
    of.store(lane);
    return *std::min_element(lane, lane + 8);
}

float most(const Float8& of) {
    float lane[8];
    of.store(lane);
    return *std::max_element(lane, lane + 8);
}

template <std::size_t kCount>
struct Intervals8 {
    std::array<Float8, kCount> lo, hi;
    bool empty = true;

    void include(const std::array<Float8, kCount>& values) {
        if (empty) lo = hi = values;
        empty = false;
        for (std::size_t k = 0; k < kCount; ++k) {
            lo[k] = smaller(lo[k], values[k]);
            hi[k] = larger(hi[k], values[k]);
        }
    }
};

}  // namespace

void UnfoldedRegions::Gradients::include(const Gradients& other) {
    smaller(Float8::load(lo.data()), Float8::load(other.lo.data())).store(lo.data());
    larger(Float8::load(hi.data()), Float8::load(other.hi.data())).store(hi.data());
}

void UnfoldedRegions::addPatch(Index patch) {
    const std::span<const Index> faces = patches_->faces.of(patch);
    const std::size_t begin = corner_.size();
    std::vector<std::array<Index, 3>> local;
    for (const Index t : faces) {
        local.emplace_back();
        for (int k = 0; k < 3; ++k) {
            const Index vertex = patches_->triangles[t][k];
            const auto found = std::find(corner_.begin() + std::ptrdiff_t(begin), corner_.end(), vertex);
            local.back()[k] = Index(found - corner_.begin()) - Index(begin);
            if (found == corner_.end()) corner_.push_back(vertex);
        }
    }
    while ((corner_.size() - begin) % 8 != 0) corner_.push_back(corner_.back());
    firstCorner_.push_back(Index(corner_.size()));

    float steepest = HUGE_VALF;
    if (charts_.chartOfPatch(patch) >= 0) {
        steepest = 0;
        for (std::size_t k = 0; k < (faces.size() + 7) / 8 * 8; ++k) {
            if (k % 8 == 0) blocks_.emplace_back();
            const std::size_t face = std::min(k, faces.size() - 1);
            const auto c = charts_.corners(faces[face]);
            Eigen::Matrix2d sides;
            sides << c[1] - c[0], c[2] - c[0];
            const Eigen::Matrix2d inverse = sides.inverse();
            for (int corner = 0; corner < 3; ++corner) blocks_.back().corner[corner][k % 8] = 4 * local[face][corner];
            for (int entry = 0; entry < 4; ++entry) blocks_.back().inverse[entry][k % 8] = float(inverse(entry));
            steepest = std::max(steepest, float(inverse.cwiseAbs().colwise().sum().maxCoeff()));
        }
    }
    steepest_.push_back(steepest);
    firstBlock_.push_back(Index(blocks_.size()));
}

void UnfoldedRegions::build(const SurfacePatches& patches, std::span<const Vec3> points) {
    patches_ = &patches;
    charts_.build(patches, points);
    corner_.clear();
    firstCorner_.assign(1, 0);
    blocks_.clear();
    firstBlock_.assign(1, 0);
    steepest_.clear();
    for (Index patch = 0; patch < patches.size(); ++patch) addPatch(patch);
    ofPatch_.assign(std::size_t(patches.size()), {});
    ofNode_.assign(patches.nodes.size(), {});
    neighbours_.assign(std::size_t(patches.size()), {});
    ofNodeRegion_.assign(patches.nodes.size(), {});
    nodeKnown_.assign(patches.nodes.size(), 0);
}

/// The corners of a patch at the start and at the end of the step, rows of four floats, beside the first corner.
struct UnfoldedRegions::Rows {
    static constexpr std::size_t kMost = 4 * 3 * std::size_t(SurfacePatches::kTriangles);
    alignas(32) float start[kMost], end[kMost];
    std::size_t corners;
    Vec3 origin;

    Rows(std::span<const Index> of, const PointMotion& motion) : corners(of.size()), origin(motion.from(of[0])) {
        for (std::size_t k = 0; k < corners; ++k) {
            const Vec3 from = motion.from(of[k]) - origin, to = motion.to(of[k]) - origin;
            for (int axis = 0; axis < 3; ++axis) {
                start[4 * k + axis] = float(from[axis]);
                end[4 * k + axis] = float(to[axis]);
            }
            start[4 * k + 3] = end[4 * k + 3] = 0;
        }
    }
    /// Without the origin; `numbers`: whether all coordinates are.
    Bounds bounds(bool& numbers) const {
        Intervals8<Bounds::kAxes> along;
        Float8 broken = Float8::zero();
        constexpr Index kEight[8] = {0, 4, 8, 12, 16, 20, 24, 28};
        for (std::size_t k = 0; k < corners; k += 8)
            for (const float* rows : {start + 4 * k, end + 4 * k}) {
                Float8 at[3];
                gatherRows(rows, kEight, at);
                const auto& [x, y, z] = at;
                broken = broken + (((x - x) + (y - y)) + (z - z));
                along.include({x, y, z, x + y, x - y, y + z, y - z, z + x, z - x});
            }
        numbers = most(broken) == 0 && least(broken) == 0;
        Bounds box;
        for (int axis = 0; axis < Bounds::kAxes; ++axis) {
            box.lo[axis] = least(along.lo[axis]);
            box.hi[axis] = most(along.hi[axis]);
        }
        return box;
    }
};

void UnfoldedRegions::boundGradients(Index patch, const Rows& rows, float size) {
    Intervals8<6> entries;
    for (Index b = firstBlock_[patch]; b < firstBlock_[patch + 1]; ++b)
        for (const float* places : {rows.start, rows.end}) {
            const Block& block = blocks_[b];
            Float8 corner[3][3];
            for (int c = 0; c < 3; ++c) gatherRows(places, block.corner[c], corner[c]);
            std::array<Float8, 6> entry;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const Float8 side = corner[1][axis] - corner[0][axis], other = corner[2][axis] - corner[0][axis];
                for (std::size_t column = 0; column < 2; ++column)
                    entry[3 * column + axis] = multiplyAdd(side, Float8::load(block.inverse[2 * column]),
                                                           other * Float8::load(block.inverse[2 * column + 1]));
            }
            entries.include(entry);
        }
    const float wide = kInGradients * size * steepest_[patch];
    Gradients& out = ofPatch_[patch];
    out.lo.fill(0);
    out.hi.fill(0);
    for (std::size_t k = 0; k < 6; ++k) {
        out.lo[k / 3 * 4 + k % 3] = least(entries.lo[k]) - wide;
        out.hi[k / 3 * 4 + k % 3] = most(entries.hi[k]) + wide;
    }
}

Bounds UnfoldedRegions::take(Index patch, const PointMotion& motion, double pad) {
    const Index first = firstCorner_[patch], last = firstCorner_[patch + 1];
    const Rows rows({corner_.data() + first, std::size_t(last - first)}, motion);
    bool numbers;
    Bounds box = rows.bounds(numbers);
    if (!numbers) {  // nothing is excluded
        box.lo.fill(-HUGE_VALF);
        box.hi.fill(HUGE_VALF);
        ofPatch_[patch].lo.fill(-HUGE_VALF);
        ofPatch_[patch].hi.fill(HUGE_VALF);
        return box;
    }
    float size = 0;
    for (int axis = 0; axis < 3; ++axis) size = std::max({size, -box.lo[axis], box.hi[axis]});
    box.shift(rows.origin, pad + double(kInBoxes * size));
    if (charts_.chartOfPatch(patch) >= 0) boundGradients(patch, rows, size);
    return box;
}

void UnfoldedRegions::join(Index node) {
    if (charts_.chartOfNode(node) < 0) return;
    const SurfacePatches::Node& n = patches_->nodes[node];
    ofNode_[node] = n.right < 0 ? ofPatch_[n.firstPatch] : ofNode_[node + 1];
    if (n.right >= 0) ofNode_[node].include(ofNode_[n.right]);
}

/// E for gradients like these: the columns in the middle, made orthonormal by turning both by the same angle.
UnfoldedRegions::Frame UnfoldedRegions::fitFrame(const Gradients& of) {
    using Column = Eigen::Vector3f;
    const auto middle = [&](std::size_t from) {
        return Column(of.lo[from] + of.hi[from], of.lo[from + 1] + of.hi[from + 1], of.lo[from + 2] + of.hi[from + 2])
            .normalized();
    };
    const Column first = middle(0), second = middle(4);
    const Column sum = (first + second).normalized(), difference = (first - second).normalized();
    return {0.70710678f * (sum + difference), 0.70710678f * (sum - difference)};
}

/// The largest c that these intervals surely allow; not a number where they are none.
float UnfoldedRegions::leastStretch(const Gradients& of, const Frame& e) {
    float size = 0;
    // The interval of e . (a column).
    const auto interval = [&](const Eigen::Vector3f& direction, std::size_t column) {
        float lo = 0, hi = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const float a = direction[Eigen::Index(axis)] * of.lo[4 * column + axis];
            const float b = direction[Eigen::Index(axis)] * of.hi[4 * column + axis];
            lo += std::min(a, b);
            hi += std::max(a, b);
            size = std::max(size, std::abs(a) + std::abs(b));
        }
        return std::array{lo, hi};
    };
    const float a = interval(e[0], 0)[0], d = interval(e[1], 1)[0];
    const auto [firstLo, firstHi] = interval(e[0], 1);
    const auto [secondLo, secondHi] = interval(e[1], 0);
    const float b = 0.5f * std::max(firstHi + secondHi, -(firstLo + secondLo));
    return 0.5f * (a + d) - std::sqrt(0.25f * (a - d) * (a - d) + b * b) - kStretchMargin * size;
}

/// With the intervals around all, or else with those of each part.
bool UnfoldedRegions::apart(const Gradients& all, const Region& region, double distance) const {
    const float needed = float(distance / double(region.finest) * (1 + 1e-6));
    const Frame frame = fitFrame(all);
    if (leastStretch(all, frame) > needed) return true;
    return std::ranges::all_of(region.patches,
                               [&](Index patch) { return leastStretch(ofPatch_[patch], frame) > needed; });
}

UnfoldedRegions::Region UnfoldedRegions::unfoldRegion(std::span<const Index> patches) {
    auto cover = charts_.cover(patches);
    if (!cover) return {};
    Region out{std::move(*cover), HUGE_VALF};
    for (const Index patch : out.patches) out.finest = std::min(out.finest, charts_.finest(patch));
    return out;
}

UnfoldedRegions::Answer UnfoldedRegions::ask(Index a, Index b, double distance) const {
    if (charts_.chartOfPatch(a) < 0 || charts_.chartOfPatch(a) != charts_.chartOfPatch(b)) return Answer::Near;
    const std::vector<Neighbour>& known = neighbours_[std::min(a, b)];
    const auto found = std::ranges::find(known, std::max(a, b), &Neighbour::patch);
    if (found == known.end()) {
        const bool far = charts_.gap(a, b) > kNeighbours * std::max(charts_.extent(a), charts_.extent(b));
        return far ? Answer::Near : Answer::Unknown;
    }
    const Region& region = found->region;
    if (region.patches.empty()) return Answer::Near;
    Gradients all = ofPatch_[region.patches[0]];
    for (const Index patch : region.patches) all.include(ofPatch_[patch]);
    return apart(all, region, distance) ? Answer::Apart : Answer::Near;
}

UnfoldedRegions::Answer UnfoldedRegions::ask(Index node, double distance) const {
    if (charts_.chartOfNode(node) < 0) return Answer::Near;
    // Without what lies around it: most fail here.
    if (!(leastStretch(ofNode_[node], fitFrame(ofNode_[node])) > 0)) return Answer::Near;
    if (!nodeKnown_[node]) return Answer::Unknown;
    const Region& region = ofNodeRegion_[node];
    if (region.patches.empty()) return Answer::Near;
    const SurfacePatches::Node& n = patches_->nodes[node];
    Gradients all = ofNode_[node];
    for (const Index patch : region.patches)
        if (patch < n.firstPatch || patch > n.lastPatch) all.include(ofPatch_[patch]);
    return apart(all, region, distance) ? Answer::Apart : Answer::Near;
}

void UnfoldedRegions::lookFor(Index a, Index b) {
    const std::array<Index, 2> both{a, b};
    neighbours_[std::min(a, b)].push_back({std::max(a, b), unfoldRegion({both.data(), std::size_t(a == b ? 1 : 2)})});
}

void UnfoldedRegions::lookFor(Index node) {
    std::vector<Index> own;
    for (Index patch = patches_->nodes[node].firstPatch; patch <= patches_->nodes[node].lastPatch; ++patch)
        own.push_back(patch);
    ofNodeRegion_[node] = unfoldRegion(own);
    nodeKnown_[node] = 1;
}

}  // namespace clothlab::geometry
