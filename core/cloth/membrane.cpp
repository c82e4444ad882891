#include "cloth/membrane.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "cloth/springs.hpp"
#include "cloth/tearing.hpp"

namespace clothlab::cloth {
namespace {

using Eigen::Vector2d;

/// Below this a stretch has no direction.
constexpr double kLeastStretch = 1e-12;

struct Pull {
    double by[2];  ///< s - 1 where the stretch pulls or pushes, else 0
    bool acts[2];
};

Pull computePull(const Membrane::Triangle& t, const PrincipalStretches& p) {
    Pull pull{};
    for (int m = 0; m < 2; ++m) {
        pull.acts[m] = p.s[m] > kLeastStretch && (!t.tensionOnly || p.s[m] >= kActivation);
        pull.by[m] = pull.acts[m] ? p.s[m] - 1 : 0;
    }
    return pull;
}

Vec3 forceOn(const Membrane::Triangle& t, int corner, const PrincipalStretches& p) {
    const Pull pull = computePull(t, p);
    Vec3 sum = Vec3::Zero();
    for (int m = 0; m < 2; ++m) sum -= pull.by[m] * p.v[m].dot(t.gradient[corner]) * p.u[m];
    return t.measure * sum;
}

double computeEnergy(const Membrane::Triangle& t, const PrincipalStretches& p) {
    const Pull pull = computePull(t, p);
    return t.measure / 2 * (pull.by[0] * pull.by[0] + pull.by[1] * pull.by[1]);
}

PrincipalStretches stretchesAt(const Membrane::Triangle& t, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 first = b - a, second = c - a;
    const Vector2d &g1 = t.gradient[1], &g2 = t.gradient[2];
    return principalStretches(g1.x() * first + g2.x() * second, g1.y() * first + g2.y() * second);
}

std::size_t findPatch(const ClothModel& model, Index particle) {
    const auto after = std::ranges::upper_bound(model.patches, particle, {}, &ClothModel::Patch::firstParticle);
    return std::size_t(after - model.patches.begin()) - 1;
}

const Spring* springBetween(const ClothModel& model, Index a, Index b) {
    const std::pair<Index, Index> ends = std::minmax(a, b);
    const auto at =
        std::ranges::lower_bound(model.springs, ends, {}, [](const Spring& s) { return std::pair(s.i, s.j); });
    return at != model.springs.end() && at->i == ends.first && at->j == ends.second ? &*at : nullptr;
}

/// Corner 0 at the origin, 1 on the x axis, from the lengths of the edges. Nothing if they span no area.
bool layOut(double l01, double l02, double l12, Membrane::Triangle& t) {
    const double p = (l01 * l01 + l02 * l02 - l12 * l12) / (2 * l01), squared = l02 * l02 - p * p;
    if (!(l01 > 0) || !(squared > 1e-12 * l02 * l02)) return false;
    const double q = std::sqrt(squared);
    t.gradient[1] = {1 / l01, -p / (l01 * q)};
    t.gradient[2] = {0, 1 / q};
    t.gradient[0] = -t.gradient[1] - t.gradient[2];
    t.measure = l01 * q / 2;
    return true;
}

}  // namespace

PrincipalStretches principalStretches(const Vec3& firstColumn, const Vec3& secondColumn) {
    PrincipalStretches p{{0, 0}, {Vec3::Zero(), Vec3::Zero()}, Vec3::Zero(), {Vector2d(1, 0), Vector2d(0, 1)}};
    const double a = firstColumn.squaredNorm(), b = firstColumn.dot(secondColumn), c = secondColumn.squaredNorm();
    const double half = (a - c) / 2, radius = std::hypot(half, b);
    p.s[0] = std::sqrt((a + c) / 2 + radius);
    if (!(p.s[0] > kLeastStretch)) return p;
    if (radius > 0) p.v[0] = (half >= 0 ? Vector2d(half + radius, b) : Vector2d(b, radius - half)).normalized();
    p.v[1] = {-p.v[0].y(), p.v[0].x()};
    // From the area, not from (a + c) / 2 - radius, which cancels.
    const Vec3 cross = firstColumn.cross(secondColumn);
    const double area = cross.norm();
    p.s[1] = area / p.s[0];
    p.u[0] = (p.v[0].x() * firstColumn + p.v[0].y() * secondColumn) / p.s[0];
    if (!(p.s[1] > kLeastStretch)) return p;
    p.normal = cross / area;
    p.u[1] = p.normal.cross(p.u[0]);
    return p;
}

/// Eigenvectors and eigenvalues (times measure) of the Hessian in F, as far as the part asks for them.
struct Membrane::Modes {
    const Triangle& triangle;
    const PrincipalStretches& p;
    double along[2], shear, spin, tilt[2];

