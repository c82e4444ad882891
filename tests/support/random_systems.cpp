#include "support/random_systems.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace clothlab::testing {

DenseMatrix RandomSystem::denseS() const {
    DenseMatrix S = DenseMatrix::identity(3 * Eigen::Index(A.rows()));
    for (const auto& c : constraints.constrained()) S.setBlock(c.particle, c.particle, c.S());
    return S;
}

DenseMatrix RandomSystem::denseZ() const {
    linalg::BlockVector z;
    constraints.prescribed(z);
    return z;
}

DenseMatrix RandomSystem::denseSolution() const {
    const DenseMatrix full(A), S = denseS(), I = DenseMatrix::identity(S.rows()), z = denseZ();
    return (S * full * S + I - S).solveSymmetric(S * (b - full * z) + z);
}

Vec3 randomVec3(std::mt19937& rng) {
    std::normal_distribution<double> normal;
    return {normal(rng), normal(rng), normal(rng)};
}

RandomSystem systemOnPairs(Index particles, const Pairs& pairs, std::mt19937& rng, double constrainedShare,
                           bool asymmetric) {
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    RandomSystem s;
    s.A.reset(linalg::makePattern(particles, pairs));
    s.b.resize(particles);
    for (Index i = 0; i < particles; ++i) {
        s.A.diagonal(i) = Mat3::Identity() * (0.5 + uniform(rng));
        s.b[i] = randomVec3(rng);
    }
    for (const auto& [i, j] : pairs) {
        if (uniform(rng) < 0.3) continue;  // stays unoccupied
        const Vec3 n = randomVec3(rng).normalized();
        const Mat3 J = 10 * uniform(rng) * n * n.transpose() + uniform(rng) * (Mat3::Identity() - n * n.transpose());
        linalg::addPair(s.A, i, j, -J);
        s.A.diagonal(i) += J;
        s.A.diagonal(j) += J;
        if (asymmetric) {
            const Mat3 B = 0.05 * randomVec3(rng) * randomVec3(rng).transpose();
            linalg::addPair(s.A, i, j, B);
            s.A.diagonal(i) += B.norm() * Mat3::Identity();
            s.A.diagonal(j) += B.norm() * Mat3::Identity();
        }
    }
    s.A.setSymmetricBlocks(!asymmetric);
    s.constraints.reset(particles);
    for (Index i = 0; i < particles; ++i)
        if (uniform(rng) < constrainedShare)
            s.constraints.set({.particle = i,
                               .ndof = int(rng() % 3),
                               .p = randomVec3(rng),
                               .q = randomVec3(rng),
                               .z = randomVec3(rng)});
    s.constraints.sort();
    return s;
}

RandomSystem randomSystem(Index particles, unsigned seed, double constrainedShare, bool asymmetric, Index band) {
    std::mt19937 rng(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    Pairs pairs;
    for (Index i = 0; i < particles; ++i)
        for (Index d = 1; d <= band; ++d)
            if (i + d < particles && uniform(rng) < 0.6) pairs.emplace_back(i, i + d);
    return systemOnPairs(particles, pairs, rng, constrainedShare, asymmetric);
}

RandomSystem gridSystem(Index side, unsigned seed, double constrainedShare) {
    std::mt19937 rng(seed);
    Pairs pairs;
    for (Index r = 0; r < side; ++r)
        for (Index c = 0; c < side; ++c)
            for (const auto& [dr, dc] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}, {0, 2}, {2, 0}})
                if (r + dr < side && c + dc >= 0 && c + dc < side)
                    pairs.emplace_back(r * side + c, (r + dr) * side + c + dc);
    return systemOnPairs(side * side, pairs, rng, constrainedShare, false);
}

RandomSystem islands(const std::vector<Index>& sizes, unsigned seed, double constrainedShare) {
    std::mt19937 rng(seed);
    std::vector<Index> name(std::accumulate(sizes.begin(), sizes.end(), Index{0}));
    std::iota(name.begin(), name.end(), 0);
    std::shuffle(name.begin(), name.end(), rng);
    Pairs pairs;
    Index first = 0;
    for (const Index size : sizes) {
        for (Index k = 1; k < size; ++k)
            for (const Index back : {1, 2, 5})
                if (k >= back) pairs.emplace_back(name[first + k], name[first + k - back]);
        first += size;
    }
    return systemOnPairs(first, pairs, rng, constrainedShare, false);
}

}  // namespace clothlab::testing
