#include "solvers/energy_error.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/yardstick.hpp"

namespace clothlab::solvers {

std::vector<float> EnergyErrors::relative(double last2) const {
    // From the end, where the terms are small: nothing cancels.
    std::vector<double> squares(decreases_.size() + 1);
    squares.back() = std::max(0.0, last2);
    for (std::size_t k = decreases_.size(); k-- > 0;) squares[k] = squares[k + 1] + decreases_[k];
    const double first = squares.front();
    if (!std::isfinite(first) || !(first > 0)) return {};
    std::vector<float> out;
    out.reserve(squares.size());
    for (const double square : squares) out.push_back(float(std::sqrt(square / first)));
    return out;
}

double energyError2(const linalg::LinearSystem& system, const linalg::BlockVector& deltaV,
                    const linalg::BlockVector& solution) {
    linalg::BlockVector r;
    residual(system, deltaV, r);
    return (solution.flat() - deltaV.flat()).dot(r.flat());
}

}  // namespace clothlab::solvers
