#include <algorithm>

#include "linalg/vector_kernels.hpp"
#include "papers/ye/ye.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"
#include "solvers/reduced_pcg.hpp"
#include "solvers/ritz.hpp"

/// [Y] Ye, Webber, Wang 2009, section 3: "not all candidates perform equally well", where the basis U of the free
/// directions is meant.
namespace clothlab::papers::ye {
namespace {

using linalg::Basis;
using preconditioners::PreconditionerKind;
using solvers::SolverKind;

constexpr double kDtMs = 3.67;
constexpr std::array kTolerances{1e-3, 1e-6};
constexpr std::array kBasesInOrder{Basis::Printed, Basis::Robust, Basis::Random};

/// P = U' diag(A) U, which is a block of 2x2 where U has two columns. Knows the system beside the matrix, as no
/// preconditioner of the program does: that is why it lives here.
class ProjectedDiagonal final : public preconditioners::Preconditioner {
public:
    ProjectedDiagonal(const linalg::LinearSystem& system, Basis basis) {
        for (Index i = 0; i < system.A.rows(); ++i) {
            const linalg::DofConstraint* c = system.constraints.find(i);
            if (c && c->ndof == 0) continue;
            Mat3 block = Mat3(system.A.diagonal(i)).diagonal().asDiagonal();
            if (c) {
                const Mat3 U = freeBasis(*c, basis);
                block = (U.transpose() * block * U).eval();
                for (int k = c->ndof; k < 3; ++k) block(k, k) = 1;  // the padding, which never moves
            }
            inverse_.push_back(block.inverse());
        }
    }
    void analyze(const linalg::BlockMatrix&, const linalg::CoreMask*, WorkerPool&) override {}
    preconditioners::Outcome update(const preconditioners::UpdateInput&, WorkerPool&) override { return {}; }
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override {
        parallelRows(pool, r.size(), [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) z[i] = inverse_[i] * r[i];
        });
        return linalg::dot(r, z, pool);
    }
    std::size_t bytes() const override { return inverse_.size() * sizeof(Mat3); }

private:
    std::vector<Mat3> inverse_;
};

struct Compared {
    const char* name;
    SolverKind solver;
    PreconditionerKind preconditioner;
    bool projected = false;  ///< U' diag(A) U instead of the kind
};
constexpr std::array kCompared{
    Compared{"diag(U'AU)", SolverKind::ReducedPcg, PreconditionerKind::Jacobi},
    Compared{"U' diag(A) U", SolverKind::ReducedPcg, PreconditionerKind::Jacobi, true},
    Compared{"blocks of U'AU", SolverKind::ReducedPcg, PreconditionerKind::BlockJacobi},
    Compared{"none", SolverKind::ReducedPcg, PreconditionerKind::Identity},
};

std::unique_ptr<solvers::Solver> buildSolver(const Compared& m, Basis basis, double tolerance,
                                             const linalg::LinearSystem& system) {
    Method method = conjugateGradients(m.solver, m.preconditioner);
    method.solver.tolerance = tolerance;
    method.solver.stopping = solvers::Stopping::Residual;  // one norm for all of them
    method.solver.warmStart = false;
    method.solver.basis = basis;
    if (m.projected)
        return std::make_unique<solvers::ReducedPcg>(
            method.solver, solvers::Preconditioning(std::make_unique<ProjectedDiagonal>(system, basis)));
    return solvers::makeSolver(method.solver, method.preconditioner);
}

/// Iterations at each tolerance, and a lower bound of the condition number of P^-1 U'AU: its largest over its smallest
/// Ritz value.
records::Entries measured(const Compared& m, Basis basis, const linalg::LinearSystem& system, Job& job) {
    records::Entries out;
    linalg::BlockVector deltaV;
    solvers::SolveSummary summary;
    solvers::RitzValues ritz;
    for (const double tolerance : kTolerances) {
        buildSolver(m, basis, tolerance, system)
            ->solve(system, deltaV, summary,
                    {.stop = job.control.stop, .observer = [&](const solvers::Iterate& it) { ritz.observe(it); }},
                    job.pool);
        const std::string key = fmt::format("iterations_{:g}", tolerance);
        if (solvers::converged(summary.status))
            out.emplace_back(key, double(summary.iterations));
        else
            out.emplace_back(key, std::string(enumKey(summary.status)));
    }
    if (const auto values = ritz.values(); !values.empty())
        out.emplace_back("condition", values.back() / values.front());
    return out;
}

/// A ball without friction, off the middle, so that the sheet slides: ndof 2 wherever it touches.
Expected<SteppedSystem> slidingSheet(int side, double stiffness, int step, Job& job) {
    auto scene = paperScene("drape-sphere", job, meshSettings(side, kDtMs, stiffness));
    if (!scene) return fail(scene.error());
    scene->settings.contact.muS = scene->settings.contact.muK = 0;
    scene->colliders.front().position += Vec3(0.03, 0, 0.05);
    return systemOfStep(std::move(*scene), step, job);
}

Expected<void> addRows(int side, double stiffness, int step, Job& job, std::vector<ReproductionRow>& rows) {
    const auto stepped = slidingSheet(side, stiffness, step, job);
    if (!stepped) return fail(stepped.error());
    const linalg::LinearSystem system = stepped->system.view();
    const double sliding = double(stepped->report.ndofCounts[2]) / double(system.A.rows());
    const auto add = [&](const char* preconditioner, std::string_view basis, records::Entries values) {
        values.emplace_back("sliding", sliding);
        rows.push_back(
            {{{"stretch_stiffness", stiffness}, {"preconditioner", preconditioner}, {"basis", std::string(basis)}},
             std::move(values)});
    };
    add("diag(A), MPCG", "-", measured({"", SolverKind::Mpcg, PreconditionerKind::Jacobi}, Basis::Robust, system, job));
    for (const Compared& m : kCompared)
        for (const Basis basis : kBasesInOrder) add(m.name, enumKey(basis), measured(m, basis, system, job));
    return {};
}

}  // namespace

Expected<Reproduction> section3Basis(Job& job) {
    const int side = job.side(81, 41), step = job.choose(120, 120, 60);
    job.tell("side", side, "step", step);
    return tableOfCases(
        kStiffness, job, [](double stiffness) { return fmt::format("k = {:g}", stiffness); },
        [&](double stiffness, auto& rows) { return addRows(side, stiffness, step, job, rows); });
}

}  // namespace clothlab::papers::ye
