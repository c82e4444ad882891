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

/// The catalogue of preconditioners: one entry says all that the rest of the program asks about a kind, so that nothing
/// else switches over kinds. The process has one, and it is open: `addPreconditioner` (base/catalogue/open_table.hpp).
namespace clothlab::preconditioners {

/// What a method factors, by which a race puts the dear ones last.
enum class Cost : int { NoCompleteFactor, OfPartOrEarlierMatrix, OfMatrix };

/// Its functions are called from any thread and do not throw.
struct PreconditionerEntry {
    PreconditionerKind kind = {};  ///< of an entry that is added: given by the catalogue
    std::string key, label, help;  ///< an empty label becomes the key
    std::string source = {};       ///< the section of docs/methods that says how it works, and where it comes from
    Look look = {};                ///< of an entry that is added and leaves it so: one that is free
    Cost cost = Cost::NoCompleteFactor;
    /// The keys of the settings that mean something, in the order in which a reader wants them; empty = none. They are
    /// members of PreconditionerSettings, and text that lives as long as the process.
    std::function<std::vector<std::string_view>(const PreconditionerSettings&)> parameters = {};
    std::function<PreconditionerTraits(const PreconditionerSettings&)> traits = {};           ///< empty = the defaults
    std::function<std::unique_ptr<Preconditioner>(const PreconditionerSettings&)> make = {};  ///< never null
    /// What races in rows of its own beside the defaults; empty = nothing.
    std::function<std::vector<PreconditionerSettings>()> variants = {};
};

/// The entries that there are by now: entry k is of the kind with value k, and stays for ever.
std::span<const PreconditionerEntry> catalogue();
const PreconditionerEntry& entryOf(PreconditionerKind kind);
/// Whether the library brings it along; false = it was added.
bool isBuiltIn(PreconditionerKind kind);

/// Adds a preconditioner for the rest of the process, at any time and from any thread: it is then in files, options,
/// lists of the window and races, by its key. Nothing can be removed or replaced. Its number holds in this process
/// alone; what is written down is the key. An Error says what is wrong: a key that is malformed or taken, no `make`, a
/// parameter that is no setting.
Expected<PreconditionerKind> addPreconditioner(PreconditionerEntry entry);

std::unique_ptr<Preconditioner> makePreconditioner(const PreconditionerSettings& settings);
PreconditionerTraits traitsOf(const PreconditionerSettings& settings);
/// The keys that mean something with these settings: what a panel shows, and by what a race tells variants apart.
std::vector<std::string_view> parametersOf(const PreconditionerSettings& settings);
/// Settings of this kind that differ from its defaults and are worth a row in a race.
std::vector<PreconditionerSettings> variantsOf(PreconditionerKind kind);

}  // namespace clothlab::preconditioners
