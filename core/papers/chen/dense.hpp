#pragma once

#include "linalg/linear_system.hpp"

/// What [C] solves with, apart: dense algebra takes long to compile.
namespace clothlab::papers::chen {

struct Dense {
    Eigen::VectorXd x;
    double luMs = 0, inverseMs = 0;  ///< medians
};

/// S A S + I - S and S b, as the paper's S does (its particles are held or free): what a dense solver is given.
Dense solveDense(const linalg::LinearSystem& system, int runs);

/// |x - y| / |x|
double relativeDifference(const Eigen::VectorXd& x, const linalg::BlockVector& y);

}  // namespace clothlab::papers::chen
