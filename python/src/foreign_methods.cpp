#include "foreign_methods.hpp"

#include <fmt/format.h>

#include <cmath>

#include "arrays.hpp"
#include "base/stage_timer.hpp"
#include "linalg/vector_kernels.hpp"
#include "solvers/verdict.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::python {
namespace {

/// An object's exception as one line; keeps the exception for the caller of the step. Needs the lock.
std::string tell(Place& place, py::error_already_set& error) {
    const py::object describe = py::module_::import("clothlab._callbacks").attr("describe");
    place.raised = error.value();
    return fmt::format("{}: {}", place.key, describe(error.value(), error.trace()).cast<std::string>());
}

std::string noObject(const Place& place) {
    return fmt::format("{}: its object of Python is gone; Simulation.use hands over another", place.key);
}

/// The occupied blocks as arrays of scipy's BSR, which own their memory: an object may keep them.
template <class Source>
py::object scipyMatrix(const Source& A) {
    const linalg::BlockPattern& p = A.pattern();
    py::ssize_t count = 0;
    for (Index k = 0; k < p.blocks(); ++k) count += A.occupied(k) != 0;
    py::array_t<double> data({count, py::ssize_t(3), py::ssize_t(3)});
    py::array_t<Index> columns{count}, starts{py::ssize_t(p.rows) + 1};
    double* block = data.mutable_data();
    Index *column = columns.mutable_data(), *start = starts.mutable_data(), filled = 0;
    for (Index i = 0; i < p.rows; ++i) {
        start[i] = filled;
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
            if (!A.occupied(k)) continue;
            Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(block + 9 * std::size_t(filled)) = A.block(k);
            column[filled++] = p.column[k];
        }
    }
    start[p.rows] = filled;
    return py::module_::import("clothlab._callbacks").attr("matrix")(data, columns, starts);
}

py::array flatView(double* data, Index blocks, py::handle owner) {
    return py::array(py::dtype::of<double>(), {3 * py::ssize_t(blocks)}, {py::ssize_t(sizeof(double))}, data, owner);
}

class ForeignPreconditioner final : public preconditioners::Preconditioner {
public:
    explicit ForeignPreconditioner(Place& place) : place_(place) {
        const py::gil_scoped_acquire locked;
        object_ = place.object;
        if (object_) apply_ = object_.attr("apply");
    }
    ~ForeignPreconditioner() override {  // NOLINT(bugprone-exception-escape): without the lock it must end
        const py::gil_scoped_acquire locked;
        if (place_.user == this) place_.user = nullptr;
        apply_ = {};
        object_ = {};
    }
    void analyze(const linalg::BlockMatrix&, const linalg::CoreMask*, WorkerPool&) override {}
    preconditioners::Outcome update(const preconditioners::UpdateInput& input, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return 0; }
    std::string_view failure() const override { return failure_; }

private:
    std::string applyPython(const linalg::BlockVector& r, linalg::BlockVector& z) const;

    Place& place_;
    py::object object_, apply_;
    mutable std::string failure_;
};

preconditioners::Outcome ForeignPreconditioner::update(const preconditioners::UpdateInput& input, WorkerPool&) {
    const py::gil_scoped_acquire locked;
    failure_.clear();
    if (!object_) return {false, noObject(place_)};
    place_.user = this;
    try {
        if (py::hasattr(object_, "setUp"))
            object_.attr("setUp")(input.view ? scipyMatrix(*input.view) : scipyMatrix(input.matrix));
    } catch (py::error_already_set& error) {
        return {false, tell(place_, error)};
    }
    return {};
}

/// Needs the lock. Returns an error message, or nothing.
std::string ForeignPreconditioner::applyPython(const linalg::BlockVector& r, linalg::BlockVector& z) const {
    if (place_.user != this)
        return fmt::format("{}: it was set up for another system meanwhile; solver.decompose cannot be on", place_.key);
    const py::array from = view(3 * py::ssize_t(r.size()), r.data(), object_),
                    to = flatView(z.data(), z.size(), object_);
    try {
        if (!apply_(from, to).is_none())
            return fmt::format("{}: apply returned a value; it writes its result into z, as z[:] = ...", place_.key);
    } catch (py::error_already_set& error) {
        return tell(place_, error);
    }
    // Both refer to memory that the solver will reuse.
    if (from.ref_count() > 1 || to.ref_count() > 1)
        return fmt::format("{}: apply kept r or z beyond the call; keep a copy, r.copy()", place_.key);
    return {};
}

