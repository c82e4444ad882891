#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/look.hpp"
#include "integrators/integrator.hpp"
#include "integrators/traits.hpp"

/// The catalogue of integrators: one row has all properties of a kind, so that no other code switches over kinds.
namespace clothlab::integrators {

struct IntegratorEntry {
    IntegratorKind kind = {};
    std::string_view key, label, help;
    std::string_view source = {};  ///< its section of docs/methods, and its origin
    Look look = {};
    IntegratorTraits traits = {};
    std::string_view choice = {};  ///< one word for its own parameters: "split"
    std::vector<std::string_view> parameters =
        {};                 ///< its own parameters, besides those of the step; "table.key" of another table
    std::size_t shown = 0;  ///< number of them shown where the others are folded
    std::unique_ptr<Integrator> (*make)(const IntegratorSettings&) = nullptr;
};

std::span<const IntegratorEntry> catalogue();
const IntegratorEntry& entryFor(IntegratorKind kind);

}  // namespace clothlab::integrators
