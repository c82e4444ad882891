#include "solvers/decomposed.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/platform.hpp"
#include "base/stage_timer.hpp"
#include "linalg/constrained_matrix.hpp"
#include "solvers/verdict.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::solvers {
namespace {

/// Rows up to which a direct method takes a dense factor.
constexpr Index kDenseRows = 24;

/// Half of the free rows: from there on the largest component is not copied. Which particles it has changes at nearly
/// every step of a cloth in contact, and what is symbolic for a copy costs more than the rows that the whole system has
/// besides.
bool holdsMost(Index rows, std::size_t all) { return 2 * std::size_t(rows) >= all; }

/// The solve of one particle by itself: |b^|^2 and |b^ - S A x|^2.
struct SingleEnd {
    bool definite;
    double rhs2, residual2;
};

/// x of S A S x = b^ = S (rhs - A z), (I - S) x = z.
SingleEnd solveSingle(const Mat3& block, const linalg::DofConstraint* constraint, Vec3 rhs, Eigen::Map<Vec3> x) {
    Mat3 A = block;
    Vec3 z = Vec3::Zero();
    if (constraint) {
        const Mat3 S = constraint->S();
        z = constraint->z;
        rhs = (S * (rhs - block * z)).eval();
        A = linalg::constrainedBlock(block, S);
    }
    const Eigen::LLT<Mat3> factor(A);
    const Vec3 y = factor.solve(rhs);
    x = y + z;
    return {factor.info() == Eigen::Success, rhs.squaredNorm(), (rhs - A * y).squaredNorm()};
}

/// The same for a few of them at once.
bool solveDense(const linalg::LinearSystem& system, linalg::BlockVector& x) {
    Eigen::MatrixXd A = linalg::toDense(system.A);
    linalg::BlockVector z;
    system.constraints.prescribed(z);
    linalg::BlockVector rhs(system.A.rows());
    rhs.flat() = system.b.flat() - A * z.flat();
    system.constraints.filter(rhs);
    for (const linalg::DofConstraint& c : system.constraints.constrained()) {
        const Mat3 S = c.S();
        const auto at = 3 * c.particle;
        A.middleRows<3>(at) = (S * A.middleRows<3>(at)).eval();
        A.middleCols<3>(at) = (A.middleCols<3>(at) * S).eval();
        A.block<3, 3>(at, at) += linalg::constrainedScale(system.A.diagonal(c.particle)) * (Mat3::Identity() - S);
    }
    const Eigen::LLT<Eigen::MatrixXd> factor(A);
    if (x.size() != system.A.rows()) x.resize(system.A.rows());
    x.flat() = factor.solve(rhs.flat()) + z.flat();
    return factor.info() == Eigen::Success;
}

/// The worse of two ends of a solve: what a step cannot use, then what is not converged.
bool worse(SolveStatus a, SolveStatus b) {
    const auto rank = [](SolveStatus s) { return !acceptable(s) ? 2 : converged(s) ? 0 : 1; };
    return rank(a) > rank(b);
}

/// Sums over the components; `share` scales the seconds of what ran side by side.
void add(SolveSummary& sum, const SolveSummary& part, Index rows, double share) {
    if (worse(part.status, sum.status)) {
        sum.status = part.status;
        sum.message = part.message;
    }
    sum.iterations = std::max(sum.iterations, part.iterations);
    sum.doubleIterations = std::max(sum.doubleIterations, part.doubleIterations);
    sum.rowIterations += double(part.iterations) * rows;
    sum.analyzeSeconds += share * part.analyzeSeconds;
    sum.factorSeconds += share * part.factorSeconds;
    sum.applySeconds += share * part.applySeconds;
    sum.multiplySeconds += share * part.multiplySeconds;
    sum.bytes += part.bytes;
    sum.fill += part.fill;
    sum.relativeFill = std::max(sum.relativeFill, part.relativeFill);
    sum.flops += part.flops;
    sum.factorAge = std::max(sum.factorAge, part.factorAge);
    sum.icShift = std::max(sum.icShift, part.icShift);
    sum.coarseUnknowns += part.coarseUnknowns;
    sum.domains += part.domains;
    sum.interfaceRows += part.interfaceRows;
    sum.coarseSeconds += share * part.coarseSeconds;
}

/// Residual curve and end of the whole from those of its parts, squares added; parts that are done keep their last
/// value.
class JoinedHistory {
public:
    void add(const SolveSummary& part) {
        if (part.history.empty() || part.rhsNorm < 0) known_ = false;
        if (!known_) return;
        const double norm2 = part.rhsNorm * part.rhsNorm, last = norm2 * part.history.back() * part.history.back();
        if (part.history.size() > squares_.size()) squares_.resize(part.history.size(), settled_);
        for (std::size_t k = 0; k < squares_.size(); ++k)
            squares_[k] += k < part.history.size() ? norm2 * part.history[k] * part.history[k] : last;
        settled_ += last;
        rhs2_ += norm2;
        if (part.trueRelativeResidual < 0) verified_ = false;
        true2_ += norm2 * part.trueRelativeResidual * part.trueRelativeResidual;
    }
    void addExact(double rhs2) { rhs2_ += rhs2; }
    void into(SolveSummary& summary) const {
        if (!known_ || squares_.empty()) return;
        summary.rhsNorm = std::sqrt(rhs2_);
        for (const double square : squares_)
            summary.history.push_back(rhs2_ > 0 ? float(std::sqrt(square / rhs2_)) : 0.0f);
        if (verified_) summary.trueRelativeResidual = rhs2_ > 0 ? std::sqrt(true2_ / rhs2_) : 0.0;
    }

private:
    std::vector<double> squares_;
    double settled_ = 0, rhs2_ = 0, true2_ = 0;
    bool known_ = true, verified_ = true;
};

}  // namespace

