#pragma once

#include <functional>
#include <span>
#include <vector>

#include "contact/contact_solver.hpp"
#include "integrators/integrator.hpp"
#include "linalg/block_matrix.hpp"
#include "linalg/dof_constraints.hpp"
#include "mechanics/prescribed.hpp"

/// Pins, the pointer and solids, as every method treats them around its own work:
///
///     begin        pins and grab -> contacts (capture, stick, slide, release, friction into b) -> prescribed motion
///                  (the method finds its new velocities and positions under these constraints)
///     reconsider   contacts that the solve proves wrong are changed, and the method solves again
///     finish       the contact forces from their impulse -> push-out of the positions
///
/// A method that solves for velocities reads constraints(): S and z. One that solves for positions reads prescribed():
/// where the particles are to be at the end of the step. Precedence: grab, pin, contact, impact zone; but the pointer
/// moves a pinned particle only in the directions that the pin leaves free. Held members lead their zone.
namespace clothlab::integrators {

/// Motion that pins and the grab prescribe in a step of dt (s) from `time`: pins are where their motion takes them; a
/// grabbed particle (by constraint) moves toward the pointer's target within the limits of `grab`, and around solids.
/// The strongest first.
void prescribePinsAndGrab(const SimulationState& state, const cloth::ClothModel& model, const GrabSettings& grab,
                          std::span<const contact::Collider> colliders, double time, double dt,
                          std::vector<mechanics::Prescribed>& out);

/// The solids that are part of the solve.
inline std::span<const contact::Collider> solvedSolids(const StepContext& context) {
    const bool known = context.contact.solids == contact::SolidResponse::Constraints;
    return known ? context.colliders : std::span<const contact::Collider>{};
}

class ConstraintStage {
public:
    /// A step, or a substep of it.
    struct Span {
        double time;       ///< s, at its start
        double dt;         ///< s
        double forceTime;  ///< s, as in contact::ContactInput
    };
    /// The velocity at the end of the step that moves a particle by dt * mean within it; none: the mean velocity.
    using EndVelocity = std::function<Vec3(Index particle, const Vec3& mean)>;

    /// The spring between the grabbed particle and the pointer, when dragging is by spring; valid until the next call.
    std::span<const cloth::AnchorSpring> anchors(const SimulationState& state, const GrabSettings& grab);

    /// From the contacts of `state` and b (kg m/s) to those of this step, which may be those of `state` itself. Adds
    /// friction to b. A, the matrix of the same system, determines the motion of impact zones; null: loose masses.
    void begin(const SimulationState& state, const StepContext& context, const Span& span, linalg::BlockVector& b,
               contact::ContactState& contacts, const linalg::BlockMatrix* A, const EndVelocity& endVelocity = {});
    /// After a solve of the same step: true if contacts, and with them constraints(), prescribed() and the friction in
    /// b, have changed, so that it must be solved again. At most ContactSettings::activeSet times per step, and once
    /// more if friction still pushes, with the friction of a single solve. Updates `counts`.
    bool reconsider(const SimulationState& state, const StepContext& context, const Span& span,
                    const contact::ContactAnswer& answer, linalg::BlockVector& b, contact::ContactState& contacts,
                    const linalg::BlockMatrix* A, ContactRepeats& counts);
    /// Euclidean norm of the friction that solids can exert in the step, as the last solve found, kg m/s: a solve whose
    /// residual is not well below it cannot say what sticks.
    double frictionNorm() const { return frictionNorm_; }
    /// Whether reconsider() has anything to check.
    static bool looksAgain(const StepContext& context) {
        return context.contact.activeSet > 0 && !solvedSolids(context).empty();
    }
    /// Sets contact forces from the impulse of the constraints, lambda = A dv - b (kg m/s), and pushes particles out of
    /// solids. Calls `lambda` only if there are contacts.
    void finish(const std::function<const linalg::BlockVector&()>& lambda, const Span& span, const StepContext& context,
                SimulationState& candidate) const;

    /// Puts held particles where they are to be at the end of the step, for methods whose end velocity does not.
    void place(linalg::BlockVector& x) const;
    /// The same, only for particles that solids hold.
    void placeContacts(linalg::BlockVector& x) const;

    /// S and z = end velocity - v in the removed directions.
    const linalg::DofConstraints& constraints() const { return constraints_; }
    /// The same as velocities and places at the end of the step, one for each held particle.
    std::span<const mechanics::Prescribed> prescribed() const { return prescribed_; }

private:
    contact::ContactInput makeInput(const SimulationState& state, const StepContext& context, const Span& span,
                                    const contact::ContactSettings& settings) const;
    /// Completes prescribed_ and constraints_ once contacts have been appended.
    void complete(const SimulationState& state, const StepContext& context, const Span& span,
                  const linalg::BlockVector& b, const linalg::BlockMatrix* A);
    void build(const linalg::BlockVector& v);
    void put(const mechanics::Prescribed& p, linalg::BlockVector& x) const;

    std::vector<mechanics::Prescribed> prescribed_, fixed_;  // all; those of pins and grab
    std::vector<Index> exempt_;
    int repeats_ = 0;
    bool stopped_ = false;          // after the last repeat something would end in a solid
    bool settled_ = false;          // with the friction of a single solve
    contact::ContactState before_;  // of the previous step
    double frictionNorm_ = 0;
    std::vector<cloth::AnchorSpring> anchors_;
    linalg::DofConstraints constraints_;
    contact::ContactSolver contact_;
};

}  // namespace clothlab::integrators
