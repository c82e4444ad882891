#pragma once

#include <array>

#include "papers/stepped_system.hpp"

/// Common parts of the tables of [Y] (Ye, Webber, Wang 2009), and the tables.
namespace clothlab::papers::ye {

inline constexpr double kTolerance = 1e-3;                    ///< assumed: the paper prints none
inline constexpr std::array kStiffness{60.0, 600.0, 6000.0};  ///< N/m, of the stretch springs

Method conjugateGradients(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner);

/// The paper's starting point: MPCG with the diagonal.
Method mpcg();

/// The paper's method: conjugate gradients on the reduced system with the matrix core.
Method corePcg();

/// The implementation of a method: its own solver, or PlainMpcg in its place, for MPCG with Jacobi.
enum class Kernel : int { Ours, Plain };
std::unique_ptr<solvers::Solver> buildSolver(const Method& method, Kernel kernel);

Method direct(solvers::SolverKind solver, solvers::DirectForm form,
              solvers::Factorization factorization = solvers::Factorization::Supernodal);

/// A sheet, its step and its stretch springs; steps fast.
std::vector<std::string> meshSettings(int side, double dtMs, double stiffness);

std::span<const PaperTable> tables();

Expected<Reproduction> table1(Job& job);
Expected<Reproduction> table2(Job& job);
Expected<Reproduction> section3Basis(Job& job);
Expected<Reproduction> section6Imex(Job& job);
Expected<Reproduction> figure1(Job& job);
Expected<Reproduction> figure4(Job& job);
Expected<Reproduction> section7(Job& job);

}  // namespace clothlab::papers::ye
