#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/look.hpp"
#include "integrators/integrator.hpp"
#include "integrators/traits.hpp"

/// The catalogue of integrators: one row says all that the rest of the program asks about a kind, so that nothing else
/// switches over kinds.
namespace clothlab::integrators {

struct IntegratorEntry {
    IntegratorKind kind = {};
    std::string_view key, label, help;
    std::string_view source = {};  ///< the section of docs/methods that says how it works, and where it comes from
    Look look = {};
    IntegratorTraits traits = {};
    std::string_view choice = {};  ///< in a word, what its own parameters are about: "split"
    std::vector<std::string_view> parameters =
        {};                 ///< its own, besides those of the step; "table.key" of another table
    std::size_t shown = 0;  ///< so many of them are in sight where the others fold away
    std::unique_ptr<Integrator> (*make)(const IntegratorSettings&) = nullptr;
};

std::span<const IntegratorEntry> catalogue();
const IntegratorEntry& entryOf(IntegratorKind kind);

}  // namespace clothlab::integrators
