#pragma once

#include <array>
#include <functional>
#include <initializer_list>

#include "papers/boxerman/scenes.hpp"
#include "papers/boxerman/tables.hpp"
#include "papers/set_experiment.hpp"
#include "papers/stepped_system.hpp"

/// Common parts of the tables of [B] Boxerman 2003.
///
/// They depend on the meaning of `tol`. The scan of [B] §5.3.1 has "tol = ck (where k is the 2 time step)", c = 0.01: a
/// superscript has slipped off its line, and belongs to tol or to k. All readings are measured. The thesis' exponents,
/// its 0.7 for CP and its A-Block worse than I appear with the strictest, tol = c k^2, which is also of the order of a
/// step's error, "the order of accuracy" that it claims to keep; with tol^2 = c k, about 1 % of b, the exponents are
/// half of that and A-Block is better than I.
namespace clothlab::papers::boxerman {

enum class Reading : int { TolIsCkSquared, TolIsCk, TolSquaredIsCk };
inline constexpr std::array kReadings{Reading::TolIsCkSquared, Reading::TolIsCk, Reading::TolSquaredIsCk};

/// The name of each reading: in the keys of a file of sets, and as a suffix of those of a table.
inline constexpr std::array kReadingKeys{"ck2", "ck", "ck_of_tol2"};
inline constexpr std::array kReadingSuffixes{"", "_at_tol_ck", "_at_tol2_ck"};

double computeTolerance(Reading reading, double dt);

/// Identity, A-Block, CP: A-Block are the blocks of A itself, contacts or not.
extern const std::array<preconditioners::PreconditionerKind, 3> kPreconditioners;
inline constexpr std::size_t kIdentity = 0, kABlock = 1, kConstrained = 2;

Method mpcg(double tolerance, preconditioners::PreconditionerKind preconditioner,
            solvers::MpcgVariant variant = solvers::MpcgVariant::Corrected, bool warm = true);

/// Steps the scene as in the thesis: with corrected MPCG.
void stepWith(scene::Scene& scene, double dt, const Method& method);

/// A cloth of the grid of [B] §5.3.1, which chapter 6 uses too: all but configuration, size and spacing.
/// `pick` chooses one of the values of a parameter.
Cloth drawnOfSection531(const std::function<double(std::initializer_list<double>)>& pick);

/// Three amounts: the thesis', that of --quick, that of a test.
using Amounts = std::array<int, 3>;
/// Sheets of 5 to 80 particles per side; fewer sizes, or two, on request. One second each, less in a test.
Extent growingSheets(const Job& job, const Amounts& sets, const Amounts& samples, double testSeconds);

/// Side, spacing, material, drag and step: for its line in a file of sets.
records::Entries toEntries(const Cloth& cloth);

/// 500 random sets of it, run for a second, and some of their systems solved by all readings and preconditioners. The
/// figures define what is shown of them.
SetExperiment setsOfSection531(Scenario scenario, Job& job);

/// Keys of the values of a set of [B] §5.3.1: means over its systems.
std::string iterationsKey(std::size_t reading, std::size_t preconditioner);
std::string millisecondsKey(std::size_t preconditioner);  ///< of a solve by the first reading

}  // namespace clothlab::papers::boxerman
