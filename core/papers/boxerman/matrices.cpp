#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "experiments/sparsity.hpp"
#include "linalg/components.hpp"
#include "papers/boxerman/scenes.hpp"
#include "papers/stepped_system.hpp"

/// [B] figures 4.3, 4.7, 4.11 (which blocks the matrix has) and 4.8 to 4.10 (which springs are implicit): the sheet of
/// 10 x 10.
namespace clothlab::simulation::matrices {
namespace {

using boxerman::Cloth;
using cloth::SpringFamily;
using integrators::IntegratorKind;

constexpr std::array kFamilyNames{"stretch", "shear", "bend"};

Expected<std::unique_ptr<Simulation>> sheet(Cloth cloth, const integrators::IntegratorSettings& integrator,
                                            const ReproduceOptions& options) {
    if (options.side > 0) cloth.side = options.side;
    scene::Scene scene = boxerman::sceneOf(cloth, 1e-4 * cloth.spacing);
    scene.settings.integrator = integrator;
    scene.settings.solver.kind = solvers::SolverKind::Cholesky;
    return Simulation::create(std::move(scene), options.threads);
}

struct Blocks {
    std::size_t all = 0;       ///< the pattern: what may be there, and the diagonal
    std::size_t occupied = 0;  ///< without those of slack springs
    int components = 0;
    Index largest = 0, second = 0;  ///< particles

