#pragma once

#include <string>

#include "cloth/forces.hpp"
#include "cloth/spring_gradient.hpp"
#include "contact/settings.hpp"
#include "linalg/block_matrix.hpp"

/// The potential energy g of all forces that have one, for methods that minimize it ([L] (9); Newton, local/global):
///
///     g(x) = sum of E_e(l_e)        springs: Hooke and both Choi-Ko laws, one-sided ones too
///          + sum of -m g.x - F.x    gravity, point forces
///          + sum of k/2 |x - t|^2   anchors
///
/// For a spring with d = x_j - x_i, l = |d|, n = d/l and E' = dE/dl the gradient at j is E' n, and the Hessian block
///
///     H = E'' n n^T + (E'/l) (I - n n^T)
///
/// Where a spring is compressed E' < 0 and H is indefinite. Assembly never uses that part (ForceModel), so its J is not
/// the Hessian of g; Curvature::Definite leaves it out too.
namespace clothlab::integrators {

/// Empty, or which forces have no potential, and which settings give them one.
std::string whyNoPotential(std::span<const cloth::MaterialSettings> materials, const cloth::WindSettings& wind,
                           const contact::ContactSettings& contact, bool colliders);

class Potential {
public:
    enum class Curvature { Exact, Definite };

    /// Views, valid as long as the caller's; their damping and wind are ignored. `forces` is configured for the model.
    /// `springs`, if they know all laws, give the gradient faster.
    Potential(const cloth::ClothModel& model, const cloth::ForceModel& forces, const cloth::Environment& environment,
              const cloth::SpringGradient* springs = nullptr);

    /// g at x (m), J. Its zero is that of gravity at the origin.
    double value(const linalg::BlockVector& x, WorkerPool& pool);
    /// -dg/dx at x, N.
    void force(const linalg::BlockVector& x, linalg::BlockVector& out, WorkerPool& pool) const;
    /// dg/dx at x, N: the negative force.
    void gradient(const linalg::BlockVector& x, linalg::BlockVector& out, WorkerPool& pool) const;
    /// d . H d along a direction, J, with H Definite.
    double curvature(const linalg::BlockVector& x, const linalg::BlockVector& direction, WorkerPool& pool) const;
    /// d^2g/dx^2 at x, N/m, #particles x #particles blocks over the pattern of all springs. A spring of no length has
    /// no direction and is left out.
    void hessian(const linalg::BlockVector& x, Curvature curvature, linalg::BlockMatrix& out);

private:
    const cloth::ClothModel& model_;
    const cloth::ForceModel& forces_;
    cloth::Environment environment_;
    const cloth::SpringGradient* springs_;
    linalg::BlockVector rest_;                             // velocities: none
    std::shared_ptr<const linalg::BlockPattern> pattern_;  // made when a Hessian is asked for
};

}  // namespace clothlab::integrators
