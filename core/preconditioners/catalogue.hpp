#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/look.hpp"
#include "preconditioners/preconditioner.hpp"
#include "preconditioners/settings.hpp"
#include "preconditioners/traits.hpp"

/// The catalogue of preconditioners: one row says all that the rest of the program asks about a kind, so that nothing
/// else switches over kinds.
namespace clothlab::preconditioners {

/// What a method factors, by which a race puts the dear ones last.
enum class Cost : int { NoCompleteFactor, OfPartOrEarlierMatrix, OfMatrix };

struct PreconditionerEntry {
    PreconditionerKind kind;
    std::string_view key, label, help;
    std::string_view source = {};  ///< the section of docs/methods that says how it works, and where it comes from
    Look look;
    Cost cost = Cost::NoCompleteFactor;
    /// The keys of the settings that mean something, in the order in which a reader wants them; null = none.
    std::vector<std::string_view> (*parameters)(const PreconditionerSettings&) = nullptr;
    PreconditionerTraits (*traits)(const PreconditionerSettings&) = nullptr;  ///< null = the defaults
    std::unique_ptr<Preconditioner> (*make)(const PreconditionerSettings&);
    /// What races in rows of its own beside the defaults; null = nothing.
    std::vector<PreconditionerSettings> (*variants)() = nullptr;
};

/// Row k is of the kind with value k.
std::span<const PreconditionerEntry> catalogue();
const PreconditionerEntry& entryOf(PreconditionerKind kind);

std::unique_ptr<Preconditioner> makePreconditioner(const PreconditionerSettings& settings);
PreconditionerTraits traitsOf(const PreconditionerSettings& settings);
/// The keys that mean something with these settings: what a panel shows, and by what a race tells variants apart.
std::vector<std::string_view> parametersOf(const PreconditionerSettings& settings);
/// Settings of this kind that differ from its defaults and are worth a row in a race.
std::vector<PreconditionerSettings> variantsOf(PreconditionerKind kind);

}  // namespace clothlab::preconditioners
