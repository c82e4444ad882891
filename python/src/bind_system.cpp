#include <pybind11/stl.h>

#include <algorithm>
#include <memory>

#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "lab.hpp"

namespace clothlab::python {
namespace {

/// Views keep this object, and so the memory, alive.
struct System {
    std::shared_ptr<const linalg::FrozenSystem> frozen;

    const linalg::BlockMatrix& A() const { return frozen->A; }
};

/// (#blocks, 3, 3). The core stores blocks by columns, numpy reads them by rows: if a block is not symmetric, the
/// result is a transposed copy.
py::array blocks(py::handle self) {
    const linalg::BlockMatrix& A = self.cast<const System&>().A();
    const py::ssize_t count = A.pattern().blocks();
    if (A.symmetricBlocks()) return view<double>({count, 3, 3}, {72, 24, 8}, A.blockData(0), self);
    py::array_t<double> copy({count, py::ssize_t(3), py::ssize_t(3)});
    for (Index k = 0; k < A.pattern().blocks(); ++k)
        Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(copy.mutable_data() + 9 * std::size_t(k)) = A.block(k);
    py::detail::array_proxy(copy.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return copy;
}

py::array flat(const linalg::BlockVector& v, py::handle self) {
    return view(3 * py::ssize_t(v.size()), v.data(), self);
}

template <class T>
py::array viewOf(const std::vector<T>& all, py::handle self) {
    return view(py::ssize_t(all.size()), all.data(), self);
}

void bindMatrix(py::class_<System>& type) {
    type.def("blocks", [](py::handle self) { return blocks(self); })
        .def("columns", [](py::handle self) { return viewOf(self.cast<const System&>().A().pattern().column, self); })
        .def("row_starts",
             [](py::handle self) { return viewOf(self.cast<const System&>().A().pattern().rowStart, self); })
        .def("occupied",
             [](py::handle self) {
                 const linalg::BlockMatrix& A = self.cast<const System&>().A();
                 return view(A.pattern().blocks(), A.occupiedData(), self);
             })
        .def("symmetric_blocks", [](const System& s) { return s.A().symmetricBlocks(); })
        .def("core", [](py::handle self) { return viewOf(self.cast<const System&>().frozen->core.offDiagonal, self); });
}

void bindVectors(py::class_<System>& type) {
    type.def("b", [](py::handle self) { return flat(self.cast<const System&>().frozen->b, self); })
        .def("dv", [](py::handle self) { return flat(self.cast<const System&>().frozen->deltaV, self); })
        .def("x0",
             [](py::handle self) -> py::array {
                 const System& system = self.cast<const System&>();
                 if (!system.frozen->previous.empty()) return flat(system.frozen->previous, self);
                 return py::array(py::module_::import("numpy").attr("zeros")(3 * system.A().rows()));
             })
        .def("z",
             [](const System& system) {
                 linalg::BlockVector z(system.A().rows());
                 system.frozen->constraints.prescribed(z);
                 return py::array_t<double>(3 * py::ssize_t(z.size()), z.data());
             })
        .def("constrained", [](const System& s) { return constrainedOf(s.frozen->constraints); });
}

}  // namespace

void bindSystem(py::module_& module, py::class_<Lab>& lab) {
    py::class_<System> type(module, "System");
    bindMatrix(type);
    bindVectors(type);
    type.def("rows", [](const System& s) { return s.A().rows(); })
        .def("step", [](const System& s) { return s.frozen->step; })
        .def("dt", [](const System& s) { return s.frozen->dt; });
    lab.def("system", [](Lab& from) {
        from.between();
        System out{from.system()};
        if (out.frozen) return out;
        if (!from.keepsSystem()) throw Failure("system: this simulation was made with keep_system=False");
        throw Failure("system: the last step left no linear system: none was taken, it failed, or the method has none");
    });
}

}  // namespace clothlab::python
