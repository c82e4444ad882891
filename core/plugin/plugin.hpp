#pragma once

#include <cstdint>

#include "preconditioners/catalogue.hpp"
#include "solvers/catalogue.hpp"

/// A plug-in is a third-party shared library that adds solvers and preconditioners to the running program:
///
///     clothlab::Expected<void> enter() {
///         if (auto kind = clothlab::solvers::addSolver({.key = "mine", ...}); !kind) return fail(kind.error());
///         return {};
///     }
///     CLOTHLAB_PLUGIN(enter)
///
/// There is one catalogue, that of the program. So a plug-in is compiled against these headers but not linked with our
/// libraries: their symbols are found in the program at load time, which exports the names of linalg, factors,
/// preconditioners, solvers and WorkerPool (app/plugin_symbols.list). An unknown name ends the loading with that name.
///
/// Both sides must see the same classes. C++ does not check that, so a plug-in carries an `About`, and one of another
/// version, interface or layout is refused before any of its code runs, except its own static initializers.
namespace clothlab::plugin {

/// Grows with each change that sizes do not show: a virtual function, the meaning of a member.
inline constexpr std::uint32_t kInterface = 2;

/// Sizes of the exchanged types as one number, which another compiler, instruction set or Eigen changes, as does a new
/// member.
constexpr std::uint32_t layout() {
    std::uint32_t hash = 2166136261u;  // FNV-1a
    for (const std::size_t size :
         {sizeof(std::string), sizeof(std::function<void()>), sizeof(preconditioners::PreconditionerEntry),
          sizeof(preconditioners::PreconditionerSettings), sizeof(preconditioners::PreconditionerTraits),
          sizeof(preconditioners::UpdateInput), sizeof(preconditioners::Outcome), sizeof(solvers::SolverEntry),
          sizeof(solvers::SolverTraits), sizeof(solvers::SolverSettings), sizeof(solvers::SolveSummary),
          sizeof(solvers::SolveControl), sizeof(linalg::LinearSystem), sizeof(linalg::BlockMatrix),
          sizeof(linalg::BlockVector), sizeof(WorkerPool), std::size_t(EIGEN_MAX_ALIGN_BYTES),
          std::size_t(EIGEN_WORLD_VERSION), std::size_t(EIGEN_MAJOR_VERSION)})
        hash = (hash ^ std::uint32_t(size)) * 16777619u;
    return hash;
}

/// Identifies a plug-in. `interface` and `version` never move, so that messages can name an old one.
struct About {
    std::uint32_t interface;  ///< kInterface
    std::uint32_t layout;     ///< layout()
    const char* version;      ///< of Clothlab, "0.1.0"
    Expected<void> (*enter)();
};

/// The one function that a plug-in exports, and its name.
using Exported = const About*();
inline constexpr const char* kExported = "clothlab_plugin";

}  // namespace clothlab::plugin

/// Makes the library a plug-in. `enter` is called once, when it is loaded; its Error is shown, and everything it added
/// before that stays. CLOTHLAB_VERSION comes with the target `clothlab::plugin`.
#define CLOTHLAB_PLUGIN(enter)                                                                                   \
    extern "C" __attribute__((visibility("default"))) const clothlab::plugin::About* clothlab_plugin() {         \
        static constexpr clothlab::plugin::About about{clothlab::plugin::kInterface, clothlab::plugin::layout(), \
                                                       CLOTHLAB_VERSION, enter};                                 \
        return &about;                                                                                           \
    }
