#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/look.hpp"
#include "preconditioners/preconditioner.hpp"
#include "preconditioners/settings.hpp"
#include "preconditioners/traits.hpp"

/// The catalogue of preconditioners: one entry has all properties of a kind, so that no other code switches over kinds.
/// There is one per process, and it is open: `addPreconditioner` (base/catalogue/open_table.hpp).
namespace clothlab::preconditioners {

/// The factorization cost of a method: races run expensive ones last.
enum class Cost : int { NoCompleteFactor, OfPartOrEarlierMatrix, OfMatrix };

/// Its functions are called from any thread and do not throw.
struct PreconditionerEntry {
    PreconditionerKind kind = {};  ///< of an entry that is added: given by the catalogue
    std::string key, label, help;  ///< an empty label becomes the key
    std::string source = {};       ///< its section of docs/methods, and its origin
    Look look = {};                ///< plot style; an added entry without one gets a free one
    Cost cost = Cost::NoCompleteFactor;
    /// The keys of the settings that apply, in the order of display; empty = none. They are members of
    /// PreconditionerSettings, with text that lives as long as the process.
    std::function<std::vector<std::string_view>(const PreconditionerSettings&)> parameters = {};
    std::function<PreconditionerTraits(const PreconditionerSettings&)> traits = {};           ///< empty = the defaults
    std::function<std::unique_ptr<Preconditioner>(const PreconditionerSettings&)> make = {};  ///< never null
    /// Further settings with their own rows in a race; empty = none.
    std::function<std::vector<PreconditionerSettings>()> variants = {};
};

/// The current entries: entry k is of the kind with value k, and is permanent.
std::span<const PreconditionerEntry> catalogue();
const PreconditionerEntry& entryFor(PreconditionerKind kind);
/// Whether it is part of the library; false = it was added.
bool isBuiltIn(PreconditionerKind kind);

/// Adds a preconditioner for the rest of the process, at any time and from any thread: files, options, lists of the
/// window and races then have it by its key. Nothing can be removed or replaced. Its number is valid in this process
/// only; files store the key. An Error gives the fault: a key that is malformed or taken, no `make`, a parameter that
/// is no setting.
Expected<PreconditionerKind> addPreconditioner(PreconditionerEntry entry);

std::unique_ptr<Preconditioner> makePreconditioner(const PreconditionerSettings& settings);
PreconditionerTraits traitsFor(const PreconditionerSettings& settings);
/// The keys that apply with these settings: for panels, and to tell variants of a race apart.
std::vector<std::string_view> activeParameters(const PreconditionerSettings& settings);
/// Settings of this kind that differ from its defaults and are worth a row in a race.
std::vector<PreconditionerSettings> listVariants(PreconditionerKind kind);

}  // namespace clothlab::preconditioners
