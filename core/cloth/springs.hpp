#pragma once

#include <cmath>
#include <cstdint>

#include "cloth/bend.hpp"
#include "cloth/cloth_model.hpp"

/// The law of one spring as a function of its squared length alone: the inner kernel of forces and assembly.
///
/// With d = x_j - x_i, l = |d|:  force on i = tension * d,  J = isotropic * I + axial * d d^T,
/// so that neither the direction n nor a matrix is ever formed.
namespace clothlab::cloth {

/// A stretch or shear spring acts from this fraction of its rest length on: at exactly the rest length it must act, or
/// a flat rest start explodes (E-02).
inline constexpr double kActivation = 1 - 1e-9;
/// Below this squared length (m^2) a spring has no direction and is left out.
inline constexpr double kShortestSquared = 1e-24;

/// InMembrane: a triangle resists in its place; only whether it is taut still matters, for its damper.
enum class SpringKind : std::uint8_t {
    TensionOnly,
    Bilateral,
    CompressionOnly,
    ChoiKoPolynomial,
    ChoiKoExact,
    InMembrane
};
enum class DamperKind : std::uint8_t { None, Projected, Unprojected };

/// Law of all springs of one family of one material.
struct SpringLaw {
    SpringKind kind = SpringKind::Bilateral;
    DamperKind damper = DamperKind::None;
    DampGate gate = DampGate::Always;
    bool jacSlack = false;
    bool full = false;  ///< A keeps the negative part across a compressed spring
    bool elasticImplicit = true, dampingImplicit = true;
    bool inPattern = true;         ///< the family has blocks in A
    double stiffness = 0;          ///< k, or kappa_b for Choi-Ko, N/m
    double gamma = 0;              ///< c_b / kappa_b, Choi-Ko only
    double damping = 0;            ///< k_d, N s/m
    double explicitStiffness = 0;  ///< largest J eigenvalue for the sum test, N/m
};

SpringLaw makeLaw(const MaterialSettings& material, SpringFamily family);

struct ElasticTerms {
    double tension = 0;    ///< N/m: force on i = tension * d
    double isotropic = 0;  ///< N/m
    double axial = 0;      ///< N/m^3: J = isotropic * I + axial * d d^T
    bool active = false;
};

/// [B] (3.6), (3.7) with the transverse term clamped: J+ = k n n^T + max(t, 0) (I - n n^T), t = k (1 - L/l).
inline ElasticTerms hookeTerms(double k, double L, double squared) {
    const double inverse = 1 / std::sqrt(squared);
    const double t = k * (1 - L * inverse);
    const double clamped = t > 0 ? t : 0;
    return {t, clamped, (k - clamped) * (inverse * inverse), true};
}

/// f* = max(f_b, c_b (l - L)) and its slope; the transverse term, negative semidefinite, is dropped.
inline ElasticTerms choiKoTerms(const SpringLaw& law, double L, double squared) {
    const double l = std::sqrt(squared);
    if (!(l < L)) return {};
    const double s = l / L;
    double phi = law.gamma * (s - 1), slope = law.gamma;
    if (law.kind == SpringKind::ChoiKoPolynomial || phi < -3) {  // phi <= -3 on the exact arc: no need to look before
        const BuckledForce arc = law.kind == SpringKind::ChoiKoPolynomial ? buckledPolynomial(s) : buckledExact(s);
        slope = arc.phi > phi ? arc.slope : slope;
        phi = arc.phi > phi ? arc.phi : phi;
    }
    return {law.stiffness * phi / s, 0, law.stiffness * slope / squared, true};
}

inline ElasticTerms elasticTerms(const SpringLaw& law, double L, double squared) {
    if (!(squared >= kShortestSquared)) return {};
    switch (law.kind) {
        case SpringKind::TensionOnly: {
            const double shortest = L * kActivation;
            if (squared >= shortest * shortest) return hookeTerms(law.stiffness, L, squared);
            return {0, 0, law.jacSlack ? law.stiffness / squared : 0, false};
        }
        case SpringKind::Bilateral:
            return hookeTerms(law.stiffness, L, squared);
        case SpringKind::CompressionOnly: {
            const double l = std::sqrt(squared);
            if (!(l < L)) return {0, 0, law.jacSlack ? law.stiffness / squared : 0, false};
            return {law.stiffness * (1 - L / l), 0, law.stiffness / squared, true};
        }
        case SpringKind::ChoiKoPolynomial:
        case SpringKind::ChoiKoExact:
            return choiKoTerms(law, L, squared);
        case SpringKind::InMembrane: {
            const double shortest = L * kActivation;
            return {0, 0, 0, squared >= shortest * shortest};
        }
    }
    return {};
}

/// Adds the part of J across a spring that pushes: J = ... + t (I - n n^T) with t < 0, [Y] §2.
inline ElasticTerms withCompression(ElasticTerms terms, double squared) {
    if (!(terms.tension < 0)) return terms;
    terms.isotropic += terms.tension;
    terms.axial -= terms.tension / squared;
    return terms;
}

inline bool oneSidedHooke(const SpringLaw& law) {
    return law.kind == SpringKind::TensionOnly || law.kind == SpringKind::CompressionOnly;
}
/// Whether a one-sided Hooke law acts: ElasticTerms::active without the terms.
inline bool acts(const SpringLaw& law, double L, double squared) {
    if (!(squared >= kShortestSquared)) return false;
    if (law.kind == SpringKind::CompressionOnly) return std::sqrt(squared) < L;
    const double shortest = L * kActivation;
    return squared >= shortest * shortest;
}

struct DamperTerms {
    double alongD = 0;     ///< N/m: force on i = alongD * d + alongV * (v_j - v_i)
    double alongV = 0;     ///< N s/m
    double isotropic = 0;  ///< N s/m
    double axial = 0;      ///< N s/m^3: V = isotropic * I + axial * d d^T
};

/// [B] (3.12), (3.14)-(3.16); df/dx is dropped: it is indefinite for every relative velocity (E-03).
/// dv = d . (v_j - v_i).
inline DamperTerms damperTerms(const SpringLaw& law, bool active, double squared, double dv) {
    if (law.damper == DamperKind::None || !(squared >= kShortestSquared)) return {};
    if (law.gate == DampGate::SpringActive && !active) return {};
    if (law.gate == DampGate::Elongating && !(dv > 0)) return {};
    if (law.damper == DamperKind::Unprojected) return {0, law.damping, law.damping, 0};
    const double axial = law.damping / squared;
    return {axial * dv, 0, 0, axial};
}

}  // namespace clothlab::cloth
