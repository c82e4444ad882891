#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "papers/boxerman/aimex.hpp"
#include "papers/boxerman/sphere_run.hpp"
#include "papers/sets.hpp"

/// [B] figures 6.9 and 6.10: row-vector products of a sheet on a sphere, whole and by components, against its size.
namespace clothlab::simulation::sphere {
namespace {

using namespace boxerman;

/// Beyond this many particles the thesis has "approximately 20 %" fewer.
constexpr double kLarge = 700;

struct Plan {
    std::vector<int> sides;
    int sets;
    int samples;  ///< systems of a set
    double seconds = 1;
};

Plan planOf(const ReproduceOptions& options) {
    Plan plan{.sides = {}, .sets = 500, .samples = 10};
    for (int side = 5; side <= 80; side += 5) plan.sides.push_back(side);
    if (options.quick) plan = {.sides = {10, 20, 30, 40}, .sets = 72, .samples = 8};
    if (options.side > 0) plan = {.sides = {options.side / 2, options.side}, .sets = 18, .samples = 4, .seconds = 0.6};
    return plan;
}

/// Frictions take turns on the same cloth, and each next cloth is of the next size.
struct SetId {
    Friction friction;
    int side, number;
};
SetId idOf(const Plan& plan, int set) {
    const int frictions = int(kFrictions.size()), sides = int(plan.sides.size()), cloth = set / frictions;
    return {Friction{set % frictions}, plan.sides[static_cast<std::size_t>(cloth % sides)], cloth / sides};
}

/// By reading of the tolerance.
constexpr std::array kReadingKeys{"ck2", "ck", "ck_of_tol2"};

/// "stretch_whole_ck2"
std::string keyOf(std::size_t implicit, std::string_view what, std::string_view reading = {}) {
    return fmt::format("{}_{}{}{}", kImplicits[implicit].key, what, reading.empty() ? "" : "_", reading);
}

records::Entries entriesOf(const Cloth& c, const SetId& id, const SphereRun& run) {
    const double n = std::max(1, run.systems);
    records::Entries out = boxerman::entriesOf(c);
    out.insert(out.end(), {{"friction", std::string(enumKey(id.friction))},
                           {"bend_safe", double(bendIsSafe(c))},
                           {"systems", double(run.systems)},
                           {"held", run.held / n},
                           {"drift", run.drift},
                           {"diverged", double(run.diverged)}});
    for (std::size_t i = 0; i < run.sums.size(); ++i) {
        out.emplace_back(keyOf(i, "components"), run.sums[i].components / n);
        out.emplace_back(keyOf(i, "largest"), run.sums[i].largest / n);
        for (std::size_t r = 0; r < kReadings.size(); ++r) {
            const SphereRun::OfReading& of = run.sums[i].readings[r];
            out.emplace_back(keyOf(i, "whole", kReadingKeys[r]), of.whole / n);
            out.emplace_back(keyOf(i, "decomposed", kReadingKeys[r]), of.decomposed / n);
            out.emplace_back(keyOf(i, "skipping", kReadingKeys[r]), of.skipping / n);
        }
    }
    return out;
}

Expected<records::Entries> runOne(const Plan& plan, int set, const ReproduceOptions& options,
                                  const ReproduceControl& control, WorkerPool& pool) {
    const SetId id = idOf(plan, set);
    const Cloth c = drawnForDecomposition(options, Configuration::Sphere, id.side, id.number);
    const auto run = runOnSphere(
        c, decomposingScene(c, id.friction),
        {.seconds = plan.seconds, .samples = plan.samples, .readings = int(kReadings.size()), .stretchAlone = true},
        control, pool);
    if (!run) return tl::unexpected(run.error());
    return entriesOf(c, id, *run);
}

enum class Shown : int { Counts, Ratios };

/// Means over the sets of a row, with one choice of implicit springs.
struct Group {
    std::size_t implicit = 0;
    std::vector<const records::Entries*> sets;

