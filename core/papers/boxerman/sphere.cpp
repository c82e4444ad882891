#include "papers/boxerman/aimex.hpp"
#include "papers/boxerman/sampled_run.hpp"

/// [B] figures 6.9 and 6.10: row-vector products of a sheet on a sphere, whole and by components, against its size.
namespace clothlab::simulation::boxerman {
namespace {

/// Beyond this many particles the thesis has "approximately 20 %" fewer.
constexpr double kLarge = 700;

/// Frictions take turns on the same cloth, and each next cloth is of the next size.
struct SetId {
    Friction friction;
    int side, number;
};
SetId idOf(const Extent& extent, int set) {
    const int frictions = int(kFrictions.size()), cloth = set / frictions;
    return {Friction{set % frictions}, extent.sideOf(cloth), extent.roundOf(cloth)};
}

/// "stretch_whole_ck2"
std::string keyOf(std::size_t implicit, std::string_view what) {
    return fmt::format("{}_{}", kImplicits[implicit].key, what);
}
std::string keyOf(std::size_t implicit, std::string_view what, std::size_t reading) {
    return fmt::format("{}_{}", keyOf(implicit, what), kReadingKeys[reading]);
}

Expected<Entries> bothWaysOnSphere(const Extent& extent, const SetId& id, Job& job) {
    const Cloth c = drawnForDecomposition(job.options, Configuration::Sphere, id.side, id.number);
    const auto run = runSampled(c, decomposingScene(c, id.friction), extent,
                                {.readings = int(kReadings.size()), .stretchAlone = true}, job);
    if (!run) return tl::unexpected(run.error());
    const double n = run->count();
    Entries out = joined(entriesOf(c), {{"friction", std::string(enumKey(id.friction))},
                                        {"bend_safe", double(bendIsSafe(c))},
                                        {"systems", double(run->systems)},
                                        {"held", run->held / n},
                                        {"drift", run->drift},
                                        {"diverged", double(run->diverged)}});
    for (std::size_t i = 0; i < run->sums.size(); ++i) {
        out.emplace_back(keyOf(i, "components"), run->sums[i].components / n);
        out.emplace_back(keyOf(i, "largest"), run->sums[i].largest / n);
        for (std::size_t r = 0; r < kReadings.size(); ++r) {
            const SampledRun::OfReading& of = run->sums[i].readings[r];
            out.emplace_back(keyOf(i, "whole", r), of.whole / n);
            out.emplace_back(keyOf(i, "decomposed", r), of.decomposed / n);
            out.emplace_back(keyOf(i, "skipping", r), of.skipping / n);
        }
    }
    return out;
}

/// With one choice of implicit springs.
Entries productsOf(const SetGroup& sets, std::size_t implicit, Shown shown) {
    Entries out{{"sets", sets.count()},
                {"components", sets.mean(keyOf(implicit, "components"))},
                {"largest", sets.mean(keyOf(implicit, "largest"))},
                {"held", sets.mean("held")},
                {"drift", sets.mean("drift")}};
    for (std::size_t r = 0; r < kReadings.size(); ++r) {
        const std::string suffix = kReadingSuffixes[r], whole = keyOf(implicit, "whole", r),
                          decomposed = keyOf(implicit, "decomposed", r), skipping = keyOf(implicit, "skipping", r);
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

/// Frictions that have a row together.
struct Frictions {
    std::string_view label;
    std::span<const EnumEntry> each;

    bool contain(std::string_view key) const { return std::ranges::find(each, key, &EnumEntry::key) != each.end(); }
};
constexpr std::span<const EnumEntry> kEach(kFrictions);
constexpr std::array kAlone{Frictions{kEach[0].key, kEach.subspan(0, 1)}, Frictions{kEach[1].key, kEach.subspan(1, 1)},
                            Frictions{kEach[2].key, kEach.subspan(2, 1)}};
/// "Dependant on friction constants" (§6.4.2): the frictionless sheet is ours, the limit of small constants.
constexpr std::array kTogether{Frictions{"with friction", kEach.first(2)}, Frictions{"all", kEach}};

std::vector<std::string> notesOf(const Extent& extent, const SetGroup& sets, Shown shown) {
    std::vector<std::string> notes{
        fmt::format("{} random sets of the thesis' grid on a sheet of 1.5 m (it has 500), {} s each; {} of the systems "
                    "of each, solved whole and by "
                    "components with MPCG and CP. RV: iterations x particles, held ones too for the whole; means over "
                    "the systems, then "
                    "the sets.",
                    sets.count(), extent.seconds, extent.samples),
        "The thesis' tolerance reads \"tol = ck (where k is the 2 time step)\" in the scan, c = 0.01. No suffix: tol = "
        "c k^2, with which "
        "its other "
        "counts come out; at_tol_ck, at_tol2_ck: tol = c k, tol^2 = c k.",
        "components, largest, held: number, share of the particles in the largest, share that is held (ndof 0), means. "
        "drift: how far "
        "the middle of the sheet has moved sideways in the end, m. Sphere of 0.3 of the side, off the middle by 3 and "
        "5 % of it; "
        "friction 10 (sticking), 0.2 (slipping), none (sliding): \"in some experiments, the cloth sticks and in some "
        "it slips, "
        "dependant on friction constants\", and the thesis prints none of the three. Cloth collides with itself, as "
        "there; "
        "k_air is the 1/2 rho c_w of (3.17), a force on the area of a particle.",
        "implicit: adaptive: the thesis' rule, spring by spring, bend always explicit; at the stiffnesses of its grid "
        "that makes stretch "
        "and shear "
        "implicit nearly everywhere. stretch: stretch alone, as the captions of figures 6.4 to 6.6 have it, on the "
        "same states.",
        fmt::format("The sheet itself steps by the rule `safe`: in {} of the sets bend is too stiff to be explicit "
                    "(E-53). {} were "
                    "ended by the guard; their systems up to there count.",
                    sets.count() - sets.sum("bend_safe"), sets.sum("diverged")),
    };
    if (shown == Shown::Ratios)
        notes.emplace_back(
            "ratio: mean of the sets' ratios; most: the largest of them; of_means: ratio of the mean counts, those of "
            "figure "
            "6.9. with friction: sticking and slipping; all: with the frictionless third. skipping_alone: what leaving "
            "held particles out of the whole "
            "would give. A ratio above 1: each component measures against its own right-hand side, and one with a "
            "small "
            "right-hand "
            "side, next to others with large ones, is then solved further than the whole would solve it.");
    return notes;
}

}  // namespace

Expected<Reproduction> productsOnSphere(Shown shown, Job& job) {
    const Extent extent{.sides = growingSides(job),
                        .sets = job.choose(500, 72, 18),
                        .seconds = job.choose(1.0, 1.0, 0.6),
                        .samples = job.choose(10, 8, 4)};
    const auto label = [&](int set) {
        const SetId id = idOf(extent, set);
        return fmt::format("{0} x {0}, {1}", id.side, enumKey(id.friction));
    };
    const auto show = [&](const SetGroup& all, Reproduction& out) {
        const SetGroup solved = all.where([](const FinishedSet& set) { return set.number("systems") > 0; });
        const auto add = [&](const std::string& particles, const SetGroup& sized, const Frictions& frictions,
                             const Entries& paper) {
            const SetGroup sets =
                sized.where([&](const FinishedSet& set) { return frictions.contain(set.text("friction")); });
            for (std::size_t i = 0; i < kImplicits.size(); ++i)
                addRow(
                    out,
                    {{"particles", particles},
                     {"friction", std::string(frictions.label)},
                     {"implicit", std::string(kImplicits[i].key)}},
                    sets, [&](const SetGroup& group) { return productsOf(group, i, shown); }, paper);
        };
        for (const int side : extent.sides) {
            const SetGroup sized = solved.where([&](const FinishedSet& set) { return set.number("side") == side; });
            for (const Frictions& frictions : kAlone) add(fmt::format("{}", side * side), sized, frictions, {});
        }
        const SetGroup large =
            solved.where([](const FinishedSet& set) { return set.number("side") * set.number("side") > kLarge; });
        const std::string above = fmt::format("above {}", kLarge);
        if (shown == Shown::Ratios) {
            for (const Frictions& frictions : kAlone) add(above, large, frictions, {});
            for (const Frictions& frictions : kTogether) add(above, large, frictions, {{"ratio", "about 0.8"}});
        }
        out.notes = notesOf(extent, all, shown);
    };
    return tableOf({.name = "boxerman-section-6.4.2, sphere, dealt",
                    .extent = extent,
                    .label = label,
                    .run = [&](int set) { return bothWaysOnSphere(extent, idOf(extent, set), job); },
                    .show = show},
                   job);
}

}  // namespace clothlab::simulation::boxerman
