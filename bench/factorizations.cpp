#include "factorizations.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/stage_timer.hpp"
#include "linalg/vector_kernels.hpp"
#include "preconditioners/catalogue.hpp"
#include "pruned.hpp"

namespace clothlab::bench {

void require(bool holds, std::string_view what) {
    if (holds) return;
    fmt::print(stderr, "the benchmark failed: {}\n", what);
    std::exit(1);
}

linalg::BlockMatrix prunedBlocks(const linalg::BlockMatrix& A) {
    const linalg::BlockPattern& p = A.pattern();
    std::vector<Index> rowStart{0}, column, source;
    for (Index i = 0; i < p.rows; ++i) {
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
            if (A.occupied(k) || p.column[k] == i) {
                column.push_back(p.column[k]);
                source.push_back(k);
            }
        rowStart.push_back(Index(column.size()));
    }
    linalg::BlockMatrix out(linalg::makePattern(p.rows, std::move(rowStart), std::move(column)));
    for (std::size_t k = 0; k < source.size(); ++k) {
        std::copy_n(A.blockData(source[k]), 9, out.blockData(Index(k)));
        out.setOccupied(Index(k), true);
    }
    return out;
}

CholeskyPeer::CholeskyPeer(const linalg::BlockMatrix& A, const linalg::BlockVector& b) : A_(prunedBlocks(A)), b_(b) {
    factors::Ordering best = factors::Ordering::Amd;
    double least = 1e300;
    for (const factors::Ordering ordering : {factors::Ordering::Amd, factors::Ordering::Metis}) {
        require(factor_.analyze(A_.pattern(), ordering, factors::Factorization::Supernodal), factor_.message());
        (*this)();
        for (int repeat = 0; repeat < 3; ++repeat) {
            StageTimer timer;
            (*this)();
            if (const double seconds = timer.seconds(); seconds < least) {
                least = seconds;
                best = ordering;
            }
        }
    }
    factor_.analyze(A_.pattern(), best, factors::Factorization::Supernodal);
}

void CholeskyPeer::operator()() {
    require(factor_.factorize(A_, one_) && factor_.solve(b_, x_, one_), factor_.message());
}

OurPcg::OurPcg(const linalg::BlockMatrix& A, const linalg::CoreMask* core, const linalg::BlockVector& b,
               const preconditioners::PreconditionerSettings& settings)
    : A_(A), core_(core), b_(b), preconditioner_(preconditioners::makePreconditioner(settings)), x_(A.rows()) {
    preconditioner_->analyze(A, core, one_);
    for (linalg::BlockVector* v : {&scratch_.q, &scratch_.z}) v->resize(A.rows());
    (*this)();
    linalg::BlockVector r(A.rows());
    multiply(A, x_, r);
    require((b.flat() - r.flat()).norm() <= 1.0001e-3 * b.flat().norm(), "the true residual of ours");
}

void OurPcg::operator()() {
    matrix_.build(A_, {.precision = linalg::Precision::Single}, one_);
    const auto outcome = preconditioner_->update({A_, core_}, one_);
    require(outcome.usable, outcome.message);
    x_.setZero();
    scratch_.r = b_;
    const solvers::CgProblem problem{
        .multiply = [this](const linalg::BlockVector& p,
                           linalg::BlockVector& q) { return matrix_.multiplyDot(p, q, one_); },
        .filter = [](linalg::BlockVector&) {},
        .residual = [this](const linalg::BlockVector& x, linalg::BlockVector& r) { matrix_.residual(b_, x, r, one_); },
        .preconditioner = *preconditioner_,
        .rhsNorm2 = linalg::dot(b_, b_, one_),
    };
    solvers::conjugateGradients(problem, {solvers::Stopping::Residual, 1e-3, 1000}, {x_, scratch_, summary_}, {}, one_);
    require(summary_.status == solvers::SolveStatus::Converged, summary_.message);
}

}  // namespace clothlab::bench