void Decomposed::forget() {
    whole_->forget();
    retirePieces();
}

void Decomposed::retirePieces() {
    for (std::unique_ptr<Piece>& piece : pieces_) retire(std::move(piece));
    pieces_.clear();
}

void Decomposed::retire(std::unique_ptr<Piece> piece) {
    constexpr std::size_t kMostSpare = 64;
    if (spare_.size() >= kMostSpare) return;
    if (piece->solver) piece->solver->forget();
    spare_.push_back(std::move(piece));
}

std::unique_ptr<Decomposed::Piece> Decomposed::newPiece() {
    if (spare_.empty()) return std::make_unique<Piece>();
    std::unique_ptr<Piece> piece = std::move(spare_.back());
    spare_.pop_back();
    return piece;
}

void Decomposed::solveWhole(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
                            const SolveControl& control, WorkerPool& pool) {
    retirePieces();
    whole_->solve(system, deltaV, summary, control, pool);
    const Index rows = components_.count() > 0 ? components_.size(1) : 0;
    summary.rowIterations = double(summary.iterations) * rows;
    if (rows > 0) summary.components.assign(1, {rows, summary.iterations});
}

void Decomposed::solveLarge(const linalg::LinearSystem& system, Index component, linalg::BlockVector& deltaV,
                            const SolveControl& control, WorkerPool& pool) {
    const auto other = [&](Index i) { return components_.of[i] != component; };
    const bool warm = system.previous && system.previous->size() == system.A.rows();
    quietB_ = system.b;
    if (warm) quietPrevious_ = *system.previous;
    for (Index i = 0; i < system.A.rows(); ++i) {
        if (!other(i) || system.constraints.ndof(i) == 0) continue;
        quietB_[i].setZero();
        if (warm) quietPrevious_[i].setZero();
    }
    const auto hasMotion = [&](const linalg::DofConstraint& c) {
        return c.ndof > 0 && other(c.particle) && !c.z.isZero(0.0);
    };
    const std::span<const linalg::DofConstraint> constrained = system.constraints.constrained();
    const bool unchanged = std::ranges::none_of(constrained, hasMotion);
    if (!unchanged) quietConstraints_ = system.constraints;
    for (linalg::DofConstraint c : constrained) {
        if (!hasMotion(c)) continue;
        c.z.setZero();
        quietConstraints_.set(c);
    }
    whole_->solve({.A = system.A,
                   .b = quietB_,
                   .constraints = unchanged ? system.constraints : quietConstraints_,
                   .core = system.core,
                   .previous = warm ? &quietPrevious_ : nullptr,
                   .startsThere = system.startsThere,
                   .icShift = system.icShift,
                   .positions = system.positions,
                   .dt = system.dt},
                  deltaV, large_, {.stop = control.stop, .observer = {}}, pool);
}

