#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cloth/forces.hpp"
#include "integrators/settings.hpp"

namespace clothlab::integrators {

/// Terms that are implicit under these settings, per family; for an adaptive method those that may be.
cloth::ImplicitSplit chooseSplit(const IntegratorSettings& settings);

/// The springs that an adaptive method treats explicitly. With k the largest stiffness that a spring can have
/// (SpringLaw::explicitStiffness), d its damping, m the mass at an end:
///
///     adaptive-imex, paper   (h/m)(h k + 2 d) < threshold with the lighter end's m; bend always    [B] §4.4
///                    safe    the same, and bend where h^2 k <= m/4; in ascending order of h k + 2 d, as long as the
///                            sum over the explicit springs (h/m)(h k + 2 d) stays at most 2 at both ends: the
///                            theorem's sufficient form
///     adaptive-sbdf2         h d >= (Z/2) h^2 k, Z the largest sum of 2 h^2 k / m at a particle, and the sum of
///                            2 h d / m at most 0.8 everywhere: an undamped spring never
///
/// The criterion depends on nothing that moves, so the choice is repeated only when h, a material or the mesh changes.
/// A slack spring without a Jacobian adds nothing to the matrix either way.
class ExplicitSprings {
public:
    explicit ExplicitSprings(const IntegratorSettings& settings) : settings_(settings) {}

    /// One flag per spring; empty if only the split decides.
    std::span<const std::uint8_t> choose(const cloth::ClothModel& model, const cloth::ForceModel& forces, double h);
    /// The sum of the rule 'safe' at each particle over the springs made explicit in the last choice; empty under any
    /// other rule or method.
    std::span<const double> loads() const { return loads_; }

private:
    void chooseByPaper(const cloth::ClothModel& model, const cloth::ForceModel& forces, double h);
    void chooseSafely(const cloth::ClothModel& model, const cloth::ForceModel& forces, double h);
    void chooseForTwoSteps(const cloth::ClothModel& model, const cloth::ForceModel& forces, double h);

    IntegratorSettings settings_;
    std::vector<std::uint8_t> explicit_;
    std::vector<double> loads_;
    std::uint64_t laws_ = 0;  ///< revision of the forces that the choice was made for
    double h_ = 0;
};

}  // namespace clothlab::integrators