    double mean(const std::string& key) const {
        double sum = 0;
        for (const records::Entries* set : sets) sum += records::numberOf(*set, key);
        return sum / double(sets.size());
    }
    double ratio(const records::Entries& set, std::string_view of, std::size_t r) const {
        const double whole = records::numberOf(set, keyOf(implicit, "whole", kReadingKeys[r]));
        return records::numberOf(set, keyOf(implicit, of, kReadingKeys[r])) / std::max(1.0, whole);
    }
    double meanRatio(std::string_view of, std::size_t r) const {
        double sum = 0;
        for (const records::Entries* set : sets) sum += ratio(*set, of, r);
        return sum / double(sets.size());
    }
    double ratioOfMeans(std::size_t r) const {
        return mean(keyOf(implicit, "decomposed", kReadingKeys[r])) /
               std::max(1.0, mean(keyOf(implicit, "whole", kReadingKeys[r])));
    }
    double most(std::size_t r) const {
        double out = 0;
        for (const records::Entries* set : sets) out = std::max(out, ratio(*set, "decomposed", r));
        return out;
    }
};

/// Keys of the three readings, in their order.
constexpr std::array kSuffixes{"", "_at_tol_ck", "_at_tol2_ck"};

ReproductionRow rowOf(std::string particles, std::string friction, const Group& group, Shown shown) {
    ReproductionRow row;
    row.what = {{"particles", std::move(particles)},
                {"friction", std::move(friction)},
                {"implicit", std::string(kImplicits[group.implicit].key)}};
    row.ours = {{"sets", double(group.sets.size())},
                {"components", group.mean(keyOf(group.implicit, "components"))},
                {"largest", group.mean(keyOf(group.implicit, "largest"))},
                {"held", group.mean("held")},
                {"drift", group.mean("drift")}};
    for (std::size_t r = 0; r < kReadings.size(); ++r) {
        const std::string suffix = kSuffixes[r];
        if (shown == Shown::Counts) {
            row.ours.emplace_back("whole_rv" + suffix, group.mean(keyOf(group.implicit, "whole", kReadingKeys[r])));
            row.ours.emplace_back("decomposed_rv" + suffix,
                                  group.mean(keyOf(group.implicit, "decomposed", kReadingKeys[r])));
            continue;
        }
        row.ours.emplace_back("ratio" + suffix, group.meanRatio("decomposed", r));
        row.ours.emplace_back("most" + suffix, group.most(r));
        if (r > 0) continue;
        row.ours.emplace_back("of_means", group.ratioOfMeans(r));
        row.ours.emplace_back("skipping_alone", group.meanRatio("skipping", r));
    }
    return row;
}

double particlesOf(const records::Entries& set) {
    return records::numberOf(set, "side") * records::numberOf(set, "side");
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

Group groupOf(const FinishedSets& sets, const Frictions& frictions, std::size_t implicit,
              const std::function<bool(double)>& sized) {
    Group out{.implicit = implicit, .sets = {}};
    for (const FinishedSet& set : sets.sets) {
        const bool counts =
            records::numberOf(set.values, "systems") > 0 && frictions.contain(textOf(set.values, "friction"));
        if (counts && sized(particlesOf(set.values))) out.sets.push_back(&set.values);
    }
    return out;
}

std::vector<std::string> notesOf(const Plan& plan, const FinishedSets& sets, Shown shown) {
    int safe = 0, diverged = 0;
    for (const FinishedSet& set : sets.sets) {
        safe += records::numberOf(set.values, "bend_safe") != 0;
        diverged += records::numberOf(set.values, "diverged") != 0;
    }
    std::vector<std::string> notes{
        fmt::format("{} random sets of the thesis' grid on a sheet of 1.5 m (it has 500), {} s each; {} of the systems "
                    "of each, solved whole and by "
                    "components with MPCG and CP. RV: iterations x particles, held ones too for the whole; means over "
                    "the systems, then "
                    "the sets.",
                    sets.sets.size(), plan.seconds, plan.samples),
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
                    sets.sets.size() - std::size_t(safe), diverged),
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
    addStopped(notes, sets);
    return notes;
}

Expected<Reproduction> table(Shown shown, const ReproduceOptions& options, const ReproduceControl& control) {
    const Plan plan = planOf(options);
    WorkerPool pool(options.threads);
    const auto label = [&](int set) {
        const SetId id = idOf(plan, set);
        return fmt::format("{0} x {0}, {1}", id.side, enumKey(id.friction));
    };
    const auto sets = simulation::runSets({.experiment = "boxerman-section-6.4.2, sphere, dealt",
                                           .sets = plan.sets,
                                           .label = label,
                                           .run = [&](int set) { return runOne(plan, set, options, control, pool); }},
                                          options, control);
    if (!sets) return tl::unexpected(sets.error());
    Reproduction out;
    const auto add = [&](const std::string& particles, const Frictions& frictions,
                         const std::function<bool(double)>& sized, const records::Entries& paper) {
        for (std::size_t implicit = 0; implicit < kImplicits.size(); ++implicit) {
            const Group group = groupOf(*sets, frictions, implicit, sized);
            if (group.sets.empty()) continue;
            out.rows.push_back(rowOf(particles, std::string(frictions.label), group, shown));
            if (shown == Shown::Ratios) out.rows.back().paper = paper;
        }
    };
    for (const int side : plan.sides)
        for (const Frictions& frictions : kAlone)
            add(fmt::format("{}", side * side), frictions, [&](double n) { return n == side * side; }, {});
    if (shown == Shown::Ratios) {
        const auto large = [](double n) { return n > kLarge; };
        for (const Frictions& frictions : kAlone) add(fmt::format("above {}", kLarge), frictions, large, {});
        for (const Frictions& frictions : kTogether)
            add(fmt::format("above {}", kLarge), frictions, large, {{"ratio", "about 0.8"}});
    }
    out.notes = notesOf(plan, *sets, shown);
    return out;
}

}  // namespace
}  // namespace clothlab::simulation::sphere

namespace clothlab::simulation {

Expected<Reproduction> boxermanFigure69(const ReproduceOptions& options, const ReproduceControl& control) {
    return sphere::table(sphere::Shown::Counts, options, control);
}
Expected<Reproduction> boxermanFigure610(const ReproduceOptions& options, const ReproduceControl& control) {
    return sphere::table(sphere::Shown::Ratios, options, control);
}

}  // namespace clothlab::simulation
