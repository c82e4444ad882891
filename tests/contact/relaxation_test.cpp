#include "contact/robust/relaxation.hpp"

#include <gtest/gtest.h>

#include <random>

#include "world.hpp"

namespace clothlab::contact {
namespace {

using geometry::PairKind;
using linalg::BlockVector;

std::vector<std::uint8_t> everyone(Index particles) { return std::vector<std::uint8_t>(std::size_t(particles), 1); }

/// Particles in a long box, pairs among neighbours of them with a bound each, some walls, some particles held.
struct Crowd {
    BlockVector x, u;
    std::vector<double> mass;
    Mobility mobility;
    std::vector<PairImpulse> pairs;

    Crowd(Index particles, Index pairCount, std::uint32_t seed, bool held = true) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> unit(-1, 1);
        const auto point = [&] { return Vec3(unit(random), unit(random), unit(random)); };
        x.resize(particles);
        u.resize(particles);
        for (Index i = 0; i < particles; ++i) {
            x[i] = Vec3(10.0 * i / particles, 0, 0) + 0.05 * point();
            u[i] = 0.01 * point();
            mass.push_back(1 + 0.5 * unit(random));
        }
        mobility.reset(mass);
        for (Index i = 5; held && i < particles; i += 97) mobility.restrict(i, Mat3::Zero());
        for (Index i = 11; held && i < particles; i += 89) {
            const Vec3 n = point().normalized();
            mobility.restrict(i, Mat3::Identity() - n * n.transpose());
        }
        for (Index k = 0; k < pairCount; ++k) {
            if (held && k % 10 == 0) {
                pairs.emplace_back(Wall{Index(k * 7 % particles), point().normalized(), 0.005 * unit(random)},
                                   mobility);
                continue;
            }
            const Index first = Index(std::int64_t(k) * (particles - 40) / pairCount);
            const Index step = 1 + Index(random() % 9);
            const double s = 0.5 + 0.5 * unit(random), t = 0.5 + 0.5 * unit(random);
            const geometry::ClosestPoints closest{0.01 * point(), {1 - s, s, t - 1, -t}};
            pairs.emplace_back(PairKind::EdgeEdge,
                               std::array<Index, 4>{first, first + step, first + 2 * step, first + 3 * step}, closest,
                               0.01 * unit(random), mobility);
        }
    }
    Vec3 momentum() const {
        Vec3 sum = Vec3::Zero();
        for (Index i = 0; i < u.size(); ++i) sum += mass[i] * u[i];
        return sum;
    }
    void relax(double mu, int sweeps, int threads) {
        WorkerPool pool(threads, 1);
        Relaxation relaxation;
        relaxation.reset(x);
        relaxation.sweep(pairs, mu, mobility, 1e-15, sweeps, u, pool, everyone(u.size()));
    }
    /// One after the other, in their order.
    void relaxPlainly(double mu, int sweeps) {
        for (int sweep = 0; sweep < sweeps; ++sweep)
            for (PairImpulse& pair : pairs)
                if (pair.resistance > 0) apply(pair, mu, mobility, u);
    }
};

// The displacements that frictionless impulses lead to are the closest ones that keep all bounds: one answer in any
// order of the pairs.
TEST(Relaxation, ComesToWhatPairsOneAfterTheOtherComeTo) {
    for (const Index pairs : {300, 4000}) {  // one task, and many
        Crowd ours(pairs == 300 ? 200 : 3000, pairs, 4), plain(pairs == 300 ? 200 : 3000, pairs, 4);
        ours.relax(0, 1000, 2);
        plain.relaxPlainly(0, 1000);
        EXPECT_LT((ours.u.flat() - plain.u.flat()).cwiseAbs().maxCoeff(), 1e-7) << pairs;
        for (const PairImpulse& pair : ours.pairs) {
            if (!(pair.resistance > 0)) continue;
            EXPECT_LT(pair.missing(ours.u), 1e-7);
            EXPECT_GE(pair.lambda, 0);
            EXPECT_LT(pair.lambda * std::abs(pair.missing(ours.u)), 1e-7);
        }
    }
}

TEST(Relaxation, FrictionStaysInItsConeAndMomentumStays) {
    Crowd crowd(3000, 4000, 7, false);
    const Vec3 before = crowd.momentum();
    crowd.relax(0.3, 200, 2);
    EXPECT_LT((crowd.momentum() - before).norm(), 1e-12);
    int rubs = 0;
    for (const PairImpulse& pair : crowd.pairs) {
        EXPECT_LE(pair.friction.norm(), 0.3 * pair.lambda * (1 + 1e-12));
        EXPECT_LT(std::abs(pair.friction.dot(pair.normal)), 1e-12);
        rubs += pair.friction.norm() > 0;
    }
    EXPECT_GT(rubs, 500);
}

TEST(Relaxation, GivesTheSameBitsAtAnyNumberOfThreads) {
    Crowd one(3000, 4000, 9);
    one.relax(0.3, 40, 1);
    for (const int threads : {2, 4}) {
        Crowd many(3000, 4000, 9);
        many.relax(0.3, 40, threads);
        EXPECT_EQ(one.u, many.u) << threads;
    }
}

// More pairs at one particle than there are colours.
TEST(Relaxation, TakesPairsThatFindNoColor) {
    Crowd ours(400, 0, 2, false), plain(400, 0, 2, false);
    for (Crowd* crowd : {&ours, &plain}) {
        std::mt19937 random(5);
        std::uniform_real_distribution<double> unit(-1, 1);
        for (Index k = 0; k < 120; ++k) {
            const geometry::ClosestPoints closest{Vec3(unit(random), unit(random), unit(random)),
                                                  {1, -0.25, -0.25, -0.5}};
            crowd->pairs.emplace_back(PairKind::VertexTriangle,
                                      std::array<Index, 4>{0, 3 * k + 1, 3 * k + 2, 3 * k + 3}, closest, 0.01,
                                      crowd->mobility);
        }
    }
    ours.relax(0, 3000, 1);
    plain.relaxPlainly(0, 3000);
    EXPECT_LT((ours.u.flat() - plain.u.flat()).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(Relaxation, PassesOverWhatNothingMoves) {
    Crowd crowd(3000, 4000, 6);
    WorkerPool pool(1);
    Relaxation relaxation;
    relaxation.reset(crowd.x);
    relaxation.sweep(crowd.pairs, 0.3, crowd.mobility, 1e-9, 4000, crowd.u, pool, everyone(crowd.u.size()));
    // The rest is below the tolerance. Once it is below the smallest motion that counts, no pair changes anything.
    BlockVector before;
    for (int call = 0; call < 100 && !(before == crowd.u); ++call) {
        before = crowd.u;
        EXPECT_EQ(relaxation.sweep(crowd.pairs, 0.3, crowd.mobility, 1e-9, 40, crowd.u, pool, everyone(crowd.u.size())),
                  1)
            << call;
    }
    EXPECT_EQ(before, crowd.u);
}

// A chain of particles with one pair for each four in a row: rings of neighbours of a pair are stretches of the chain.
TEST(Relaxation, TakesOnlyPairsAroundWhatIsAskedFor) {
    Crowd crowd(400, 0, 6, false);
    for (Index k = 0; k + 3 < 400; k += 3)
        crowd.pairs.emplace_back(PairKind::EdgeEdge, std::array<Index, 4>{k, k + 1, k + 2, k + 3},
                                 geometry::ClosestPoints{Vec3(0, 0.01, 0), {0.5, 0.5, -0.5, -0.5}}, 0.1,
                                 crowd.mobility);
    WorkerPool pool(1);
    Relaxation relaxation;
    relaxation.reset(crowd.x);
    const BlockVector before = crowd.u;
    std::vector<std::uint8_t> around(400, 0);
    around[200] = 1;  // of the pair at 198, whose neighbours are those at 195 and 201, and so on
    relaxation.sweep(crowd.pairs, 0, crowd.mobility, 1e-9, 40, crowd.u, pool, around);
    for (std::size_t k = 0; k < crowd.pairs.size(); ++k)
        EXPECT_EQ(crowd.pairs[k].lambda > 0, 192 <= 3 * k && 3 * k <= 204) << 3 * k;
    for (Index i = 0; i < 400; ++i) EXPECT_EQ(crowd.u[i] != before[i], 192 <= i && i <= 207) << i;
}

}  // namespace
}  // namespace clothlab::contact
