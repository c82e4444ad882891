#include "preconditioners/catalogue.hpp"

#include <gtest/gtest.h>

#include <set>

#include "preconditioners/kind.hpp"
#include "support/core_grid.hpp"

namespace clothlab::preconditioners {
namespace {

/// The defaults of each kind, and its variants.
std::vector<PreconditionerSettings> everyRow() {
    std::vector<PreconditionerSettings> all;
    for (const PreconditionerEntry& row : catalogue()) {
        all.push_back({.kind = row.kind});
        const auto variants = listVariants(row.kind);
        all.insert(all.end(), variants.begin(), variants.end());
    }
    return all;
}

TEST(PreconditionerCatalogue, IsTheTableOfNames) {
    const std::span<const EnumEntry> names = enumTable(PreconditionerKind{});
    ASSERT_EQ(names.size(), catalogue().size());
    std::set<std::string_view> keys;
    for (const EnumEntry& name : names) {
        keys.insert(name.key);
        EXPECT_EQ(entryFor(PreconditionerKind(name.value)).key, name.key);
        EXPECT_FALSE(name.label.empty() || name.help.empty()) << name.key;
    }
    EXPECT_EQ(keys.size(), names.size());
}

TEST(PreconditionerCatalogue, ParametersAreSettingsAndVariantsDifferInThem) {
    for (PreconditionerSettings settings : everyRow()) {
        FieldList list, ofDefaults;
        PreconditionerSettings defaults{.kind = settings.kind};
        describe(settings, list);
        describe(defaults, ofDefaults);
        int differences = 0;
        for (const std::string_view key : activeParameters(settings)) {
            const Field* field = list.find(key);
            ASSERT_NE(field, nullptr) << enumKey(settings.kind) << " " << key;
            differences += !equalValues(field->ref, ofDefaults.find(key)->ref);
        }
        EXPECT_EQ(differences, settings == defaults ? 0 : 1) << enumKey(settings.kind);
    }
    EXPECT_EQ(activeParameters({.kind = PreconditionerKind::Identity}), std::vector<std::string_view>{"deflation"});
}

// Solvers read the traits before an object exists, so the object must behave as they say.
TEST(PreconditionerCatalogue, TraitsSayWhatTheObjectDoes) {
    const auto system = testing::gridSystem(6, 46);
    WorkerPool pool(1);
    int ordered = 0;
    for (const PreconditionerSettings& settings : everyRow()) {
        const PreconditionerTraits traits = traitsFor(settings);
        const auto preconditioner = makePreconditioner(settings);
        preconditioner->analyze(system.A, nullptr, pool);
        EXPECT_EQ(traits.ownOrder, !preconditioner->order().empty()) << enumKey(settings.kind);
        ordered += traits.ownOrder;
        EXPECT_TRUE(traits.usesCore || !traits.usesShear) << enumKey(settings.kind);
        EXPECT_TRUE(traits.usesCore || traits.outsideBits() == 0) << enumKey(settings.kind);
        if (traits.lag) {
            EXPECT_GT(traits.lag->maxAge, 1) << enumKey(settings.kind);
        }
    }
    EXPECT_GT(ordered, 0);
}

TEST(PreconditionerCatalogue, EachGivesTheSameBitsAtAnyNumberOfThreads) {
    const testing::GridWithCore grid(40, 48);
    const Index n = grid.system.A.rows();
    linalg::RowFrames frames;
    frames.setFullSystem(grid.system.A, grid.system.constraints, nullptr);
    for (const PreconditionerSettings& settings : everyRow()) {
        linalg::BlockVector first(n), z(n);
        double firstDot = 0;
        for (const int threads : {1, 2, 4}) {
            WorkerPool pool(threads, 0);
            const auto p = makePreconditioner(settings);
            p->analyze(grid.system.A, &grid.core, pool);
            ASSERT_TRUE(p->update({.matrix = grid.system.A, .core = &grid.core, .frames = &frames}, pool).usable)
                << enumKey(settings.kind);
            const double dot = p->applyDot(grid.system.b, z, pool);
            if (threads == 1) first = z, firstDot = dot;
            EXPECT_EQ(z, first) << enumKey(settings.kind) << " " << threads;
            EXPECT_EQ(dot, firstDot) << enumKey(settings.kind) << " " << threads;
        }
        EXPECT_GT(firstDot, 0) << enumKey(settings.kind);
    }
}

}  // namespace
}  // namespace clothlab::preconditioners
