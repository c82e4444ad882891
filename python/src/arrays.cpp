#include "arrays.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "errors.hpp"

namespace clothlab::python {
namespace {

void requireFinite(const Doubles& from, const char* what) {
    const Eigen::Map<const Eigen::ArrayXd> values(from.data(), from.size());
    if (!values.isFinite().all()) throw Failure(fmt::format("{}: a number is not finite", what));
}

}  // namespace

void assign(linalg::BlockVector& to, const Doubles& from, const char* what) {
    if (from.ndim() != 2 || from.shape(0) != to.size() || from.shape(1) != 3)
        throw Failure(fmt::format("{}: an array of shape ({}, 3) is needed", what, to.size()));
    requireFinite(from, what);
    std::copy_n(from.data(), from.size(), to.data());
}

Vec3 vectorOf(const Doubles& from, const char* what) {
    if (from.size() != 3) throw Failure(fmt::format("{}: three numbers are needed", what));
    requireFinite(from, what);
    return Vec3(from.data()[0], from.data()[1], from.data()[2]);
}

py::tuple constrainedOf(const linalg::DofConstraints& constraints) {
    const auto all = constraints.constrained();
    py::array_t<Index> particles{py::ssize_t(all.size())};
    py::array_t<double> filters({py::ssize_t(all.size()), py::ssize_t(3), py::ssize_t(3)});
    for (std::size_t k = 0; k < all.size(); ++k) {
        particles.mutable_at(k) = all[k].particle;
        const Mat3 S = all[k].S();
        std::copy_n(S.data(), 9, filters.mutable_data() + 9 * k);  // symmetric
    }
    return py::make_tuple(particles, filters);
}

}  // namespace clothlab::python