    /// What corner c moves each in-plane mode by; the two of tilt go along the normal.
    void directionsAt(int c, Vec3 (&w)[4], double (&n)[2]) const {
        double a[2];
        for (int m = 0; m < 2; ++m) a[m] = p.v[m].dot(triangle.gradient[c]);
        constexpr double kHalf = std::numbers::sqrt2 / 2;
        w[0] = a[0] * p.u[0];
        w[1] = a[1] * p.u[1];
        w[2] = kHalf * (a[1] * p.u[0] + a[0] * p.u[1]);
        w[3] = kHalf * (a[1] * p.u[0] - a[0] * p.u[1]);
        n[0] = a[0];
        n[1] = a[1];
    }
    /// Block (c, d) of the Hessian, N/m. Each product is that of (d, c), so the two are transposes to the last bit.
    Mat3 block(int c, int d) const {
        Vec3 ofC[4], ofD[4];
        double tiltC[2], tiltD[2];
        directionsAt(c, ofC, tiltC);
        directionsAt(d, ofD, tiltD);
        const double weights[4] = {along[0], along[1], shear, spin};
        const double out = tilt[0] * (tiltC[0] * tiltD[0]) + tilt[1] * (tiltC[1] * tiltD[1]);
        Mat3 sum;
        for (int column = 0; column < 3; ++column)
            for (int row = 0; row < 3; ++row) {
                double entry = out * (p.normal[row] * p.normal[column]);
                for (int m = 0; m < 4; ++m) entry += weights[m] * (ofC[m][row] * ofD[m][column]);
                sum(row, column) = triangle.measure * entry;
            }
        return sum;
    }
    /// d . H d for corners that move by d (m), J.
    double squareAlong(const Vec3 (&d)[3]) const {
        double moved[4] = {}, tilted[2] = {};
        for (int c = 0; c < 3; ++c) {
            Vec3 w[4];
            double n[2];
            directionsAt(c, w, n);
            for (int m = 0; m < 4; ++m) moved[m] += w[m].dot(d[c]);
            for (int m = 0; m < 2; ++m) tilted[m] += n[m] * p.normal.dot(d[c]);
        }
        return triangle.measure *
               (along[0] * moved[0] * moved[0] + along[1] * moved[1] * moved[1] + shear * moved[2] * moved[2] +
                spin * moved[3] * moved[3] + tilt[0] * tilted[0] * tilted[0] + tilt[1] * tilted[1] * tilted[1]);
    }
};

Membrane::Modes Membrane::computeModes(const Triangle& t, const PrincipalStretches& p, Part part) const {
    const Pull pull = computePull(t, p);
    Modes modes{t, p, {0, 0}, 0, 0, {0, 0}};
    bool stiff[2];
    for (int m = 0; m < 2; ++m) {
        stiff[m] = pull.acts[m] || ((keepSlack_ || t.jacSlack) && p.s[m] > kLeastStretch);
        modes.along[m] = stiff[m] ? 1 : 0;
        modes.tilt[m] = pull.acts[m] ? pull.by[m] / p.s[m] : 0;
    }
    // Of one that pulls beside one that does not: (s_1 - 1) / (s_1 - s_2), which is 1 at most.
    const double apart = p.s[0] - p.s[1];
    modes.shear = stiff[0] == stiff[1] ? modes.along[0] : std::clamp(pull.by[0] / apart, 0.0, 1.0);
    modes.spin = p.s[0] > kLeastStretch ? (pull.by[0] + pull.by[1]) / (p.s[0] + p.s[1]) : 0;
    const auto keep = [&](double& value) {
        value = part == Part::Positive             ? std::max(value, 0.0)
                : part == Part::Negative || t.full ? std::min(value, 0.0)
                                                   : 0;
    };
    for (double* value : {&modes.along[0], &modes.along[1], &modes.shear, &modes.spin, &modes.tilt[0], &modes.tilt[1]})
        keep(*value);
    return modes;
}

void Membrane::configure(const ClothModel& model, std::span<const MaterialSettings> materials,
                         std::span<const std::uint8_t> broken) {
    triangles_.clear();
    // As a spring whose ends differ: the softest of the three.
    const auto softestMaterial = [&](const geometry::Triangle& corners) -> const MaterialSettings& {
        const MaterialSettings* softest = nullptr;
        for (const Index i : corners)
            if (const auto& m = materialAt(materials, model.material[i]);
                !softest || m.stretchStiffness < softest->stretchStiffness)
                softest = &m;
        return *softest;
    };
    const auto asksForIt = [](const MaterialSettings& m) { return m.membrane == MembraneModel::Triangles; };
    if (std::ranges::none_of(materials, asksForIt)) return;
    const std::vector<std::uint8_t> torn = tornFacets(model, broken);
    std::vector<double> facetArea(model.patches.size(), 0.0), springArea = facetArea;
    std::vector<std::size_t> clothOf;
    for (std::size_t k = 0; k < model.facets.size(); ++k) {
        const Facet& facet = model.facets[k];
        Triangle t{.corners = facet.corners,
                   .gradient = {},
                   .measure = 0,
                   .tensionOnly = true,
                   .jacSlack = false,
                   .full = false};
        const std::size_t cloth = findPatch(model, t.corners[0]);
        const MaterialSettings& material = softestMaterial(t.corners);
        if (!asksForIt(material) || model.patches[cloth].isSolid()) continue;
        facetArea[cloth] += facetRestArea(model, facet);
        const auto edge = [&](int a, int b) { return springBetween(model, t.corners[a], t.corners[b]); };
        const Spring *e01 = edge(0, 1), *e02 = edge(0, 2), *e12 = edge(1, 2);
        if (!e01 || !e02 || !e12 || !layOut(e01->restLength, e02->restLength, e12->restLength, t)) continue;
        springArea[cloth] += facetRestArea(model, facet);
        t.measure *= facet.share * material.stretchStiffness;
        t.tensionOnly = material.tensionOnly;
        t.jacSlack = material.jacSlack;
        t.full = material.compression == CompressionModel::Full;
        if (torn[k] != 0 || !(t.measure > 0)) continue;
        triangles_.push_back(t);
        clothOf.push_back(cloth);
    }
    for (std::size_t k = 0; k < triangles_.size(); ++k)
        triangles_[k].measure *= facetArea[clothOf[k]] / springArea[clothOf[k]];
    begin_.assign(std::size_t(model.particles()) + 1, 0);
    for (const Triangle& t : triangles_)
        for (const Index i : t.corners) ++begin_[i + 1];
    for (Index i = 0; i < model.particles(); ++i) begin_[i + 1] += begin_[i];
    corners_.resize(3 * triangles_.size());
    std::vector<Index> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t k = 0; k < triangles_.size(); ++k)
        for (int c = 0; c < 3; ++c) corners_[next[triangles_[k].corners[c]]++] = {Index(k), c};
}

