#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/worker_pool.hpp"
#include "bench.hpp"
#include "factorizations.hpp"
#include "geometry/surface_tree.hpp"

namespace clothlab::bench {
namespace {

using geometry::Bounds;
using geometry::FeaturePairs;

constexpr int kSide = 216, kMiddle = kSide / 2;
constexpr double kSpacing = 0.005, kBall = 0.3, kPad = 0.1 * kSpacing;  // m

/// The position of the point (a, b) of a sheet that hangs over a ball, in folds that turn with `phase`.
Vec3 onBall(double a, double b, double phase) {
    const double r = std::hypot(a, b), around = std::atan2(b, a), bent = std::min(r / kBall, std::numbers::pi / 2);
    const double hanging = r - kBall * bent;  // m, straight down
    const double fold = 0.3 * hanging * std::cos(9 * around + phase);
    const double out = kBall * std::sin(bent) + fold;
    return {out * std::cos(around), kBall * std::cos(bent) - hanging, out * std::sin(around)};
}

/// Two successive frames of the sheet.
struct Draped {
    std::vector<Vec3> flat;
    std::vector<geometry::Triangle> triangles = geometry::gridTriangles({kSide, kSide});
    std::vector<geometry::MeshEdge> edges = geometry::collectEdges(triangles, kSide* kSide);
    std::vector<Vec3> start, moved;
    std::vector<Bounds> boxes;  ///< around the paths of the points

    Draped() {
        for (int row = 0; row < kSide; ++row)
            for (int column = 0; column < kSide; ++column) {
                const double a = (column - kMiddle) * kSpacing, b = (row - kMiddle) * kSpacing;
                flat.emplace_back(a, 0, b);
                start.push_back(onBall(a, b, 0));
                const Vec3 end = onBall(a, b, 0.02) - Vec3(0, 0.001, 0);
                moved.push_back(end - start.back());
                boxes.push_back(Bounds::around(start.back(), end, kPad));
            }
    }
};

/// The peer: boxes along the axes of the world, swept along x.
class SweepAndPrune {
public:
    explicit SweepAndPrune(const Draped& sheet) : sheet_(sheet) {}

    std::size_t pairs() {
        place();
        std::size_t found = 0;
        sweep(vertices_, faces_, [&](Index v, Index t) {
            const geometry::Triangle& corners = sheet_.triangles[t];
            found += std::ranges::find(corners, v) == corners.end();
        });
        sweep(sides_, sides_, [&](Index e, Index f) {
            const geometry::MeshEdge &p = sheet_.edges[e], &q = sheet_.edges[f];
            found += e < f && p.a != q.a && p.a != q.b && p.b != q.a && p.b != q.b;
        });
        return found;
    }

private:
    struct Box {
        std::array<float, 3> lo, hi;
        Index id;
    };

    Box boundingBox(Index id, std::initializer_list<Index> corners) const {
        Bounds all = Bounds::empty();
        for (const Index i : corners) all.include(sheet_.boxes[i]);
        return {{all.lo[0], all.lo[1], all.lo[2]}, {all.hi[0], all.hi[1], all.hi[2]}, id};
    }
    void place() {
        vertices_.clear();
        faces_.clear();
        sides_.clear();
        for (Index i = 0; i < Index(sheet_.flat.size()); ++i) vertices_.push_back(boundingBox(i, {i}));
        for (Index t = 0; t < Index(sheet_.triangles.size()); ++t) {
            const geometry::Triangle& corners = sheet_.triangles[t];
            faces_.push_back(boundingBox(t, {corners[0], corners[1], corners[2]}));
        }
        for (Index e = 0; e < Index(sheet_.edges.size()); ++e)
            sides_.push_back(boundingBox(e, {sheet_.edges[e].a, sheet_.edges[e].b}));
        for (std::vector<Box>* boxes : {&vertices_, &faces_, &sides_})
            std::ranges::sort(*boxes, {}, [](const Box& box) { return box.lo[0]; });
    }
    /// Finds the overlaps between two lists, each from the box that begins first.
    template <class Accept>
    static void sweep(const std::vector<Box>& first, const std::vector<Box>& second, Accept&& accept) {
        const auto from = [&](const std::vector<Box>& all, const std::vector<Box>& others, bool swapped) {
            std::size_t start = 0;
            for (const Box& box : all) {
                while (start < others.size() && others[start].lo[0] < box.lo[0]) ++start;
                for (std::size_t k = start; k < others.size() && others[k].lo[0] <= box.hi[0]; ++k) {
                    const Box& other = others[k];
                    if (swapped && other.lo[0] == box.lo[0]) continue;  // found from the other side
                    if (other.lo[1] > box.hi[1] || other.hi[1] < box.lo[1] || other.lo[2] > box.hi[2] ||
                        other.hi[2] < box.lo[2])
                        continue;
                    swapped ? accept(other.id, box.id) : accept(box.id, other.id);
                }
            }
        };
        from(first, second, false);
        from(second, first, true);
    }

    const Draped& sheet_;
    std::vector<Box> vertices_, faces_, sides_;
};

}  // namespace

void broadPhaseRatios(std::vector<Ratio>& out) {
    const Draped sheet;
    geometry::SurfaceTree tree;
    tree.build(sheet.flat, sheet.triangles, sheet.edges);
    WorkerPool pool(1);
    const geometry::PointMotion motion{{sheet.start[0].data(), 3 * sheet.start.size()},
                                       {sheet.moved[0].data(), 3 * sheet.moved.size()}};
    FeaturePairs pairs;
    SweepAndPrune peer(sheet);
    std::size_t ours = 0, peers = 0;
    const auto place = [&] {
        tree.place(motion, kPad, pool);
        tree.findPatchPairs(pool);
        tree.findPairs(motion, kPad, std::numeric_limits<double>::infinity(), pairs, pool);
        ours = pairs.size();
    };
    out.push_back(compare(
        "broad_phase_216_1t", place, [&] { peers = peer.pairs(); }, 11));
    require(ours > 0 && ours <= peers, "no more pairs than along three axes");
}

}  // namespace clothlab::bench
