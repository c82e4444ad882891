#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "base/look.hpp"
#include "solvers/method.hpp"
#include "solvers/solver.hpp"

/// The catalogue of solvers: one entry says all that the rest of the program asks about a kind, so that nothing else
/// switches over kinds. The process has one, and it is open: `addSolver` (base/catalogue/open_table.hpp).
namespace clothlab::solvers {

/// Why a solver makes no sense with a preconditioner; without a reason it does.
struct Refusal {
    std::string_view key = {};  ///< of the setting at fault: "preconditioner.kind"
    std::string reason = {};    ///< a sentence for the user
};

struct SolverTraits {
    bool needsPreconditioner = false;
    bool iterates = false;  ///< towards the tolerance, as those do that need a preconditioner; else it is a direct one
    bool factorsCompletely = false;     ///< parts of the matrix, although it iterates: costly where a sheet is large
    bool takesSinglePrecision = false;  ///< may keep the matrix so: `matrix_precision` and `matrix_storage` count
    bool bitwiseReproducible = true;    ///< the same bits at any number of threads, on every machine of a kind
};

/// Its functions are called from any thread and do not throw.
struct SolverEntry {
    SolverKind kind = {};          ///< of an entry that is added: given by the catalogue
    std::string key, label, help;  ///< an empty label becomes the key
    std::string source = {};       ///< the section of docs/methods that says how it works, and where it comes from
    std::string system = {};       ///< which system is iterated on, for a list of several solvers
    /// With a preconditioner the colour is that one's, and a dash here wins. Of an entry that is added and leaves it
    /// so: one that is free.
    Look look = {};
    SolverTraits traits = {};
    std::vector<std::string> parameters = {};  ///< besides those of the matrix; accuracy is no part of a method
    std::function<Refusal(const preconditioners::PreconditionerSettings&)> refusal = {};  ///< empty = takes them all
    std::function<std::unique_ptr<Solver>(const Method&)> make = {};                      ///< never null
    std::vector<SolverSettings> variants = {};  ///< what races in rows of its own beside the defaults
};

/// The entries that there are by now: entry k is of the kind with value k, and stays for ever.
std::span<const SolverEntry> catalogue();
const SolverEntry& entryOf(SolverKind kind);

/// Adds a solver for the rest of the process, at any time and from any thread: it is then in files, options, lists of
/// the window and races, by its key. Nothing can be removed or replaced. Its number holds in this process alone; what
/// is written down is the key. An Error says what is wrong: a key that is malformed or taken, no `make`, a parameter
/// that is no setting.
Expected<SolverKind> addSolver(SolverEntry entry);

/// Whether what it leaves depends on the tolerance.
bool iterates(SolverKind kind);
Refusal refusalOf(const Method& method);
/// By components where the settings ask for it. What is refused becomes a solver that says so at every solve.
std::unique_ptr<Solver> makeSolver(const Method& method);
/// The keys that mean something to the solver that is chosen: how a direct one factors, how CG solvers keep the matrix.
std::vector<std::string_view> parametersOf(const SolverSettings& settings);

}  // namespace clothlab::solvers