std::span<const Membrane::Corner> Membrane::cornersAt(Index i) const {
    return std::span(corners_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
}

PrincipalStretches Membrane::computeStretches(const Triangle& t, const linalg::BlockVector& x) const {
    return stretchesAt(t, x[t.corners[0]], x[t.corners[1]], x[t.corners[2]]);
}

void Membrane::evaluate(const linalg::BlockVector& x, WorkerPool& pool) const {
    stretches_.resize(triangles_.size());
    parallelRows(pool, Index(triangles_.size()), [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k) stretches_[k] = computeStretches(triangles_[k], x);
    });
}

double Membrane::energy(const linalg::BlockVector& x, WorkerPool& pool) const {
    return parallelSum(pool, Index(triangles_.size()), 0.0, [&](Index begin, Index end) {
        double sum = 0;
        for (Index k = begin; k < end; ++k) sum += computeEnergy(triangles_[k], computeStretches(triangles_[k], x));
        return sum;
    });
}

void Membrane::addForces(const linalg::BlockVector& x, double scale, linalg::BlockVector& f, WorkerPool& pool) const {
    if (empty()) return;
    evaluate(x, pool);
    parallelRows(pool, x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            for (const Corner& c : cornersAt(i))
                f[i] += scale * forceOn(triangles_[c.triangle], c.corner, stretches_[c.triangle]);
    });
}

