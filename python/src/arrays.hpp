#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <vector>

#include "linalg/block_vector.hpp"
#include "linalg/dof_constraints.hpp"

/// Converts data of the core to numpy arrays and back.
namespace clothlab::python {

namespace py = pybind11;

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// A view that cannot be written to and keeps `owner` alive.
template <class T>
py::array view(std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides, const T* data, py::handle owner) {
    py::array out(py::dtype::of<T>(), std::move(shape), std::move(strides), data, owner);
    py::detail::array_proxy(out.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return out;
}
template <class T>
py::array view(py::ssize_t size, const T* data, py::handle owner) {
    return view<T>({size}, {py::ssize_t(sizeof(T))}, data, owner);
}

/// (#P, 3)
inline py::array makeCopy(const linalg::BlockVector& v) {
    return py::array_t<double>({py::ssize_t(v.size()), py::ssize_t(3)}, v.data());
}
/// Reads (#P, 3) numbers; refuses other shapes and numbers that are not finite.
void assign(linalg::BlockVector& to, const Doubles& from, const char* what);
/// Three finite numbers.
Vec3 vectorOf(const Doubles& from, const char* what);
/// The indices of the constrained particles, (C,), and their S, (C, 3, 3).
py::tuple constrainedOf(const linalg::DofConstraints& constraints);

}  // namespace clothlab::python
