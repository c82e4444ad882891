#pragma once

#include "cloth/forces.hpp"

/// Forces, A and b spring by spring from the formulas of the papers, with directions, lengths and whole matrices:
/// slow, plain, and sharing no code with core/cloth.
namespace clothlab::cloth::twin {

struct System {
    linalg::BlockMatrix A;
    linalg::BlockVector b, f;
};

System assemble(const ClothModel& model, std::span<const MaterialSettings> materials, const ImplicitSplit& split,
                const Environment& env, const linalg::BlockVector& x, const linalg::BlockVector& v,
                const linalg::BlockVector& u, const AssemblyCoefficients& c,
                std::shared_ptr<const linalg::BlockPattern> pattern);

}  // namespace clothlab::cloth::twin
