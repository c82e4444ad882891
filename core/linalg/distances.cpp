#include "linalg/distances.hpp"

#include <algorithm>
#include <cmath>

namespace clothlab::linalg {

Distances distances(const BlockVector& x, const BlockVector& y) {
    if (x.empty()) return {};
    double largest = 0, sum = 0;
    for (Index i = 0; i < x.size(); ++i) {
        const double squared = (x[i] - y[i]).squaredNorm();
        largest = std::max(largest, squared);
        sum += squared;
    }
    return {std::sqrt(largest), std::sqrt(sum / x.size())};
}

double largestNorm(const BlockVector& v) {
    double squared = 0;
    for (Index i = 0; i < v.size(); ++i) squared = std::max(squared, v[i].squaredNorm());
    return std::sqrt(squared);
}

}  // namespace clothlab::linalg
