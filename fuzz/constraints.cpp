#include <cmath>

#include "experiments/systems/constraints_file.hpp"
#include "messages.hpp"

using namespace clothlab;

/// constraints.json of a system of four particles. An accepted one is a filter: S S = S, and S z = 0.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(fuzz::asText(data, size));
    const auto constraints = experiments::readConstraints(text, "fuzz.json", 4);
    if (!constraints) {
        fuzz::checkMessage(constraints.error(), text);
        return 0;
    }
    Index last = -1;
    for (const linalg::DofConstraint& c : constraints->constrained()) {
        fuzz::require(c.particle > last && c.particle < 4, "each particle once, in order");
        last = c.particle;
        const Mat3 S = c.S();
        fuzz::require((S * S - S).norm() < 1e-9 && std::abs(S.trace() - c.ndof) < 1e-9,
                      "S projects onto ndof directions");
        fuzz::require((S * c.z).norm() <= 1e-9 * (1e-300 + c.z.norm()), "z lies in the removed directions");
    }
    return 0;
}
