#include "papers/plain_mpcg.hpp"

#include <cmath>

#include "base/stage_timer.hpp"
#include "solvers/verdict.hpp"

namespace clothlab::papers {
namespace {

double dot(const linalg::BlockVector& a, const linalg::BlockVector& b) {
    double sum = 0;
    for (Index k = 0; k < 3 * a.size(); ++k) sum += a.data()[k] * b.data()[k];
    return sum;
}

}  // namespace

void PlainMpcg::copyMatrix(const linalg::BlockMatrix& A) {
    const linalg::BlockPattern& pattern = A.pattern();
    rowStart_.assign(1, 0);
    column_.clear(), value_.clear(), diagonal_.clear();
    for (Index i = 0; i < pattern.rows; ++i)
        for (int row = 0; row < 3; ++row) {
            for (Index k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; ++k) {
                if (k != pattern.diagonal[i] && !A.occupied(k)) continue;
                for (int c = 0; c < 3; ++c) {
                    column_.push_back(3 * pattern.column[k] + c);
                    value_.push_back(A.block(k)(row, c));
                }
            }
            diagonal_.push_back(A.diagonal(i)(row, row));
            rowStart_.push_back(Index(column_.size()));
        }
}

void PlainMpcg::multiply(const linalg::BlockVector& x, linalg::BlockVector& y) const {
    for (std::size_t i = 0; i + 1 < rowStart_.size(); ++i) {
        double sum = 0;
        for (Index k = rowStart_[i]; k < rowStart_[i + 1]; ++k) sum += value_[k] * x.data()[column_[k]];
        y.data()[i] = sum;
    }
}

/// z = S D^-1 r
void PlainMpcg::precondition(const linalg::DofConstraints& constraints) {
    for (std::size_t k = 0; k < diagonal_.size(); ++k) z_.data()[k] = r_.data()[k] / diagonal_[k];
    constraints.filter(z_);
}

/// r and z of a start; r.z
double PlainMpcg::start(const linalg::LinearSystem& system, const linalg::BlockVector& x) {
    multiply(x, q_);
    for (Index k = 0; k < 3 * r_.size(); ++k) r_.data()[k] = system.b.data()[k] - q_.data()[k];
    system.constraints.filter(r_);
    precondition(system.constraints);
    return dot(r_, z_);
}

/// One iteration; the next r.z, or a negative number where p'Ap is not positive.
double PlainMpcg::iterate(const linalg::DofConstraints& constraints, linalg::BlockVector& x, double rz) {
    multiply(p_, q_);
    constraints.filter(q_);
    const double curvature = dot(p_, q_);
    if (!(curvature > 0)) return -1;
    const double alpha = rz / curvature;
    for (Index k = 0; k < 3 * x.size(); ++k) x.data()[k] += alpha * p_.data()[k];
    for (Index k = 0; k < 3 * x.size(); ++k) r_.data()[k] -= alpha * q_.data()[k];
    precondition(constraints);
    const double next = dot(r_, z_);
    for (Index k = 0; k < 3 * x.size(); ++k) p_.data()[k] = z_.data()[k] + next / rz * p_.data()[k];
    return next;
}

void PlainMpcg::run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, solvers::SolveSummary& summary,
                    const solvers::SolveControl& control, WorkerPool&) {
    copyMatrix(system.A);
    for (linalg::BlockVector* v : {&deltaV, &p_, &q_, &r_, &z_}) v->resize(system.A.rows());
    const StageTimer timer;
    system.constraints.prescribed(deltaV);
    double rz = start(system, deltaV);
    const double limit = tolerance_ * tolerance_ * rz;
    if (system.previous && system.previous->size() == deltaV.size()) {
        linalg::BlockVector& cold = p_ = deltaV;
        deltaV = *system.previous;
        system.constraints.filterAndPrescribe(deltaV);
        const double warm = start(system, deltaV);
        if (warm < rz)
            rz = warm;
        else
            deltaV = cold, rz = start(system, deltaV);
    }
    p_ = z_;
    summary.status = solvers::verdict(rz, limit);
    while (!solvers::converged(summary.status) && summary.iterations < maxIterations_ &&
           !control.stop.stop_requested()) {
        rz = iterate(system.constraints, deltaV, rz);
        ++summary.iterations;
        if (rz < 0) break;
        summary.status = solvers::verdict(rz, limit);
    }
    if (rz < 0)
        summary.status = solvers::SolveStatus::Indefinite;
    else if (control.stop.stop_requested())
        summary.status = solvers::SolveStatus::Cancelled;
    else if (!solvers::converged(summary.status) && summary.iterations == maxIterations_)
        summary.status = solvers::SolveStatus::MaxIterations;
    summary.totalSeconds = timer.seconds();
}

}  // namespace clothlab::papers
