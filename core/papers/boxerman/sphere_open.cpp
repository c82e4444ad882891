#include "papers/boxerman/sampled_run.hpp"
#include "papers/boxerman/tables.hpp"

/// [B] §6.4.2, one at a time of what the thesis leaves open of its sphere: friction, radius, place.
namespace clothlab::simulation::boxerman {
namespace {

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

const Variant& variantOf(int set) { return kVariants[static_cast<std::size_t>(set) % kVariants.size()]; }

scene::Scene sceneOf(const Cloth& cloth, const Variant& variant) {
    scene::Scene scene = decomposingScene(cloth, Friction::Sliding);
    scene.settings.contact.muS = scene.settings.contact.muK = variant.friction;
    contact::Collider& sphere = scene.colliders.front();
    const double side = cloth.spacing * (cloth.side - 1), radius = variant.radius * side;
    sphere.shape = geometry::Sphere{radius};
    sphere.position = Vec3(variant.offset * sphere.position.x(), -radius, variant.offset * sphere.position.z());
    return scene;
}

Expected<Entries> bothWaysOnVariant(const Extent& extent, int set, Job& job) {
    const Cloth cloth = drawnForDecomposition(job.options, Configuration::Sphere, extent.sideOf(set),
                                              set / static_cast<int>(kVariants.size()));
    const auto run = runSampled(cloth, sceneOf(cloth, variantOf(set)), extent, {}, job);
    if (!run) return tl::unexpected(run.error());
    const SampledRun::OfReading& rv = run->sums[0].readings[0];
    return joined(entriesOf(cloth), {{"ratio", rv.decomposed / std::max(1.0, rv.whole)},
                                     {"skipping_alone", rv.skipping / std::max(1.0, rv.whole)},
                                     {"components", run->sums[0].components / run->count()},
                                     {"held", run->held / run->count()},
                                     {"drift", run->drift},
                                     {"diverged", double(run->diverged)}});
}

Entries meansOf(const SetGroup& sets) {
    Entries out{{"sets", sets.count()}};
    for (const char* key : {"ratio", "skipping_alone", "components", "held", "drift"})
        out.emplace_back(key, sets.mean(key));
    out.emplace_back("diverged", sets.sum("diverged"));
    return out;
}

}  // namespace

Expected<Reproduction> productsByVariant(Job& job) {
    const int side = job.side(30, 20), cloths = job.choose(20, 5, 1);
    const Extent extent{.sides = {side}, .sets = cloths * static_cast<int>(kVariants.size()), .samples = 10};
    const auto label = [](int set) {
        const Variant& v = variantOf(set);
        return fmt::format("friction {:g}, radius {:g}, offset {:g}", v.friction, v.radius, v.offset);
    };
    const auto show = [&](const SetGroup& all, Reproduction& out) {
        for (const Variant& v : kVariants)
            addRow(out, {{"friction", v.friction}, {"radius", v.radius}, {"offset", v.offset}},
                   all.where([&](const FinishedSet& set) { return &variantOf(set.set) == &v; }), meansOf);
        out.notes = {
            fmt::format(
                "{} cloths of the thesis' grid, {} x {} particles on 1.5 m, 1 s each, 10 systems of each; the same "
                "cloths in every row. RV by components over RV of the whole, springs implicit by the thesis' rule, "
                "tol = c k^2: means of the sets.",
                cloths, side, side),
            "radius: of the side of the sheet; offset: how far the sphere lies off the middle of the sheet, in "
            "multiples "
            "of 3 and 5 % of its side. The thesis prints neither these nor its friction constants.",
            "held: share of particles with ndof 0; skipping_alone: what leaving them out of the whole would give. "
            "drift: "
            "how far the middle of the sheet has moved sideways in the end, m. diverged: sets that the guard ended."};
    };
    return tableOf({.name = "boxerman-section-6.4.2, sphere, one value at a time",
                    .extent = extent,
                    .label = label,
                    .run = [&](int set) { return bothWaysOnVariant(extent, set, job); },
                    .show = show},
                   job);
}

}  // namespace clothlab::simulation::boxerman
