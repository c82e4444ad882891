#include "experiments/systems/quadratic_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "preconditioners/kind.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/kind.hpp"
#include "solvers/solver.hpp"

namespace clothlab::experiments {
namespace {

PlaneIterate at(const QuadraticForm& form, const Plane& x, double alpha, double beta) {
    return {x, alpha, beta, form.residual(x).norm(), form.energyError(x)};
}

/// [C] (18), (21).
PlaneIterate descend(const QuadraticForm& form, const Plane& x) {
    const Plane r = form.residual(x);
    const double alpha = r.dot(r) / r.dot(form.A * r);
    return at(form, x + alpha * r, alpha, 0);
}

/// [C] (28) to (32): u = e1, e2; d1 = e2 - (e2.A d0 / d0.A d0) d0.
std::vector<PlaneIterate> alongAxes(const QuadraticForm& form, const Plane& start) {
    const Plane d0 = Plane::UnitX();
    const double beta = -form.A(1, 0) / form.A(0, 0);
    std::vector<PlaneIterate> out{at(form, start, 0, 0)};
    for (const auto& [d, b] : {std::pair<Plane, double>{d0, 0}, {Plane::UnitY() + beta * d0, beta}}) {
        const Plane& x = out.back().x;
        const double alpha = d.dot(form.residual(x)) / d.dot(form.A * d);
        out.push_back(at(form, x + alpha * d, alpha, b));
    }
    return out;
}

/// Solves for x - start, with the third unknown at rest.
std::vector<PlaneIterate> withTheSolver(const QuadraticForm& form, const Plane& start,
                                        preconditioners::PreconditionerKind kind, int most) {
    linalg::FrozenSystem system;
    system.A.reset(linalg::makePattern(1, std::span<const std::pair<Index, Index>>{}));
    system.A.diagonal(0) = Mat3::Identity();
    system.A.diagonal(0).topLeftCorner<2, 2>() = form.A;
    const Plane r = form.residual(start);
    system.b.resize(1);
    system.b[0] = Vec3(r[0], r[1], 0);
    system.constraints.reset(1);
    std::vector<PlaneIterate> out;
    double betaBefore = 0;  // the observer has the beta of the direction to come
    const solvers::Observer observer = [&](const solvers::Iterate& it) {
        out.push_back(at(form, start + it.x[0].head<2>(), it.alpha, betaBefore));
        betaBefore = it.beta;
    };
    linalg::BlockVector e;
    solvers::SolveSummary summary;  // the iterates say how it went
    WorkerPool pool;
    solvers::makeSolver(
        {.kind = solvers::SolverKind::ReducedPcg, .tolerance = 1e-12, .maxIterations = most, .warmStart = false},
        {.kind = kind})
        ->solve(system.view(), e, summary, {.observer = observer}, pool);
    return out;
}

}  // namespace

std::string QuadraticForm::refusal() const {
    const PlaneSpectrum s = spectrum();
    if (s.positive()) return {};
    const char* shape = s.values[0] < 0 ? "Along the eigenvector of the negative eigenvalue f falls without bound"
                                        : "Along the eigenvector of the zero eigenvalue f is a trough";
    return fmt::format(
        "Not positive definite: λ = {:.3g}, {:.3g}.\n{}, so f has no minimum. A wants a₁₁ > 0 and a₁₁ a₂₂ "
        "> a₁₂².",
        s.values[0], s.values[1], shape);
}

std::vector<PlaneIterate> iterates(const QuadraticForm& form, PlaneMethod method, const Plane& start, double enough,
                                   int most) {
    if (!form.refusal().empty()) return {{.x = start, .residual = form.residual(start).norm()}};
    std::vector<PlaneIterate> out{at(form, start, 0, 0)};
    const double end = enough * out.front().energyError;
    switch (method) {
        case PlaneMethod::SteepestDescent:
            while (out.back().energyError > end && int(out.size()) <= most) out.push_back(descend(form, out.back().x));
            return out;
        case PlaneMethod::ConjugateDirections:
            out = alongAxes(form, start);
            break;
        case PlaneMethod::ConjugateGradients:
            out = withTheSolver(form, start, preconditioners::PreconditionerKind::Identity, most);
            break;
        case PlaneMethod::JacobiGradients:
            out = withTheSolver(form, start, preconditioners::PreconditionerKind::Jacobi, most);
            break;
    }
    if (out.empty()) out.push_back(at(form, start, 0, 0));
    const auto arrived =
        std::find_if(out.begin(), out.end(), [&](const PlaneIterate& it) { return it.energyError <= end; });
    if (arrived != out.end()) out.erase(arrived + 1, out.end());
    return out;
}

double errorBound(PlaneMethod method, double condition, int k) {
    const bool descent = method == PlaneMethod::SteepestDescent;
    const double c = descent ? condition : std::sqrt(condition);
    return (descent ? 1 : 2) * std::pow((c - 1) / (c + 1), k);
}

std::span<const PlaneExample> planeExamples() {
    const auto form = [](double a11, double a12, double a22, const Plane& solution) {
        QuadraticForm f{(Eigen::Matrix2d() << a11, a12, a12, a22).finished(), {}};
        f.b = f.A * solution;
        return f;
    };
    static const std::array kExamples{
        PlaneExample{{0, "shewchuk", "Shewchuk's form",
                      "Eigenvalues 2 and 7. From here every method shows all its steps: steepest descent zigzags."},
                     form(3, 2, 6, {2, -2}),
                     {-2, 2}},
        PlaneExample{{1, "chen", "The same from Chen, figure 2",
                      "The start has the x2 of the solution, so conjugate directions arrive in one step and the second "
                      "direction is not needed."},
                     form(3, 2, 6, {2, -2}),
                     {-2, -2}},
        PlaneExample{
            {2, "round", "Round",
             "Condition 1: the residual points at the solution, and every method arrives in one or two steps."},
            form(3, 0, 3, {1, -1}),
            {-2, 2}},
        PlaneExample{{3, "ill-conditioned", "Ill-conditioned",
                      "Condition 19, a narrow valley at 45 degrees: steepest descent zigzags. The diagonal of A is "
                      "constant, so Jacobi changes nothing."},
                     form(10, 9, 10, {1, -1}),
                     {-2.2, 2.7}},
        PlaneExample{{4, "badly-scaled", "Badly scaled",
                      "Condition 40, all of it from the scales of the two unknowns: Jacobi brings it to 1.2, and its "
                      "first step nearly arrives."},
                     form(1, 0.5, 40, {2, -1}),
                     {-3, -0.85}},
        PlaneExample{
            {5, "diagonal", "Diagonal", "Axes along the coordinates: Jacobi is the inverse, and arrives in one step."},
            form(1, 0, 9, {2, -1}),
            {-3, 0.2}},
        PlaneExample{
            {6, "saddle", "Saddle", "Not positive definite: solvers must refuse it."}, form(2, 3, 1, {0, 0}), {-2, 1}}};
    return kExamples;
}

}  // namespace clothlab::experiments
