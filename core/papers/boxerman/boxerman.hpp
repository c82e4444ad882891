#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <random>

#include "papers/boxerman/scenes.hpp"
#include "papers/stepped_system.hpp"

/// What the tables of [B] Boxerman 2003 have in common.
///
/// What `tol` is decides them. The scan of §5.3.1 has "tol = ck (where k is the 2 time step)", c = 0.01: a superscript
/// has left its line, and belongs to tol or to k. All readings are measured. The thesis' exponents, its 0.7 for CP and
/// its A-Block worse than I come with the strictest, tol = c k^2, which is also of the order of a step's error, "the
/// order of accuracy" that it says it keeps; with tol^2 = c k, about 1 % of b, the exponents are half of that and
/// A-Block is better than I.
namespace clothlab::simulation::boxerman {

enum class Reading : int { TolIsCkSquared, TolIsCk, TolSquaredIsCk };
inline constexpr std::array kReadings{Reading::TolIsCkSquared, Reading::TolIsCk, Reading::TolSquaredIsCk};

double toleranceOf(Reading reading, double dt);

/// Identity, A-Block, CP: A-Block are the blocks of A itself, contacts or not.
inline constexpr std::array kPreconditioners{preconditioners::PreconditionerKind::Identity,
                                             preconditioners::PreconditionerKind::BlockJacobi,
                                             preconditioners::PreconditionerKind::ConstrainedBlock};
inline constexpr std::size_t kIdentity = 0, kABlock = 1, kConstrained = 2;

Method mpcg(double tolerance, preconditioners::PreconditionerKind preconditioner,
            solvers::MpcgVariant variant = solvers::MpcgVariant::Corrected, bool warm = true);

/// The scene steps as the thesis' do: with corrected MPCG.
void stepWith(scene::Scene& scene, double dt, const Method& method);

/// Of the grid of §5.3.1, which chapter 6 uses too: all but configuration, size and spacing.
/// `pick` chooses one of the values of a parameter.
Cloth drawnOfSection531(const std::function<double(std::initializer_list<double>)>& pick);

/// Side, spacing, material, drag and step: for the line that a file of sets keeps.
records::Entries entriesOf(const Cloth& cloth);

/// One of the 500 sets of parameters of an experiment of §5.3.1, run for a second.
struct SetResult {
    int side = 0;
    double numericalStiffness = 0;                      ///< (4.8): (k/m)(k k_s + 2 k_d), of the stretch springs
    int systems = 0;                                    ///< that were solved with each preconditioner
    double constrained = 0;                             ///< share of the particles that are
    std::array<std::array<double, 3>, 3> iterations{};  ///< means; by reading, then preconditioner
    std::array<double, 3> milliseconds{};               ///< of a solve by the first reading, mean
    bool diverged = false;                              ///< the guard ended it; its systems up to there count
};

struct SetResults {
    std::vector<SetResult> sets;
    int planned = 0;
    bool stopped = false;  ///< on request: `sets` are those that were done
};

enum class Scenario : int { TwoCorners, SlidingSphere };

/// Runs the sets one after the other. The sizes take turns; the other parameters are drawn once for each round of
/// sizes, so that sizes are compared on the same cloths. Stopped before the first set is done, it is an Error.
Expected<SetResults> runSets(Scenario scenario, const ReproduceOptions& options, const ReproduceControl& control);

}  // namespace clothlab::simulation::boxerman
