#include "solvers/ritz.hpp"

#include <Eigen/Eigenvalues>

namespace clothlab::solvers {

void RitzValues::observe(const Iterate& iterate) {
    if (iterate.k == 0) {
        alpha_.clear();
        beta_.clear();
        return;
    }
    if (alpha_.size() >= kMost || !(iterate.alpha > 0)) return;
    if (iterate.restarted && !beta_.empty()) beta_.back() = 0;  // two Lanczos runs, not one
    alpha_.push_back(iterate.alpha);
    beta_.push_back(iterate.beta);
}

std::vector<double> RitzValues::values() const {
    const auto n = Eigen::Index(alpha_.size());
    if (n == 0) return {};
    Eigen::VectorXd diagonal(n), off(n - 1);
    for (Eigen::Index k = 0; k < n; ++k) {
        const auto at = std::size_t(k);
        diagonal[k] = 1 / alpha_[at] + (k > 0 ? beta_[at - 1] / alpha_[at - 1] : 0.0);
        if (k + 1 < n) off[k] = std::sqrt(std::max(0.0, beta_[at])) / alpha_[at];
    }
    if (!diagonal.allFinite() || !off.allFinite()) return {};
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(diagonal, off, Eigen::EigenvaluesOnly);
    if (solver.info() != Eigen::Success) return {};
    return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

}  // namespace clothlab::solvers
