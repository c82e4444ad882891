#include "papers/boxerman/aimex.hpp"
#include "papers/boxerman/decomposition.hpp"

/// [B] figures 6.9 and 6.10: row-vector products of a sheet on a sphere, whole and by components, against its size.
/// §6.4.2: what friction, radius and place of the sphere do to them.
namespace clothlab::papers::boxerman {
namespace {

/// Beyond this many particles the thesis has "approximately 20 %" fewer.
constexpr double kLarge = 700;

/// Frictions take turns on the same cloth, and each next cloth is of the next size.
constexpr int kTurns = int(kFrictions.size());

/// "stretch_whole_ck2"
std::string entryKey(std::size_t implicit, std::string_view what) {
    return fmt::format("{}_{}", kImplicits[implicit].key, what);
}
std::string entryKey(std::size_t implicit, std::string_view what, std::size_t reading) {
    return fmt::format("{}_{}", entryKey(implicit, what), kReadingKeys[reading]);
}

Expected<records::Entries> bothWaysOnSphere(const Extent& extent, int set, Job& job) {
    const Friction friction{set % kTurns};
    const Cloth c = drawnForDecomposition(job.options, Configuration::Sphere, extent.sideAt(set / kTurns),
                                          extent.roundAt(set / kTurns));
    const auto run = runSampled(c, decomposingScene(c, friction), extent,
                                {.readings = int(kReadings.size()), .stretchAlone = true}, job);
    if (!run) return fail(run.error());
    const double n = run->count();
    records::Entries out = joined(toEntries(c), {{"friction", std::string(enumKey(friction))},
                                                 {"bend_safe", double(bendIsSafe(c))},
                                                 {"systems", double(run->systems)},
                                                 {"held", run->sums[0][0].held / n},
                                                 {"drift", run->drift},
                                                 {"diverged", double(run->diverged)}});
    for (std::size_t i = 0; i < run->sums.size(); ++i) {
        out.emplace_back(entryKey(i, "components"), run->sums[i][0].components / n);
        out.emplace_back(entryKey(i, "largest"), run->sums[i][0].largest / n);
        for (std::size_t r = 0; r < kReadings.size(); ++r) {
            const BothWays& of = run->sums[i][r];
            out.emplace_back(entryKey(i, "whole", r), of.whole / n);
            out.emplace_back(entryKey(i, "decomposed", r), of.decomposed / n);
            out.emplace_back(entryKey(i, "skipping", r), of.skipping / n);
        }
    }
    return out;
}

/// With one choice of implicit springs.
records::Entries productEntries(const SetGroup& sets, std::size_t implicit, Shown shown) {
    records::Entries out{{"sets", sets.count()},
                         {"components", sets.mean(entryKey(implicit, "components"))},
                         {"largest", sets.mean(entryKey(implicit, "largest"))},
                         {"held", sets.mean("held")},
                         {"drift", sets.mean("drift")}};
    for (std::size_t r = 0; r < kReadings.size(); ++r) {
        const std::string suffix = kReadingSuffixes[r], whole = entryKey(implicit, "whole", r),
                          decomposed = entryKey(implicit, "decomposed", r),
                          skipping = entryKey(implicit, "skipping", r);
        if (shown == Shown::Counts) {
            out.emplace_back("whole_rv" + suffix, sets.mean(whole));
            out.emplace_back("decomposed_rv" + suffix, sets.mean(decomposed));
            continue;
        }
        out.emplace_back("ratio" + suffix, sets.mean(ratio(decomposed, whole)));
        out.emplace_back("most" + suffix, sets.most(ratio(decomposed, whole)));
        if (r > 0) continue;
        out.emplace_back("of_means", sets.mean(decomposed) / std::max(1.0, sets.mean(whole)));
        out.emplace_back("skipping_alone", sets.mean(ratio(skipping, whole)));
    }
    return out;
}

}  // namespace

Expected<Reproduction> productsOnSphere(Shown shown, Job& job) {
    const Extent extent = growingSheets(job, {500, 72, 18}, {10, 8, 4}, 0.6);
    const auto label = [&](int set) {
        return fmt::format("{0} x {0}, {1}", extent.sideAt(set / kTurns), enumKey(Friction{set % kTurns}));
    };
    const auto show = [&](const SetGroup& all, Reproduction& out) {
        const SetGroup solved = all.where([](const FinishedSet& set) { return set.number("systems") > 0; });
        const auto add = [&](const std::string& particles, std::string_view friction, const SetGroup& sets) {
            for (std::size_t i = 0; i < kImplicits.size(); ++i)
                addRow(out,
                       {{"particles", particles},
                        {"friction", std::string(friction)},
                        {"implicit", std::string(kImplicits[i].key)}},
                       sets, [&](const SetGroup& group) { return productEntries(group, i, shown); });
        };
        const auto addEach = [&](const std::string& particles, const SetGroup& sets) {
            for (const EnumEntry& friction : kFrictions)
                add(particles, friction.key, sets.where("friction", friction.key));
        };
        for (const int side : extent.sides) addEach(fmt::format("{}", side * side), solved.where("side", side));
        if (shown == Shown::Ratios) {
            const SetGroup large =
                solved.where([](const FinishedSet& set) { return set.number("side") * set.number("side") > kLarge; });
            const std::string above = fmt::format("above {}", kLarge);
            addEach(above, large);
            // "Dependant on friction constants" ([B] §6.4.2): the frictionless sheet is ours, the limit of small
            // constants.
            const auto isSliding = [](const FinishedSet& set) {
                return set.text("friction") == enumKey(Friction::Sliding);
            };
            add(above, "with friction", large.where(std::not_fn(isSliding)));
            add(above, "all", large);
        }
        job.tell("sets", all.count(), "seconds", extent.seconds, "samples", extent.samples, "stiff_bend",
                 all.count() - all.sum("bend_safe"), "diverged", all.sum("diverged"));
    };
    return runExperiment({.name = "boxerman-section-6.4.2, sphere, dealt",
                          .extent = extent,
                          .label = label,
                          .run = [&](int set) { return bothWaysOnSphere(extent, set, job); },
                          .show = show},
                         job);
}

namespace {

/// One at a time of what the thesis leaves open of its sphere.
struct Variant {
    double friction;
    double radius = 0.3;  ///< of the side
    double offset = 1;    ///< off the middle, in multiples of the place of figure 6.9
};
constexpr std::array kVariants{
    Variant{0},       Variant{0.1},         Variant{0.2},        Variant{0.5},     Variant{1},
    Variant{2},       Variant{10},          Variant{0.2, 0.2},   Variant{10, 0.2}, Variant{0.2, 0.5},
    Variant{10, 0.5}, Variant{0.2, 0.3, 5}, Variant{10, 0.3, 5},
};

const Variant& variantAt(int set) { return kVariants[std::size_t(set) % kVariants.size()]; }

scene::Scene makeScene(const Cloth& cloth, const Variant& variant) {
    scene::Scene scene = decomposingScene(cloth, Friction::Sliding);
    scene.settings.contact.muS = scene.settings.contact.muK = variant.friction;
    contact::Collider& sphere = scene.colliders.front();
    const double side = cloth.spacing * (cloth.side - 1), radius = variant.radius * side;
    sphere.shape = geometry::Sphere{radius};
    sphere.position = Vec3(variant.offset * sphere.position.x(), -radius, variant.offset * sphere.position.z());
    return scene;
}

Expected<records::Entries> bothWaysOnVariant(const Extent& extent, int set, Job& job) {
    const Cloth cloth =
        drawnForDecomposition(job.options, Configuration::Sphere, extent.sideAt(set), set / int(kVariants.size()));
    const auto run = runSampled(cloth, makeScene(cloth, variantAt(set)), extent, {}, job);
    if (!run) return fail(run.error());
    const BothWays& sums = run->sums[0][0];
    return joined(toEntries(cloth), {{"ratio", sums.decomposed / std::max(1.0, sums.whole)},
                                     {"skipping_alone", sums.skipping / std::max(1.0, sums.whole)},
                                     {"components", sums.components / run->count()},
                                     {"held", sums.held / run->count()},
                                     {"drift", run->drift},
                                     {"diverged", double(run->diverged)}});
}

records::Entries meanEntries(const SetGroup& sets) {
    records::Entries out{{"sets", sets.count()}};
    for (const char* key : {"ratio", "skipping_alone", "components", "held", "drift"})
        out.emplace_back(key, sets.mean(key));
    out.emplace_back("diverged", sets.sum("diverged"));
    return out;
}

}  // namespace

Expected<Reproduction> productsByVariant(Job& job) {
    const int side = job.side(30, 20), cloths = job.choose(20, 5, 1);
    const Extent extent{.sides = {side}, .sets = cloths * int(kVariants.size()), .samples = 10};
    const auto label = [](int set) {
        const Variant& v = variantAt(set);
        return fmt::format("friction {:g}, radius {:g}, offset {:g}", v.friction, v.radius, v.offset);
    };
    const auto show = [&](const SetGroup& all, Reproduction& out) {
        for (const Variant& v : kVariants)
            addRow(out, {{"friction", v.friction}, {"radius", v.radius}, {"offset", v.offset}},
                   all.where([&](const FinishedSet& set) { return &variantAt(set.set) == &v; }), meanEntries);
        job.tell("cloths", cloths, "side", side);
    };
    return runExperiment({.name = "boxerman-section-6.4.2, sphere, one value at a time",
                          .extent = extent,
                          .label = label,
                          .run = [&](int set) { return bothWaysOnVariant(extent, set, job); },
                          .show = show},
                         job);
}

}  // namespace clothlab::papers::boxerman