void Membrane::addHessian(const linalg::BlockVector& x, double scale, Part part, linalg::BlockMatrix& A,
                          WorkerPool& pool) const {
    if (empty()) return;
    evaluate(x, pool);
    const linalg::BlockPattern& pattern = A.pattern();
    parallelRows(pool, x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            for (const Corner& c : cornersAt(i)) {
                const Modes modes = computeModes(triangles_[c.triangle], stretches_[c.triangle], part);
                for (int d = 0; d < 3; ++d) {
                    const Index at = pattern.find(i, triangles_[c.triangle].corners[d]);
                    A.block(at) += scale * modes.block(c.corner, d);
                    A.setOccupied(at, true);
                }
            }
    });
    A.setSymmetricBlocks(false);
}

void Membrane::subtractProduct(const linalg::BlockVector& x, const linalg::BlockVector& u, double scale, Part part,
                               linalg::BlockVector& b, WorkerPool& pool) const {
    if (empty()) return;
    evaluate(x, pool);
    parallelRows(pool, x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            for (const Corner& c : cornersAt(i)) {
                const Triangle& t = triangles_[c.triangle];
                const Modes modes = computeModes(t, stretches_[c.triangle], part);
                for (int d = 0; d < 3; ++d) b[i] -= scale * (modes.block(c.corner, d) * u[t.corners[d]]);
            }
    });
}

double Membrane::curvature(const linalg::BlockVector& x, const linalg::BlockVector& d, WorkerPool& pool) const {
    return parallelSum(pool, Index(triangles_.size()), 0.0, [&](Index begin, Index end) {
        double sum = 0;
        for (Index k = begin; k < end; ++k) {
            const Triangle& t = triangles_[k];
            const PrincipalStretches p = computeStretches(t, x);
            sum += computeModes(t, p, Part::Positive).squareAlong({d[t.corners[0]], d[t.corners[1]], d[t.corners[2]]});
        }
        return sum;
    });
}

Index Membrane::changed(const linalg::BlockVector& from, const linalg::BlockVector& to, WorkerPool& pool) const {
    return parallelSum(pool, Index(triangles_.size()), Index(0), [&](Index begin, Index end) {
        Index count = 0;
        for (Index k = begin; k < end; ++k) {
            const Triangle& t = triangles_[k];
            const Pull before = computePull(t, computeStretches(t, from)),
                       now = computePull(t, computeStretches(t, to));
            for (int m = 0; m < 2; ++m) count += before.acts[m] != now.acts[m];
        }
        return count;
    });
}

void Membrane::addStiffness(std::vector<double>& sums) const {
    for (const Triangle& t : triangles_)
        for (int c = 0; c < 3; ++c) {
            double row = 0;
            for (const Vector2d& g : t.gradient) row += std::abs(g.dot(t.gradient[c]));
            sums[t.corners[c]] += t.measure / 2 * row;
        }
}

double Membrane::energyAt(const linalg::BlockVector& x, Index i, const Vec3& at) const {
    double sum = 0;
    if (empty()) return sum;
    for (const Corner& c : cornersAt(i)) {
        const Triangle& t = triangles_[c.triangle];
        Vec3 p[3];
        for (int k = 0; k < 3; ++k) p[k] = k == c.corner ? at : Vec3(x[t.corners[k]]);
        sum += computeEnergy(t, stretchesAt(t, p[0], p[1], p[2]));
    }
    return sum;
}

void Membrane::addLocal(const linalg::BlockVector& x, Index i, Vec3& force, Mat3& H) const {
    if (empty()) return;
    for (const Corner& c : cornersAt(i)) {
        const Triangle& t = triangles_[c.triangle];
        const PrincipalStretches p = computeStretches(t, x);
        force += forceOn(t, c.corner, p);
        H += computeModes(t, p, Part::Positive).block(c.corner, c.corner);
    }
}

}  // namespace clothlab::cloth
