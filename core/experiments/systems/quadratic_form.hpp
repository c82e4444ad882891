#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "base/enum_table.hpp"

/// Two unknowns, for pictures: A x = b as the minimum of f(x) = 1/2 x.Ax - b.x, whose contours are ellipses about x*
/// with their axes along the eigenvectors of A and half axes in the ratio sqrt(l2) : sqrt(l1). The iterates of the
/// methods of [C] section 3 (after Shewchuk) can be drawn on them. All numbers are dimensionless.
namespace clothlab::experiments {

using Plane = Eigen::Vector2d;

/// Eigenvalues ascending, unit eigenvectors in the columns.
struct PlaneSpectrum {
    Eigen::Vector2d values;
    Eigen::Matrix2d axes;

    bool positive() const;
    double condition() const { return values[1] / values[0]; }  ///< of a positive definite matrix
};

struct QuadraticForm {
    Eigen::Matrix2d A = Eigen::Matrix2d::Identity();  ///< symmetric
    Plane b = Plane::Zero();

    bool operator==(const QuadraticForm&) const = default;

    double value(const Plane& x) const { return 0.5 * x.dot(A * x) - b.dot(x); }
    Plane residual(const Plane& x) const { return b - A * x; }  ///< = -grad f
    /// x*, where the gradient vanishes: the minimum when A is positive definite. A must be regular.
    Plane stationary() const;
    /// |x - x*|_A, for a positive definite A.
    double energyError(const Plane& x) const;
    PlaneSpectrum spectrum() const;
    /// The spectrum of D^-1/2 A D^-1/2, which has the eigenvalues of D^-1 A; the diagonal must be positive.
    PlaneSpectrum jacobiSpectrum() const;
    /// Why f has no single minimum, as a sentence; empty if A is positive definite.
    std::string refusal() const;
};

enum class PlaneMethod { SteepestDescent, ConjugateDirections, ConjugateGradients, JacobiGradients };
inline constexpr std::array kPlaneMethods{
    EnumEntry{int(PlaneMethod::SteepestDescent), "steepest-descent", "Steepest descent",
              "Along the residual, as far as f falls: the next residual is perpendicular to it."},
    EnumEntry{int(PlaneMethod::ConjugateDirections), "conjugate-directions", "Conjugate directions",
              "Along the coordinate axes, made A-conjugate by Gram-Schmidt: arrives in two steps from any start."},
    EnumEntry{
        int(PlaneMethod::ConjugateGradients), "conjugate-gradients", "Conjugate gradients",
        "Along residuals, made A-conjugate with one coefficient: arrives in two steps. This solver moves the cloth."},
    EnumEntry{int(PlaneMethod::JacobiGradients), "jacobi-gradients", "CG with Jacobi",
              "Conjugate gradients with the diagonal of A as preconditioner: the first step goes along D^-1 r."}};
constexpr std::span<const EnumEntry> enumTable(PlaneMethod) { return kPlaneMethods; }

struct PlaneIterate {
    Plane x;
    double alpha = 0;  ///< of the step that led here
    double beta =
        0;  ///< in the direction of that step: d = r + beta d_before; zero in a first step and in steepest descent
    double residual = 0;     ///< |b - A x|
    double energyError = 0;  ///< |x - x*|_A
};

/// A method has arrived when |x - x*|_A is this share of its start.
inline constexpr double kPlaneEnough = 1e-6;

/// The iterates from the start until |x - x*|_A is `enough` of its start, at most `most` steps; only the start if there
/// is no minimum. Conjugate gradients are those of the program: the form is the block of one particle whose third
/// unknown is fixed.
std::vector<PlaneIterate> iterates(const QuadraticForm& form, PlaneMethod method, const Plane& start,
                                   double enough = kPlaneEnough, int most = 200);

/// An upper bound of |x_k - x*|_A as a share of its start: ((c - 1)/(c + 1))^k for steepest descent,
/// 2 ((sqrt c - 1)/(sqrt c + 1))^k for conjugate gradients; [C] (24) with its exponent corrected.
double errorBound(PlaneMethod method, double condition, int k);
/// Conjugate directions have none: their error may stay large until the last step.
constexpr bool hasErrorBound(PlaneMethod method) { return method != PlaneMethod::ConjugateDirections; }

/// Instructive forms, each with a start.
struct PlaneExample {
    EnumEntry name;
    QuadraticForm form;
    Plane start;
};
/// The first is the form of [C] figure 2, Shewchuk's, from a start at which no method arrives early; the second has his
/// start, since the paper gives none.
std::span<const PlaneExample> planeExamples();

}  // namespace clothlab::experiments
