#include "papers/chen/dense.hpp"

#include <Eigen/LU>
#include <cmath>

#include "base/stage_timer.hpp"
#include "base/statistics.hpp"

namespace clothlab::papers::chen {

Dense solveDense(const linalg::LinearSystem& system, int runs) {
    Eigen::MatrixXd A = linalg::toDense(system.A);
    Eigen::VectorXd b(A.rows());
    for (Eigen::Index i = 0; i < system.A.rows(); ++i) b.segment<3>(3 * i) = system.b[Index(i)];
    for (const linalg::DofConstraint& c : system.constraints.constrained()) {
        const Eigen::Index at = Eigen::Index{3} * c.particle;
        A.middleRows<3>(at).setZero();
        A.middleCols<3>(at).setZero();
        A.block<3, 3>(at, at).setIdentity();
        b.segment<3>(at).setZero();
    }
    Dense out;
    std::vector<double> lu, inverse;
    for (int run = 0; run < runs; ++run) {
        StageTimer timer;
        out.x = A.inverse() * b;
        inverse.push_back(1e3 * timer.lap());
        out.x = A.partialPivLu().solve(b);
        lu.push_back(1e3 * timer.lap());
    }
    out.luMs = median(std::move(lu));
    out.inverseMs = median(std::move(inverse));
    return out;
}

double relativeDifference(const Eigen::VectorXd& x, const linalg::BlockVector& y) {
    double difference = 0;
    for (Eigen::Index i = 0; i < y.size(); ++i) difference += (x.segment<3>(3 * i) - y[Index(i)]).squaredNorm();
    return std::sqrt(difference) / x.norm();
}

}  // namespace clothlab::papers::chen
