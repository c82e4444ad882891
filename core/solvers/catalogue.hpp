#pragma once

#include <functional>

#include "base/look.hpp"
#include "solvers/method.hpp"
#include "solvers/solver.hpp"

/// The catalogue of solvers: one entry says all that the rest of the program asks about a kind, so that nothing else
/// switches over kinds. A program has one: the names in files, the lists of the window and what makes solvers must
/// agree. It is the built-in one unless `main` hands over another, and is fixed from its first use on.
namespace clothlab::solvers {

/// Why a solver makes no sense with a preconditioner; without a reason it does.
struct Refusal {
    std::string_view key = {};  ///< of the setting at fault: "preconditioner.kind"
    std::string reason = {};    ///< a sentence for the user
};

struct SolverTraits {
    bool needsPreconditioner = false;
    bool takesSinglePrecision = false;  ///< may keep the matrix in single precision: `matrix_precision` means something
    bool bitwiseReproducible = true;    ///< the same bits at any number of threads, on every machine of a kind
};

struct SolverEntry {
    SolverKind kind = {};
    std::string_view key, label, help;
    std::string_view source = {};  ///< the section of docs/methods that says how it works, and where it comes from
    std::string_view system = {};  ///< which system is iterated on, where solvers stand in one list
    Look look = {};                ///< with a preconditioner the colour is that one's, and a dash here wins
    SolverTraits traits = {};
    std::vector<std::string_view> parameters = {};  ///< besides `matrix_precision`; accuracy is no part of a method
    std::function<Refusal(const preconditioners::PreconditionerSettings&)> refusal = {};  ///< empty = takes them all
    std::function<std::unique_ptr<Solver>(const Method&)> make = {};
    std::vector<SolverSettings> variants = {};  ///< what races in rows of its own beside the defaults
};

class Catalogue {
public:
    explicit Catalogue(std::vector<SolverEntry> entries) : entries_(std::move(entries)) {}

    const std::vector<SolverEntry>& entries() const { return entries_; }
    /// Null = none of this kind.
    const SolverEntry* find(SolverKind kind) const;
    const SolverEntry& of(SolverKind kind) const;
    /// This catalogue with one entry more, or another one for its kind.
    Catalogue with(SolverEntry entry) const;

    bool usesPreconditioner(SolverKind kind) const {
        const SolverEntry* entry = find(kind);
        return entry && entry->traits.needsPreconditioner;
    }
    Refusal refusal(const Method& method) const;
    /// By components where the settings ask for it. What is refused becomes a solver that says so at every solve.
    std::unique_ptr<Solver> make(const Method& method) const;

private:
    std::vector<SolverEntry> entries_;
};

/// The methods that this library brings along.
const Catalogue& builtInCatalogue();
/// The catalogue of the program.
const Catalogue& catalogue();
/// Hands over the catalogue of the program, before anything reads a name of a solver and before a second thread starts.
/// False: too late, the catalogue is in use, and it stays as it is.
[[nodiscard]] bool useCatalogue(Catalogue catalogue);

inline std::unique_ptr<Solver> makeSolver(const Method& method) { return catalogue().make(method); }
/// The keys that mean something to the solver that is chosen: how a direct one factors, how CG solvers keep the matrix.
std::vector<std::string_view> parametersOf(const SolverSettings& settings);

}  // namespace clothlab::solvers
