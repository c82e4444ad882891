#pragma once

#include "linalg/linear_system.hpp"

/// The dense solves of [C], in a source of their own: dense algebra takes long to compile.
namespace clothlab::papers::chen {

struct Dense {
    Eigen::VectorXd x;
    double luMs = 0, inverseMs = 0;  ///< medians
};

/// S A S + I - S and S b, with the paper's S (particles are held or free): the input of a dense solver.
Dense solveDense(const linalg::LinearSystem& system, int runs);

/// |x - y| / |x|
double relativeDifference(const Eigen::VectorXd& x, const linalg::BlockVector& y);

}  // namespace clothlab::papers::chen
