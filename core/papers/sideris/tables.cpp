#include <array>
#include <cmath>

#include "linalg/vector_kernels.hpp"
#include "papers/sideris/sideris.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/reduced_pcg.hpp"

/// [P] Sideris and others, incomplete Poisson preconditioning: table 2, of which figure 1 is the picture.
namespace clothlab::papers::sideris {
namespace {

const std::vector<std::string_view> kValuesOfTable2{"every", "second", "last"};
const std::array kTables{
    PaperTable{"sideris-table-2", table2, kValuesOfTable2},
    PaperTable{"sideris-figure-1", table2, kValuesOfTable2},
    PaperTable{"sideris-figure-2", figure2, {"step"}},
    PaperTable{"sideris-figure-4", figure4, {"side", "frames"}},
};

}  // namespace

std::span<const PaperTable> tables() { return kTables; }

Expected<scene::Scene> sheet(int side, const Job& job) {
    auto scene = paperScene("sideris-free-fall", job);
    if (!scene) return scene;
    scene->settings.gravity = Vec3(0, -9.81, 0);
    scene::ClothPatch& cloth = scene->cloths.front();
    cloth.rows = cloth.columns = side;
    cloth.side = 0.005 * (side - 1);
    cloth.origin = Vec3(-0.5 * cloth.side, cloth.origin.y(), -0.5 * cloth.side);
    contact::Collider& ball = scene->colliders.front();
    ball.shape = geometry::Sphere{.radius = 0.4 * cloth.side};
    ball.position = Vec3(0, cloth.origin.y() - 0.4 * cloth.side - 0.002, 0);
    scene->settings.preconditioner = {.kind = preconditioners::PreconditionerKind::BlockJacobi};
    return scene;
}

namespace {

using preconditioners::PreconditionerKind;
using preconditioners::Variant;

/// z = diag(A) r: what the column "Jacobi" of the table looks as if it had done, for it is worse there than nothing.
class DiagonalTimes final : public preconditioners::Preconditioner {
public:
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool&) override {
        diagonal_.resize(matrix.rows());
    }
    preconditioners::Outcome update(const preconditioners::UpdateInput& input, WorkerPool&) override {
        const linalg::BlockMatrix& matrix = input.matrix;
        for (Index i = 0; i < matrix.rows(); ++i) diagonal_[i] = matrix.diagonal(i).diagonal();
        return {};
    }
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override {
        return linalg::scaleDot(diagonal_, r, z, pool);
    }
    std::size_t bytes() const override { return 3 * sizeof(double) * std::size_t(diagonal_.size()); }

private:
    linalg::BlockVector diagonal_;
};

const std::array kContenders{
    Contender{"incomplete-cholesky", {.kind = PreconditionerKind::IncompleteCholesky}},
    Contender{"incomplete-poisson", {.kind = PreconditionerKind::IncompletePoisson, .variant = Variant::Published}},
    Contender{"ssor", {.kind = PreconditionerKind::Ssor, .variant = Variant::Published}},
    Contender{"jacobi", {.kind = PreconditionerKind::Jacobi}},
    Contender{"jacobi, times", {.kind = PreconditionerKind::Jacobi}, true},
    Contender{"identity", {.kind = PreconditionerKind::Identity}},
};

}  // namespace

std::span<const Contender> contenders() { return kContenders; }

solvers::SolverSettings untilBelow(double threshold) {
    // `absolute` compares r'P^-1 r with the square of its tolerance.
    return {.tolerance = std::sqrt(threshold), .stopping = solvers::Stopping::Absolute, .warmStart = false};
}

namespace {

constexpr int kEvery = 5, kLast = 25;  // steps that are sampled

/// Sums over the sampled steps.
struct Tally {
    int solves = 0, failed = 0;
    double iterations = 0, iterationsSquared = 0, milliseconds = 0, millisecondsAlone = 0;  ///< on one thread
};

Timing solve(const Contender& who, const linalg::LinearSystem& system, double threshold, int runs, WorkerPool& pool) {
    const solvers::SolverSettings settings = untilBelow(threshold);
    const auto solver = who.times ? std::make_unique<solvers::ReducedPcg>(
                                        settings, solvers::Preconditioning(std::make_unique<DiagonalTimes>()))
                                  : solvers::makeSolver(settings, who.settings);
    return timeSolve(*solver, system, runs, pool);
}

void sample(const linalg::FrozenSystem& frozen, std::array<Tally, kContenders.size()>& tallies, int runs,
            WorkerPool& pool) {
    const linalg::LinearSystem system = frozen.view();
    WorkerPool alone(1);
    for (std::size_t c = 0; c < kContenders.size(); ++c) {
        const Timing once = solve(kContenders[c], system, kThreshold, runs, pool),
                     squared = solve(kContenders[c], system, kThreshold * kThreshold, 0, pool);
        Tally& tally = tallies[c];
        ++tally.solves;
        tally.failed += !solvers::converged(once.status);
        tally.iterations += once.iterations;
        tally.iterationsSquared += squared.iterations;
        tally.milliseconds += once.solveMs;
        tally.millisecondsAlone +=
            pool.threads() == 1 ? once.solveMs : solve(kContenders[c], system, kThreshold, runs, alone).solveMs;
    }
}

Expected<void> addRows(int side, Job& job, std::vector<ReproductionRow>& rows) {
    std::array<Tally, kContenders.size()> tallies;
    const auto after = [&](const Simulation& simulation) {
        if (simulation.lastReport().step % kEvery == 0)
            sample(*simulation.systemOfLastStep(), tallies, job.options.quick ? 1 : 3, job.pool);
    };
    auto walked = walk(sheet(side, job), {.steps = kLast, .systemsFrom = 1, .after = after}, job);
    if (!walked) return walked;
    for (std::size_t c = 0; c < kContenders.size(); ++c) {
        const Tally& tally = tallies[c];
        rows.push_back({{{"nodes", double(side) * side}, {"preconditioner", kContenders[c].name}},
                        {{"iterations", tally.iterations / tally.solves},
                         {"iterations_squared", tally.iterationsSquared / tally.solves},
                         {"solve_ms", tally.milliseconds / tally.solves},
                         {"speed_up", tally.millisecondsAlone / tally.milliseconds}}});
        if (tally.failed > 0) rows.back().ours.emplace_back("failed", double(tally.failed));
    }
    return {};
}

}  // namespace

Expected<Reproduction> table2(Job& job) {
    const std::vector<int> sides = job.sides({50, 60, 70, 80, 90, 100, 140, 175, 200}, {50, 70, 100});
    job.tell("every", kEvery, "second", 2 * kEvery, "last", kLast);
    return tableOfCases(
        sides, job, [](int side) { return fmt::format("{0} x {0}", side); },
        [&](int side, auto& rows) { return addRows(side, job, rows); });
}

}  // namespace clothlab::papers::sideris
