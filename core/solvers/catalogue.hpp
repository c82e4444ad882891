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

/// The catalogue of solvers: one entry has all properties of a kind, so that no other code switches over kinds. There
/// is one per process, and it is open: `addSolver` (base/catalogue/open_table.hpp).
namespace clothlab::solvers {

/// Why a solver cannot be used with a preconditioner; an empty reason means it can.
struct Refusal {
    std::string_view key = {};  ///< of the setting at fault: "preconditioner.kind"
    std::string reason = {};    ///< a sentence for the user
};

struct SolverTraits {
    bool needsPreconditioner = false;
    bool iterates = false;  ///< towards the tolerance, like those that need a preconditioner; otherwise it is direct
    bool factorsCompletely = false;     ///< parts of the matrix, although it iterates: costly for large sheets
    bool takesSinglePrecision = false;  ///< of the matrix: `matrix_precision` and `matrix_storage` apply
    bool bitwiseReproducible = true;    ///< the same bits at any number of threads, on every machine of a kind
};

/// Its functions are called from any thread and do not throw.
struct SolverEntry {
    SolverKind kind = {};          ///< of an entry that is added: given by the catalogue
    std::string key, label, help;  ///< an empty label becomes the key
    std::string source = {};       ///< its section of docs/methods, and its origin
    std::string system = {};       ///< the system iterated on, for a list of several solvers
    /// With a preconditioner the colour is the preconditioner's, and a dash here wins. An added entry without a plot
    /// style gets a free one.
    Look look = {};
    SolverTraits traits = {};
    std::vector<std::string> parameters = {};  ///< besides those of the matrix; accuracy is not part of a method
    std::function<Refusal(const preconditioners::PreconditionerSettings&)> refusal = {};  ///< empty = works with all
    std::function<std::unique_ptr<Solver>(const Method&)> make = {};                      ///< never null
    std::vector<SolverSettings> variants = {};  ///< further settings with their own rows in a race
};

/// The current entries: entry k is of the kind with value k, and is permanent.
std::span<const SolverEntry> catalogue();
const SolverEntry& entryFor(SolverKind kind);

/// Adds a solver for the rest of the process, at any time and from any thread: files, options, lists of the window and
/// races then have it by its key. Nothing can be removed or replaced. Its number is valid in this process only; files
/// store the key. An Error gives the fault: a key that is malformed or taken, no `make`, a parameter that is no
/// setting.
Expected<SolverKind> addSolver(SolverEntry entry);

/// Whether its accuracy depends on the tolerance.
bool iterates(SolverKind kind);
Refusal findRefusal(const Method& method);
/// By components if the settings say so. A refused method becomes a solver that says so at every solve.
std::unique_ptr<Solver> makeSolver(const Method& method);
/// The keys that apply to the chosen solver: factorization of direct ones, matrix storage of CG solvers.
std::vector<std::string_view> activeParameters(const SolverSettings& settings);

}  // namespace clothlab::solvers
