#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "experiments/systems/quadratic_form.hpp"
#include "experiments/systems/sparsity.hpp"
#include "papers/chen/chen.hpp"
#include "papers/chen/dense.hpp"
#include "papers/stepped_system.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"

/// [C] Chen 2021.
namespace clothlab::papers::chen {
namespace {

/// What joins two particles of a square grid, or "" where nothing does.
std::string_view familyName(Index i, Index j, int side) {
    const int rows = std::abs(i / side - j / side), columns = std::abs(i % side - j % side);
    if (rows + columns == 0) return "diagonal";
    if (rows + columns == 1) return "stretch";
    if (rows == 1 && columns == 1) return "shear";
    return rows + columns == 2 ? "bend" : "";
}

/// The blocks and entries of A by what joins the two particles, in the order of the grid.
void addSparsity(const linalg::FrozenSystem& system, int side, Reproduction& out) {
    struct Count {
        double places = 0, blocks = 0, entries = 0;
    };
    std::map<std::string, Count, std::less<>> counts;
    const experiments::Sparsity all =
        experiments::sparsity(system, experiments::SparsityOf::Matrix, factors::Ordering::Natural);
    double bandwidth = 0;
    for (Index at = 0; at < all.places(); ++at)
        for (std::size_t k = all.rowStart[at]; k < all.rowStart[at + 1]; ++k) {
            const Index i = all.particle[at], j = all.particle[all.column[k]];
            const auto block = system.A.block(system.A.pattern().find(i, j));
            const double entries = double((block.array() != 0).count());
            for (const std::string_view name : {familyName(i, j, side), std::string_view("all")}) {
                Count& count = counts[std::string(name)];
                ++count.places;
                count.blocks += entries > 0;
                count.entries += entries;
            }
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    if (block(r, c) != 0) bandwidth = std::max(bandwidth, std::abs(3.0 * (i - j) + r - c));
        }
    const double every = 9.0 * double(all.places()) * double(all.places());
    for (const char* name : {"diagonal", "stretch", "shear", "bend", "all"}) {
        const Count& count = counts[name];
        records::Entries ours{{"places", count.places},
                              {"blocks", count.blocks},
                              {"entries", count.entries},
                              {"share_percent", 100 * count.entries / every}};
        if (std::string_view(name) == "all") ours.emplace_back("bandwidth", bandwidth);
        out.rows.push_back({{{"step", double(system.step)}, {"joined_by", name}}, std::move(ours)});
    }
}

/// Entry by entry, as the paper has it.
PatternPicture makePicture(const linalg::FrozenSystem& system, int side) {
    PatternPicture out{
        .caption = fmt::format("The entries of A in step {}, by the connection of their particles:", system.step),
        .signs = {{'o', "diagonal"}, {'s', "stretch"}, {'x', "shear"}, {'b', "bend"}},
        .rows = {}};
    const std::size_t size = 3 * std::size_t(system.A.rows());
    out.rows.assign(size, std::string(size, ' '));
    for (Index i = 0; i < system.A.rows(); ++i)
        for (Index j = 0; j < system.A.rows(); ++j) {
            const Index at = system.A.pattern().find(i, j);
            if (at < 0 || !system.A.occupied(at)) continue;
            const std::string_view family = familyName(i, j, side);
            const auto sign = std::ranges::find(out.signs, family, &std::pair<char, std::string>::second);
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    if (system.A.block(at)(r, c) != 0) out.rows[3 * i + r][3 * j + c] = sign->first;
        }
    return out;
}

Expected<Reproduction> figure1(Job& job) {
    Reproduction out;
    for (const int step : {2, 20}) {
        auto scene = paperScene("chen", job);
        if (!scene) return fail(scene.error());
        const int side = scene->cloths.front().rows;
        const auto stepped = systemOfStep(std::move(scene), step, job);
        if (!stepped) return fail(stepped.error());
        addSparsity(stepped->system, side, out);
        out.picture = makePicture(stepped->system, side);
    }
    return out;
}

Expected<Reproduction> figure2(Job&) {
    using experiments::PlaneMethod;
    const experiments::QuadraticForm& form = experiments::planeExamples().front().form;
    Reproduction out;
    for (const experiments::Plane& start : {experiments::Plane(-2, -2), experiments::Plane(0, 0)})
        for (const PlaneMethod method : {PlaneMethod::SteepestDescent, PlaneMethod::ConjugateGradients}) {
            const auto points = experiments::iterates(form, method, start);
            for (std::size_t i = 0; i < points.size(); ++i) {
                const experiments::PlaneIterate& p = points[i];
                const double bound = experiments::errorBound(method, form.spectrum().condition(), int(i));
                records::Entries ours{{"x1", p.x[0]}, {"x2", p.x[1]}};
                if (i > 0) ours.emplace_back("alpha", p.alpha);
                out.rows.push_back({{{"start", fmt::format("({:g}, {:g})", start[0], start[1])},
                                     {"method", std::string(enumKey(method))},
                                     {"step", double(i)}},
                                    joined(std::move(ours), {{"f", form.value(p.x)}, {"energy_error", p.energyError}}),
                                    {{"energy_error_bound", bound * points[0].energyError}}});
            }
        }
    return out;
}

Expected<void> addRow62(int side, int step, Job& job, std::vector<ReproductionRow>& rows) {
    // The face stays 1.5 m wide and the pull 2 N at the centre.
    std::vector<std::string> sets = square(side);
    sets.push_back(fmt::format("cloth.side={}", 1.5 * (side - 1)));
    const auto stepped = systemOfStep(paperScene("chen", job, sets), step, job);
    if (!stepped) return fail(stepped.error());
    const Method mpcg{{.kind = solvers::SolverKind::Mpcg,
                       .tolerance = 1e-8,
                       .stopping = solvers::Stopping::PNorm,
                       .warmStart = false},
                      {.kind = preconditioners::PreconditionerKind::Jacobi}};
    const linalg::LinearSystem system = stepped->system.view();
    const Timing t = timeSolve(mpcg, system, 5, job);
    const Dense dense = solveDense(system, side > 17 ? 3 : 5);
    rows.push_back({{{"particles", double(side) * side}, {"unknowns", 3.0 * side * side}},
                    joined(iterationEntries(t), {{"mpcg_ms", t.solveMs},
                                                 {"dense_lu_ms", dense.luMs},
                                                 {"dense_inverse_ms", dense.inverseMs},
                                                 {"speed_up_over_lu", dense.luMs / t.solveMs},
                                                 {"speed_up_over_inverse", dense.inverseMs / t.solveMs},
                                                 {"difference", relativeDifference(dense.x, t.deltaV)}})});
    return {};
}

Expected<Reproduction> section62(Job& job) {
    constexpr int kStep = 20;
    const std::vector<int> sides = job.sides({5, 9, 13, 17, 21, 25}, {5, 9, 13});
    job.tell("step", kStep);
    return tableOfCases(
        sides, job, [](int side) { return fmt::format("{0} x {0}", side); },
        [&](int side, auto& rows) { return addRow62(side, kStep, job, rows); });
}

/// What can be measured of the pictures of figure 3. Positions are those of a square mesh whose middle is pulled down.
struct Shape {
    double drop = 0;       ///< m, of the particle in the middle
    double asymmetry = 0;  ///< m, the largest difference in height of two particles that mirror each other
};

Shape measureShape(const linalg::BlockVector& x, int side) {
    const auto height = [&](int r, int c) { return Vec3(x[r * side + c]).y(); };
    Shape out{.drop = height(0, 0) - height(side / 2, side / 2)};
    for (int r = 0; r < side; ++r)
        for (int c = 0; c < side; ++c)
            for (const double mirrored : {height(r, side - 1 - c), height(side - 1 - r, c), height(c, r)})
                out.asymmetry = std::max(out.asymmetry, std::abs(height(r, c) - mirrored));
    return out;
}

Expected<Reproduction> figure3(Job& job) {
    auto scene = paperScene("chen", job, {"solver.stopping=p-norm", "solver.tolerance=1e-8"});
    if (!scene) return fail(scene.error());
    const double force = scene->pointForces.front().force.norm();
    const int side = scene->cloths.front().rows;
    auto made = startSimulation(std::move(*scene), job);
    if (!made) return fail(made.error());
    simulation::Simulation& simulation = **made;
    Reproduction out;
    double difference = 0, strain = 0, iterations = 0;
    const auto add = [&](std::int64_t step) {
        const Shape shape = measureShape(simulation.state().x, side);
        const simulation::StepReport& report = simulation.lastReport();
        out.rows.push_back({{{"time_s", double(step) * simulation.settings().integrator.dt}},
                            {{"drop_m", shape.drop},
                             {"asymmetry_m", shape.asymmetry},
                             {"energy_j", step > 0 ? report.kineticJ + report.elasticJ() : 0},
                             {"work_j", force * shape.drop},
                             {"largest_strain", strain},
                             {"iterations", iterations / std::max(1.0, double(step))},
                             {"difference", difference}}});
    };
    add(0);
    const std::vector<std::int64_t> shown{5, 10, 15, 20, 50, 100, 500};
    const auto after = [&](const Simulation&) {
        const simulation::StepReport& report = simulation.lastReport();
        strain = std::max(strain, report.maxStrain);
        iterations += report.iterations;
        const linalg::LinearSystem system = simulation.systemOfLastStep()->view();
        difference = std::max(difference, relativeDifference(solveDense(system, 1).x, simulation.state().deltaV));
        if (std::ranges::find(shown, report.step) != shown.end()) add(report.step);
    };
    const auto done = walk(simulation, {.steps = int(shown.back()), .systemsFrom = 1, .after = after}, job);
    if (!done) return fail(done.error());
    return out;
}

const std::array kTables{
    PaperTable{"chen-figure-1", figure1},
    PaperTable{"chen-figure-2", figure2},
    PaperTable{"chen-figure-3", figure3},
    PaperTable{"chen-section-6.2", section62, {"step"}},
};

}  // namespace

std::span<const PaperTable> tables() { return kTables; }

}  // namespace clothlab::papers::chen
