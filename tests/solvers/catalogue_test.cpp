#include "solvers/catalogue.hpp"

#include <gtest/gtest.h>

#include "method_pairs.hpp"
#include "own_catalogue.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"
#include "solvers/preconditioning.hpp"
#include "support/random_systems.hpp"

namespace clothlab::solvers {
namespace {

TEST(Catalogue, IsTheTableOfNamesAndEachMethodHasAPartner) {
    const auto names = enumTable(SolverKind{});
    ASSERT_EQ(names.size(), builtInCatalogue().entries().size());
    for (const EnumEntry& name : names) {
        const SolverEntry& entry = builtInCatalogue().of(SolverKind(name.value));
        EXPECT_EQ(entry.key, name.key);
        EXPECT_GT(testing::partnersOf(entry), 0) << name.key;
        SolverSettings settings{.kind = entry.kind};
        FieldList list;
        describe(settings, list);
        for (const std::string_view key : parametersOf(settings)) EXPECT_NE(list.find(key), nullptr) << key;
        for (const SolverSettings& variant : entry.variants) EXPECT_EQ(variant.kind, entry.kind) << name.key;
    }
    for (const auto& row : preconditioners::catalogue())
        EXPECT_TRUE(std::ranges::any_of(builtInCatalogue().entries(), [&](const SolverEntry& solver) {
            return solver.traits.needsPreconditioner && refusal(solver.kind, {.kind = row.kind}).empty();
        })) << row.key;
}

TEST(Catalogue, ARefusalNamesTheSettingAndItsSolverSaysWhy) {
    const Method pair{{.kind = SolverKind::ReducedPcg},
                      {.kind = preconditioners::PreconditionerKind::ConstrainedBlock}};
    const Refusal refusal = builtInCatalogue().refusal(pair);
    EXPECT_EQ(refusal.key, "preconditioner.kind");
    const auto system = testing::randomSystem(20, 31, 0.0);
    WorkerPool pool(1);
    linalg::BlockVector dv;
    SolveSummary summary;
    makeSolver(pair)->solve(system.view(), dv, summary, {}, pool);
    EXPECT_EQ(summary.status, SolveStatus::Refused);
    EXPECT_EQ(summary.message, refusal.reason);
}

TEST(Catalogue, AMethodFromElsewhereEntersBesideOrInsteadOfOthers) {
    constexpr auto kOwn = SolverKind(100);
    int made = 0;
    const SolverEntry own{
        .kind = kOwn, .key = "own", .label = "Own", .help = "", .parameters = {"form"}, .make = [&made](const Method&) {
            ++made;
            return makeSolver({.kind = SolverKind::Cholesky}, {});
        }};
    const testing::OwnCatalogue more(own);
    EXPECT_EQ(catalogue().entries().size(), builtInCatalogue().entries().size() + 1);
    EXPECT_EQ(builtInCatalogue().find(kOwn), nullptr);
    EXPECT_EQ(parametersOf({.kind = kOwn}), std::vector<std::string_view>{"form"});
    EXPECT_EQ(enumKey(kOwn), "own");
    EXPECT_FALSE(usesPreconditioner(kOwn));
    const auto system = testing::randomSystem(40, 31, 0.6);
    WorkerPool pool(1);
    linalg::BlockVector dv;
    SolveSummary summary;
    for (const bool decompose : {false, true}) {
        makeSolver({{.kind = kOwn, .decompose = decompose}, {}})->solve(system.view(), dv, summary, {}, pool);
        EXPECT_EQ(summary.status, SolveStatus::Converged) << summary.message;
    }
    EXPECT_GE(made, 2);
    SolverEntry instead = own;
    instead.kind = SolverKind::Mpcg;
    EXPECT_EQ(builtInCatalogue().with(instead).entries().size(), builtInCatalogue().entries().size());
    EXPECT_EQ(builtInCatalogue().with(instead).of(SolverKind::Mpcg).key, "own");
}

/// The identity, which counts how often it was made anew.
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