    records::Entries entries() const {
        return {{"blocks", double(all)},
                {"occupied", double(occupied)},
                {"components", double(components)},
                {"largest", double(largest)},
                {"second", double(second)}};
    }
};

Blocks blocksOf(const linalg::FrozenSystem& system) {
    const experiments::Sparsity picture = sparsity(system, experiments::SparsityOf::Matrix, factors::Ordering::Natural);
    linalg::Components components;
    linalg::findComponents(system.A, system.constraints, components);
    Blocks out{.all = picture.column.size(), .occupied = picture.occupied, .components = int(components.count())};
    std::vector<Index> sizes;
    for (Index c = 1; c <= components.count(); ++c) sizes.push_back(components.size(c));
    std::sort(sizes.rbegin(), sizes.rend());
    if (!sizes.empty()) out.largest = sizes[0];
    if (sizes.size() > 1) out.second = sizes[1];
    return out;
}

struct Springs {
    std::array<int, cloth::kFamilies> isImplicit{}, isExplicit{}, inactive{};
};

Springs springsOf(const Simulation& simulation) {
    std::vector<std::uint8_t> states;
    simulation.springStates(states);
    Springs out;
    for (std::size_t e = 0; e < states.size(); ++e) {
        const auto f = static_cast<std::size_t>(simulation.model().springs[e].family);
        const bool active = states[e] & cloth::kSpringActive;
        ++(!active ? out.inactive : states[e] & cloth::kSpringImplicit ? out.isImplicit : out.isExplicit)[f];
    }
    return out;
}

Expected<linalg::FrozenSystem> nextSystem(Simulation& simulation, const ReproduceControl& control) {
    const StepReport& report = simulation.step({.stop = control.stop, .keepSystem = true, .hash = false});
    if (control.stop.stop_requested()) return fail("stopped");
    if (hasFailed(report.status)) return fail(report.message);
    return *simulation.systemOfLastStep();
}

/// All springs implicit, or stretch alone: the first step's matrix of a level sheet at rest.
Expected<Reproduction> first(IntegratorKind kind, double printed, const ReproduceOptions& options,
                             const ReproduceControl& control) {
    auto made = sheet({}, {.kind = kind, .dt = 0.001}, options);
    if (!made) return tl::unexpected(made.error());
    const auto system = nextSystem(**made, control);
    if (!system) return tl::unexpected(system.error());
    Reproduction out;
    ReproductionRow row;
    row.what = {{"implicit", kind == IntegratorKind::ImexEuler ? "stretch" : "all"}};
    row.ours = blocksOf(*system).entries();
    if (printed > 0) row.paper = {{"blocks", printed}};
    out.rows.push_back(std::move(row));
    out.notes = {
        "blocks: 3x3 blocks that the pattern has, one a particle and two an implicit spring. occupied: without those "
        "of springs that are "
        "slack in this "
        "step, at rest and level all bend springs. components, largest, second: of the occupied blocks' graph, in "
        "particles.",
        printed > 0
            ? "The figure's nz = 1360 counts the pattern, slack or not: 100 + 2 (180 + 162 + 288), 16 neighbours."
            : "The figure's caption has lost its nz in the scan: 460 = 100 + 2 x 180 is what stretch alone gives.",
        "The matrix as a picture: the window's panel M; as files: `clothlab system`.",
    };
    return out;
}

struct Sample {
    Blocks nearest;  ///< to the printed count
    int step = 0, steps = 0;
    std::size_t fewest = 0, most = 0;
    double mean = 0;
};

constexpr double kPrinted411 = 370;

Expected<Sample> sampleOf(boxerman::Configuration configuration, const ReproduceOptions& options,
                          const ReproduceControl& control) {
    auto made = sheet({.configuration = configuration, .stretch = 1000, .shear = 100, .bend = 0.001},
                      {.kind = IntegratorKind::AdaptiveImex, .dt = 0.01}, options);
    if (!made) return tl::unexpected(made.error());
    const auto off = [](const Blocks& b) { return std::abs(double(b.occupied) - kPrinted411); };
    Sample out{.nearest = {}, .steps = 200};
    for (int step = 1; step <= out.steps; ++step) {
        const auto system = nextSystem(**made, control);
        if (!system) return tl::unexpected(system.error());
        const Blocks blocks = blocksOf(*system);
        out.mean += double(blocks.occupied) / out.steps;
        out.fewest = step == 1 ? blocks.occupied : std::min(out.fewest, blocks.occupied);
        out.most = std::max(out.most, blocks.occupied);
        if (step == 1 || off(blocks) < off(out.nearest)) out.nearest = blocks, out.step = step;
    }
    return out;
}

/// Figure 4.11 has no parameters either: the cloth of figure 4.8, and of its steps the one whose count is nearest.
Expected<Reproduction> adaptive(const ReproduceOptions& options, const ReproduceControl& control) {
    Reproduction out;
    for (const EnumEntry& configuration : boxerman::kConfigurations) {
        const auto sample = sampleOf(boxerman::Configuration{configuration.value}, options, control);
        if (!sample) return tl::unexpected(sample.error());
        ReproductionRow row;
        row.what = {{"sheet", std::string(configuration.label)}, {"step", double(sample->step)}};
        row.ours = sample->nearest.entries();
        row.ours.insert(row.ours.end(),
                        {{"fewest", double(sample->fewest)}, {"mean", sample->mean}, {"most", double(sample->most)}});
        row.paper = {{"occupied", kPrinted411}};
        out.rows.push_back(std::move(row));
    }
    out.notes = {
        "Stretch 1000, shear 100 N/m, both implicit at 10 ms; bend is explicit: its blocks are in the pattern, for "
        "another step may need "
        "them, and "
        "none is occupied. 200 steps; the one whose occupied blocks are nearest to the figure's nz, and over all steps "
        "fewest, mean and "
        "most.",
        "The thesis prints nz = 370 and no parameters; figure 6.2 reorders the same matrix into \"two main blocks\". "
        "components, "
        "largest, second: ours, "
        "in particles, held ones left out.",
        "The matrix as a picture: the window's panel M; as files: `clothlab system boxerman-wireframe --step K --out "
        "DIR`.",
    };
    return out;
}

/// Figures 4.8 to 4.10: one swing, whose step goes between 0.3 and 10 ms and back in 100 steps.
Expected<Reproduction> wireframe(int phase, const char* what, const ReproduceOptions& options,
                                 const ReproduceControl& control) {
    constexpr int kPeriod = 100;
    auto made = sheet(
        {.stretch = 1000, .shear = 100, .bend = 0.001},
        {.kind = IntegratorKind::AdaptiveImex, .dt = 0.01, .dtSchedule = integrators::DtSchedule::Sine, .dtMin = 3e-4},
        options);
    if (!made) return tl::unexpected(made.error());
    Simulation& simulation = **made;
    Reproduction out;
    for (int step = 1; step <= 4 * kPeriod; ++step) {
        const StepReport& report = simulation.step({.stop = control.stop, .hash = false});
        if (control.stop.stop_requested()) return fail("stopped");
        if (hasFailed(report.status)) return fail(report.message);
        if ((step - 1) % kPeriod != phase) continue;
        const Springs springs = springsOf(simulation);
        for (std::size_t f = 0; f < kFamilyNames.size(); ++f) {
            ReproductionRow row;
            row.what = {{"step", double(step)}, {"dt_ms", 1e3 * report.dt}, {"springs", kFamilyNames[f]}};
            row.ours = {{"implicit", double(springs.isImplicit[f])},
                        {"explicit", double(springs.isExplicit[f])},
                        {"inactive", double(springs.inactive[f])},
                        {"active", springs.isImplicit[f] > 0   ? "implicit"
                                   : springs.isExplicit[f] > 0 ? "explicit"
                                                               : "none"}};
            if (SpringFamily(f) == SpringFamily::Stretch)
                row.paper = {{"active", phase == 0 ? "explicit" : "implicit"}};
            if (SpringFamily(f) == SpringFamily::Shear)
                row.paper = {{"active", phase == kPeriod / 2 ? "implicit" : "explicit"}};
            out.rows.push_back(std::move(row));
        }
    }
    out.notes = {
        fmt::format("The step is {}. 10 x 10 particles 0.1 m apart held at two corners, 0.3 kg/m^2, stretch 1000, "
                    "shear 100, bend 0.001 N/m; the step goes "
                    "smoothly between 0.3 and 10 ms. The thesis prints no parameters, and does not draw bend springs.",
                    what),
        "implicit, explicit, inactive: springs after the step; inactive are stretch and shear in compression, bend in "
        "extension.",
        "To be looked at: the scene `boxerman-wireframe` with the overlay of spring states.",
    };
    return out;
}

}  // namespace
}  // namespace clothlab::simulation::matrices

namespace clothlab::simulation {

Expected<Reproduction> boxermanFigure43(const ReproduceOptions& options, const ReproduceControl& control) {
    return matrices::first(integrators::IntegratorKind::LinearizedBackwardEuler, 1360, options, control);
}
Expected<Reproduction> boxermanFigure47(const ReproduceOptions& options, const ReproduceControl& control) {
    return matrices::first(integrators::IntegratorKind::ImexEuler, 0, options, control);
}
Expected<Reproduction> boxermanFigure411(const ReproduceOptions& options, const ReproduceControl& control) {
    return matrices::adaptive(options, control);
}
Expected<Reproduction> boxermanFigure48(const ReproduceOptions& options, const ReproduceControl& control) {
    return matrices::wireframe(50, "large", options, control);
}
Expected<Reproduction> boxermanFigure49(const ReproduceOptions& options, const ReproduceControl& control) {
    return matrices::wireframe(25, "modest", options, control);
}
Expected<Reproduction> boxermanFigure410(const ReproduceOptions& options, const ReproduceControl& control) {
    return matrices::wireframe(0, "small", options, control);
}

}  // namespace clothlab::simulation
