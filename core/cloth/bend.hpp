#pragma once

#include "cloth/material.hpp"

/// Immediate buckling: a bend spring of rest length L that is shortened to the chord l = s L bends into a circular arc
/// of the same length ([B] §3.2.2, Choi and Ko).
///
///             _.-'''''-._              L: length of the arc
///          .-'           '-.
///       i o- - - - - - - - -o j        l: length of d = x_j - x_i
///           '.     |     .'
///             '. u | u .'              2 u: angle of the arc
///               '. | .'
///                 '|'
///
///        w = u^2,  s = sinc(u) = sin(u) / u,  u in [0, pi]
///        force on i along d:  f_b = (4 k_b / L^2) phi(s),   phi(s) = u^2 / (cos u - sinc u)  < 0: it pushes
///        slope:               f_b'= (4 k_b / L^3) phi'(s)   (the extra 1/L is the chain rule, E-07)
///        energy:              E_b = 2 k_b u^2 / L
///
/// With the setting kappa_b in N/m, k_b = kappa_b L^3 / 4: f_b = kappa_b L phi, f_b' = kappa_b phi', E = kappa_b L^2
/// w/2. phi jumps from -3 to 0 at s = 1, so next to the rest length the force is c_b (l - L), c_b = gamma kappa_b: f* =
/// max(f_b, c_b (l - L)), the weaker push of the two.
///
/// Everything is computed from w: sinc and (cos u - sinc u) / w are entire functions of w, a short power series each,
/// without trigonometry and without a special case near u = 0.
namespace clothlab::cloth {

/// phi or its fit, and the derivative by s. Dimensionless; s in [0, 1].
struct BuckledForce {
    double phi, slope;
};

/// w = u^2 of the arc whose chord is s times its length: inverse of s = sinc(sqrt(w)), to 1e-14. s is clamped to [0,
/// 1].
double arcFromChord(double s);

/// phi(s) of the exact arc.
BuckledForce buckledExact(double s);

/// [B] (3.9): p(s), the quartic fit of phi (E-06: the factor 4 k_b / L^2 is missing in print).
inline BuckledForce buckledPolynomial(double s) {
    return {(((-11.541 * s + 34.193) * s - 39.083) * s + 23.116) * s - 9.713,
            ((-46.164 * s + 102.579) * s - 78.166) * s + 23.116};
}

/// Largest slope of phi or p on [0, 1]: the stiffness of an explicit bend spring is kappa_b max(gamma, this).
double steepestBuckledSlope(BendModel model);

/// Energy of the Choi-Ko law with its linear branch, and where the branches meet.
///
///     linear branch  |  arc  |  linear branch          s: 0 ... lower ... upper ... 1
///
/// gamma >= pi^2 (or 9.713): lower = 0. gamma below 7.87: lower = upper = 0, the law is linear throughout. Between,
/// there are two switches.
class BendEnergy {
public:
    BendEnergy() = default;
    BendEnergy(BendModel model, double gamma);

    double upperSwitch() const { return upper_; }
    double lowerSwitch() const { return lower_; }
    /// E / (kappa_b L^2) at s = l / L in [0, 1]; 0 for s >= 1.
    double operator()(double s) const;

private:
    double arc(double s) const;  // integral of -phi from s to 1

    BendModel model_ = BendModel::ChoiKoPolynomial;
    double gamma_ = 0, upper_ = 0, lower_ = 0;
    double atUpper_ = 0, atLower_ = 0;  // energy at the switches
};

}  // namespace clothlab::cloth