void Decomposed::updatePieces(const linalg::LinearSystem& system, Index large) {
    const Index n = system.A.rows();
    localRow_.resize(n);
    singles_.clear();
    order_.clear();
    // Those of the solve before, by their first particle, as components are.
    std::vector<std::unique_ptr<Piece>> before = std::move(pieces_);
    pieces_.clear();
    std::size_t next = 0;
    for (Index c = 1; c <= components_.count(); ++c) {
        const std::span<const Index> rows = components_.rowsIn(c);
        if (c == large) continue;
        if (rows.size() == 1) {
            singles_.push_back(rows.front());
            continue;
        }
        for (std::size_t k = 0; k < rows.size(); ++k) localRow_[rows[k]] = Index(k);
        for (; next < before.size() && before[next]->system.particles().front() < rows.front(); ++next)
            retire(std::move(before[next]));
        const bool same = next < before.size() && std::ranges::equal(rows, before[next]->system.particles());
        std::unique_ptr<Piece> piece = same ? std::move(before[next++]) : newPiece();
        piece->component = c;
        order_.push_back(piece.get());
        pieces_.push_back(std::move(piece));
    }
    for (; next < before.size(); ++next) retire(std::move(before[next]));
    std::stable_sort(order_.begin(), order_.end(), [this](const Piece* a, const Piece* b) {
        return components_.size(a->component) > components_.size(b->component);
    });
}

void Decomposed::solvePiece(const linalg::LinearSystem& system, Piece& piece, linalg::BlockVector& deltaV,
                            const SolveControl& control, WorkerPool& pool) {
    StageTimer timer;
    piece.system.take(system, components_, piece.component, localRow_);
    const double copied = timer.lap();
    const linalg::LinearSystem own = piece.system.view();
    if (!usesPreconditioner(settings_.kind) && own.A.rows() <= kDenseRows) {
        piece.summary = {};
        const bool done = solveDense(own, piece.deltaV);
        piece.summary.factorSeconds = timer.lap();
        if (done) {
            conclude(piece.summary, trueRelativeResidual(own, piece.deltaV), computeTolerance(settings_, system));
        } else {
            piece.summary.status = SolveStatus::Breakdown;
            piece.summary.message = "a small component is not positive definite";
        }
    } else {
        if (!piece.solver) piece.solver = makeSolver_();
        piece.solver->solve(own, piece.deltaV, piece.summary, {.stop = control.stop, .observer = {}}, pool);
    }
    piece.summary.decomposeSeconds = copied;
    if (acceptable(piece.summary.status)) piece.system.scatter(piece.deltaV, deltaV);
}

void Decomposed::solvePieces(const linalg::LinearSystem& system, linalg::BlockVector& deltaV,
                             const SolveControl& control, WorkerPool& pool) {
    std::int64_t left = 0;
    for (const Piece* piece : order_) left += components_.size(piece->component);
    std::size_t first = 0;
    for (; first < order_.size(); ++first) {
        const Index rows = components_.size(order_[first]->component);
        if (rows < pool.inlineRows() || std::int64_t(rows) * pool.threads() <= left) break;
        solvePiece(system, *order_[first], deltaV, control, pool);
        left -= rows;
    }
    std::atomic<std::size_t> next{first};
    pool.forChunks(Index(pool.threads()), Index(left), [&](Index) {
        platform::singleThreadedBlas();
        WorkerPool alone(1);
        for (std::size_t k = next.fetch_add(1); k < order_.size(); k = next.fetch_add(1))
            solvePiece(system, *order_[k], deltaV, control, alone);
    });
}

