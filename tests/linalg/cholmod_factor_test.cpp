#include "linalg/cholmod_factor.hpp"

#include <gtest/gtest.h>

#include "random_systems.hpp"

namespace clothlab::linalg {
namespace {

TEST(CholmodFactor, EveryOrderingAndFactorizationSolves) {
    const auto system = testing::randomSystem(80, 21, 0.0, true);
    const Eigen::VectorXd expected = toDense(system.A).ldlt().solve(Eigen::VectorXd(system.b.flat()));
    for (const EnumEntry& ordering : enumTable(Ordering{}))
        for (const EnumEntry& kind : enumTable(Factorization{})) {
            CholmodFactor factor;
            BlockVector x;
            ASSERT_TRUE(factor.analyze(system.A.pattern(), static_cast<Ordering>(ordering.value), static_cast<Factorization>(kind.value)));
            ASSERT_TRUE(factor.factorize(system.A)) << factor.message();
            ASSERT_TRUE(factor.solve(system.b, x));
            EXPECT_LT((x.flat() - expected).norm(), 1e-11 * expected.norm()) << ordering.key << " " << kind.key;
            EXPECT_GT(factor.fill(), 6.0 * 80);
        }
}

TEST(CholmodFactor, BestIsNoWorseThanEither) {
    const auto system = testing::randomSystem(400, 22, 0.0);
    double fill[3];
    for (const Ordering o : {Ordering::Best, Ordering::Amd, Ordering::Metis}) {
        CholmodFactor factor;
        ASSERT_TRUE(factor.analyze(system.A.pattern(), o, Factorization::Supernodal));
        fill[static_cast<int>(o)] = factor.fill();
    }
    EXPECT_EQ(fill[0], std::min(fill[1], fill[2]));
}

TEST(CholmodFactor, SaysWhenTheMatrixIsNotDefinite) {
    auto system = testing::randomSystem(20, 23, 0.0);
    system.A.diagonal(7) -= 100 * Mat3::Identity();
    CholmodFactor factor;
    ASSERT_TRUE(factor.analyze(system.A.pattern(), Ordering::Amd, Factorization::Supernodal));
    EXPECT_FALSE(factor.factorize(system.A));
    EXPECT_NE(factor.message().find("not positive definite"), std::string::npos) << factor.message();
    // And it recovers.
    system.A.diagonal(7) += 200 * Mat3::Identity();
    EXPECT_TRUE(factor.factorize(system.A)) << factor.message();
}

}  // namespace
}  // namespace clothlab::linalg