double ForeignPreconditioner::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    if (failure_.empty()) {
        const py::gil_scoped_acquire locked;
        failure_ = applyPython(r, z);
    }
    if (!failure_.empty()) return NAN;
    const double dot = linalg::dot(r, z, pool);
    if (!std::isfinite(dot)) failure_ = fmt::format("{}: apply gave numbers that are not finite", place_.key);
    return dot;
}

class ForeignSolver final : public solvers::Solver {
public:
    ForeignSolver(Place& place, const solvers::SolverSettings& settings) : place_(place), settings_(settings) {
        const py::gil_scoped_acquire locked;
        object_ = place.object;
        if (object_) filters_ = py::module_::import("clothlab._callbacks").attr("takes_filter")(object_).cast<bool>();
    }
    ~ForeignSolver() override {  // NOLINT(bugprone-exception-escape): as above
        const py::gil_scoped_acquire locked;
        object_ = {};
    }

private:
    void run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, solvers::SolveSummary& summary,
             const solvers::SolveControl& control, WorkerPool& pool) override;
    void prepare(const linalg::LinearSystem& system, linalg::BlockVector& start, WorkerPool& pool);
    std::string solvePython(const linalg::LinearSystem& system, linalg::BlockVector& x, int& iterations) const;

    Place& place_;
    solvers::SolverSettings settings_;
    py::object object_;
    bool filters_ = false;  ///< it accepts S, with the original A and b
    linalg::ConstrainedView view_;
    linalg::BlockVector rhs_, prescribed_;
};

/// Needs the lock. The object gets its own arrays. Returns an error message, or nothing.
std::string ForeignSolver::solvePython(const linalg::LinearSystem& system, linalg::BlockVector& x,
                                       int& iterations) const {
    if (!object_) return noObject(place_);
    const linalg::BlockVector& b = filters_ ? system.b : rhs_;
    const py::ssize_t size = 3 * py::ssize_t(b.size());
    py::array_t<double> rhs(size, b.data()), solution(size, x.data());
    try {
        const py::module_ callbacks = py::module_::import("clothlab._callbacks");
        callbacks.attr("tell_limits")(object_, solvers::computeTolerance(settings_, system), settings_.maxIterations);
        const py::object solve = object_.attr("solve");
        const py::object returned = filters_
                                        ? solve(scipyMatrix(system.A), rhs, solution,
                                                callbacks.attr("filter")(*constrainedOf(system.constraints), b.size()))
                                        : solve(scipyMatrix(view_), rhs, solution);
        iterations = callbacks.attr("iterations")(returned).cast<int>();
    } catch (py::error_already_set& error) {
        return tell(place_, error);
    }
    std::copy_n(solution.data(), solution.size(), x.data());
    return {};
}

/// (SAS + s(I - S)) y = S(b - A z), with dv = z + S y; the stopping rule is |r| <= tolerance |right-hand side|. A
/// solver that filters by itself gets A, b and dv.
void ForeignSolver::prepare(const linalg::LinearSystem& system, linalg::BlockVector& start, WorkerPool& pool) {
    system.constraints.prescribed(prescribed_);
    if (!filters_) {
        solvers::residual(system, prescribed_, rhs_);
        view_.build(system.A, system.constraints, pool);
    }
    const bool warm =
        (settings_.warmStart || system.startsThere) && system.previous && system.previous->size() == prescribed_.size();
    start = warm ? *system.previous : prescribed_;
    if (warm) system.constraints.filterAndPrescribe(start);
    if (!filters_) system.constraints.filter(start);
}

void ForeignSolver::run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, solvers::SolveSummary& summary,
                        const solvers::SolveControl&, WorkerPool& pool) {
    StageTimer total, stage;
    prepare(system, deltaV, pool);
    summary.factorSeconds = stage.lap();
    std::string failure;
    {
        const py::gil_scoped_acquire locked;
        failure = solvePython(system, deltaV, summary.iterations);
    }
    summary.applySeconds = stage.lap();
    summary.totalSeconds = total.seconds();
    if (!failure.empty()) {
        summary.status = solvers::SolveStatus::Breakdown;
        summary.message = std::move(failure);
        return;
    }
    system.constraints.filterAndPrescribe(deltaV);
    summary.trueRelativeResidual = solvers::trueRelativeResidual(system, deltaV);
    solvers::conclude(summary, summary.trueRelativeResidual, solvers::computeTolerance(settings_, system));
}

}  // namespace

std::unique_ptr<preconditioners::Preconditioner> makeForeignPreconditioner(Place& place) {
    return std::make_unique<ForeignPreconditioner>(place);
}

std::unique_ptr<solvers::Solver> makeForeignSolver(Place& place, const solvers::SolverSettings& settings) {
    return std::make_unique<ForeignSolver>(place, settings);
}

}  // namespace clothlab::python
