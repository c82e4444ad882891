#include "solvers/catalogue.hpp"

#include <gtest/gtest.h>

#include "method_pairs.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"
#include "solvers/preconditioning.hpp"
#include "support/random_systems.hpp"

namespace clothlab::solvers {
namespace {

TEST(Catalogue, IsTheTableOfNamesAndEachMethodHasAPartner) {
    const auto names = enumTable(SolverKind{});
    const std::vector<testing::NamedMethod> methods = testing::allMethods();
    ASSERT_EQ(names.size(), catalogue().size());
    for (const EnumEntry& name : names) {
        const SolverEntry& entry = entryFor(SolverKind(name.value));
        EXPECT_EQ(entry.key, name.key);
        EXPECT_TRUE(std::ranges::any_of(methods, [&](const testing::NamedMethod& each) {
            return each.method.solver.kind == entry.kind;
        })) << name.key;
        SolverSettings settings{.kind = entry.kind};
        FieldList list;
        describe(settings, list);
        for (const std::string_view key : activeParameters(settings)) EXPECT_NE(list.find(key), nullptr) << key;
        for (const SolverSettings& variant : entry.variants) EXPECT_EQ(variant.kind, entry.kind) << name.key;
    }
    for (const auto& row : preconditioners::catalogue())
        EXPECT_TRUE(std::ranges::any_of(methods, [&](const testing::NamedMethod& each) {
            return each.iterates() && each.method.preconditioner.kind == row.kind;
        })) << row.key;
}

TEST(Catalogue, ARefusalNamesTheSettingAndItsSolverSaysWhy) {
    const Method pair{{.kind = SolverKind::ReducedPcg},
                      {.kind = preconditioners::PreconditionerKind::ConstrainedBlock}};
    const Refusal refusal = findRefusal(pair);
    EXPECT_EQ(refusal.key, "preconditioner.kind");
    const auto system = testing::randomSystem(20, 31, 0.0);
    WorkerPool pool(1);
    linalg::BlockVector dv;
    SolveSummary summary;
    makeSolver(pair)->solve(system.view(), dv, summary, {}, pool);
    EXPECT_EQ(summary.status, SolveStatus::Refused);
    EXPECT_EQ(summary.message, refusal.reason);
}

/// The identity, which counts its updates.
class CountsUpdates final : public preconditioners::Preconditioner {
public:
    explicit CountsUpdates(int& updates) : updates_(updates) {}
    void analyze(const linalg::BlockMatrix&, const linalg::CoreMask*, WorkerPool&) override {}
    preconditioners::Outcome update(const preconditioners::UpdateInput&, WorkerPool&) override {
        ++updates_;
        return {};
    }
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool&) const override {
        z = r;
        return r.flat().squaredNorm();
    }
    std::size_t bytes() const override { return 0; }

private:
    int& updates_;
};

TEST(Lagging, IsTheRuleOfWhoeverHoldsThePreconditioner) {
    const auto system = testing::randomSystem(20, 31, 0.0);
    WorkerPool pool(1);
    SolveSummary summary;
    int updates = 0;
    Preconditioning each(std::make_unique<CountsUpdates>(updates));
    for (int k = 0; k < 4; ++k) EXPECT_TRUE(each.update({.matrix = system.A}, summary, pool));
    EXPECT_EQ(updates, 4);
    EXPECT_EQ(summary.factorAge, 0);
    updates = 0;
    Preconditioning lagged(std::make_unique<CountsUpdates>(updates), {.lag = preconditioners::LagRule{.maxAge = 3}});
    std::vector<int> ages;
    for (int k = 0; k < 5; ++k) {
        EXPECT_TRUE(lagged.update({.matrix = system.A}, summary, pool));
        ages.push_back(summary.factorAge);
    }
    EXPECT_EQ(ages, (std::vector<int>{0, 1, 2, 0, 1}));
    EXPECT_EQ(updates, 2);
    lagged.forget();
    EXPECT_TRUE(lagged.update({.matrix = system.A}, summary, pool));
    EXPECT_EQ(updates, 3);
}

}  // namespace
}  // namespace clothlab::solvers