void Decomposed::solveSingles(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, WorkerPool& pool) {
    const auto count = Index(singles_.size());
    std::vector<SingleEnd> ends(singles_.size());
    parallelRows(pool, count, [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k) {
            const Index i = singles_[k];
            ends[k] = solveSingle(system.A.diagonal(i), system.constraints.find(i),
                                  linalg::withoutKnown(system, components_, i), deltaV[i]);
        }
    });
    singlesSummary_ = {};
    singlesSummary_.iterations = count > 0 ? 1 : 0;
    singlesRhs2_ = 0;
    double residual2 = 0;
    for (std::size_t k = 0; k < ends.size(); ++k) {
        singlesRhs2_ += ends[k].rhs2;
        residual2 += ends[k].residual2;
        if (ends[k].definite || singlesSummary_.status == SolveStatus::Indefinite) continue;
        singlesSummary_.status = SolveStatus::Indefinite;
        singlesSummary_.message = fmt::format("the block of particle {} is not positive definite", singles_[k]);
    }
    if (singlesSummary_.status == SolveStatus::NotRun)
        conclude(singlesSummary_, residual2 > 0 ? std::sqrt(residual2 / singlesRhs2_) : residual2,
                 std::max(computeTolerance(settings_, system), kRoundOff));
}

void Decomposed::combine(Index large, double piecesSeconds, SolveSummary& summary) const {
    summary.status = singlesSummary_.status;  // the others can but make it worse
    summary.message = singlesSummary_.message;
    summary.components.assign(components_.count(), {1, 1});
    JoinedHistory history;
    const auto take = [&](const SolveSummary& part, Index component, double share) {
        const Index rows = components_.size(component);
        add(summary, part, rows, share);
        summary.components[component - 1] = {rows, part.iterations};
        history.add(part);
    };
    if (large > 0) take(large_, large, 1.0);
    double seconds = 0;
    for (const auto& piece : pieces_) seconds += piece->summary.totalSeconds + piece->summary.decomposeSeconds;
    const double share = seconds > 0 ? piecesSeconds / seconds : 0.0;
    for (const auto& piece : pieces_) {
        take(piece->summary, piece->component, share);
        summary.decomposeSeconds += share * piece->summary.decomposeSeconds;
    }
    add(summary, singlesSummary_, Index(singles_.size()), 1.0);
    history.addExact(singlesRhs2_);
    history.into(summary);
}

void Decomposed::measureCuts(const linalg::LinearSystem& system, const linalg::BlockVector& deltaV,
                             SolveSummary& summary) const {
    const linalg::BlockPattern& p = system.A.pattern();
    for (const Index i : components_.rows)
        for (Index k = p.diagonal[i] + 1; k < p.rowStart[i + 1]; ++k) {
            const Index other = components_.of[p.column[k]];
            summary.cutPairs += system.A.occupied(k) && other > 0 && other != components_.of[i];
        }
    if (summary.cutPairs == 0 || !acceptable(summary.status)) return;
    // Of the whole system, and so what the cuts cost; the joined curve is of what was solved.
    summary.trueRelativeResidual = trueRelativeResidual(system, deltaV);
    summary.status = SolveStatus::Stalled;
    summary.message =
        fmt::format("{} pairs are cut: the true residual is {:.1e}", summary.cutPairs, summary.trueRelativeResidual);
}

void Decomposed::run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
                     const SolveControl& control, WorkerPool& pool) {
    StageTimer total, timer;
    const linalg::CutRule cut{system.velocity, settings_.cutSpeed};
    linalg::findComponents(system.A, system.constraints, components_, pool, cut);
    const double search = timer.lap();
    if (components_.count() <= 1) {
        solveWhole(system, deltaV, summary, control, pool);
    } else {
        const Index largest = components_.largest();
        const Index large = !cut.on() && holdsMost(components_.size(largest), components_.rows.size()) ? largest : 0;
        updatePieces(system, large);
        summary.decomposeSeconds = timer.lap();
        system.constraints.prescribed(deltaV);
        if (large > 0) solveLarge(system, large, deltaV, control, pool);
        solveSingles(system, deltaV, pool);
        timer.lap();
        solvePieces(system, deltaV, control, pool);
        combine(large, timer.lap(), summary);
        if (cut.on()) measureCuts(system, deltaV, summary);
    }
    summary.decomposeSeconds += search;
    summary.totalSeconds = total.seconds();
}

}  // namespace clothlab::solvers
