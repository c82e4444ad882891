#include "integrators/descent/step_hessian.hpp"

#include <algorithm>

namespace clothlab::integrators {
namespace {

constexpr double kFirstCorrection = 1e-3;  // of the smallest mass
// Each tenfold: up to 10^8 masses, since a spring pressed to a tenth of its length takes 9 h^2 k, and h^2 k/m may be
// 10^5.
constexpr int kMostCorrections = 12;
/// Far from the solution the clamped Hessian is the better one; from then on the exact one has its share.
constexpr int kClampedFirst = 10;
constexpr double kFirstShare = 0.5, kLeastShare = 0.05, kLessShare = 0.8;
constexpr double kLongStep = 0.3;  // from here on the matrix may be bolder

}  // namespace

void StepHessian::assemble(StepObjective& objective, const linalg::BlockVector& x, int iteration, WorkerPool& pool) {
    using enum StepObjective::Curvature;
    added_ = 0;
    corrections_ = 0;
    if (which_ != NewtonHessian::Blended) {
        objective.hessian(x, which_ == NewtonHessian::Exact ? Exact : Definite, A_, pool);
        return;
    }
    if (iteration == 0) t_ = 0;
    if (iteration == kClampedFirst) t_ = kFirstShare;
    objective.hessian(x, Definite, clamped_, pool);
    if (t_ > 0) objective.hessian(x, Exact, exact_, pool);
    blend();
}

void StepHessian::blend() {
    A_ = t_ > 0 ? exact_ : clamped_;
    if (t_ == 0 || t_ == 1) return;
    for (Index p = 0; p < A_.pattern().blocks(); ++p) {
        if (!exact_.occupied(p) && !clamped_.occupied(p)) continue;
        A_.block(p) = t_ * exact_.block(p) + (1 - t_) * clamped_.block(p);
        A_.setOccupied(p, true);
    }
}

bool StepHessian::correct(const cloth::ClothModel& model) {
    if (which_ == NewtonHessian::Blended && t_ > 0) {
        t_ *= kLessShare;
        if (t_ < kLeastShare) t_ = 0;
        blend();
        return true;
    }
    if (which_ != NewtonHessian::Exact || corrections_++ == kMostCorrections) return false;
    const double mu = added_ == 0 ? kFirstCorrection * *std::ranges::min_element(model.mass) : 10 * added_;
    for (Index i = 0; i < A_.rows(); ++i) A_.diagonal(i).diagonal().array() += mu - added_;
    added_ = mu;
    return true;
}

void StepHessian::taken(double share) {
    if (share > kLongStep && t_ > 0) t_ = std::min(1.0, t_ + 0.5 * (1 - t_) + 1e-3);
}

}  // namespace clothlab::integrators
