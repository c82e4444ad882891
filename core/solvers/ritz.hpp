#pragma once

#include <vector>

#include "solvers/solver.hpp"

namespace clothlab::solvers {

/// The Ritz values of P^-1 A, nearly free: conjugate gradients are equivalent to the Lanczos process, with the
/// tridiagonal
///
///     T_kk = 1/alpha_k + beta_{k-1}/alpha_{k-1},   T_k,k+1 = sqrt(beta_k)/alpha_k
///
/// ([GolubVanLoan] §11.3; [Saad] §6.7). Its eigenvalues lie inside of the spectrum and find its
/// ends first, so that largest over smallest is a lower bound of the condition number, close once the solve has
/// converged.
class RitzValues {
public:
    /// Feed every iterate; a restart (k = 0) begins anew. Only the first `kMost` iterations count.
    void observe(const Iterate& iterate);
    /// Ascending; empty before the first iteration.
    std::vector<double> values() const;

    static constexpr std::size_t kMost = 400;

private:
    std::vector<double> alpha_, beta_;
};

}  // namespace clothlab::solvers
