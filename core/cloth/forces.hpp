#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "cloth/cloth_model.hpp"
#include "linalg/block_matrix.hpp"
#include "linalg/linear_system.hpp"
#include "mechanics/pair_term.hpp"

namespace clothlab::cloth {

/// Constant force on one particle, N.
struct PointForce {
    Index particle;
    Vec3 force;
};

/// Extra implicit spring from one particle to a fixed or moving point (mouse drag as a spring).
struct AnchorSpring {
    Index particle;
    Vec3 target;          ///< m
    Vec3 targetVelocity;  ///< m/s
    double stiffness;     ///< N/m
    double damping;       ///< N s/m
};

/// Everything outside the springs that acts on the cloth in this step.
struct Environment {
    Vec3 gravity{0, -9.81, 0};  ///< m/s^2
    WindSettings wind;
    std::span<const PointForce> pointForces;
    std::span<const AnchorSpring> anchors;
    double time = 0;  ///< s; the gusts depend on it
};

/// Which terms of which family are implicit: their Jacobians enter A and K u. Indexed by SpringFamily.
struct ImplicitSplit {
    bool elastic[kFamilies] = {true, true, true};
    bool damping[kFamilies] = {true, true, true};
    bool operator==(const ImplicitSplit&) const = default;
};

/// A = M - damping * D - stiffness * K        (kg)
/// b = force * f + stiffness_b * K u          (kg m/s)
/// Backward Euler: damping h, stiffness h^2, force h, stiffnessVector h^2, u = v. BDF2 fits as well.
struct AssemblyCoefficients {
    double damping = 0, stiffness = 0, force = 0, stiffnessVector = 0;
    bool clamped = false;  ///< A and b without the terms that CompressionModel::Full keeps
};

/// The state that a system is assembled at.
struct AssemblyPoint {
    const linalg::BlockVector& x;  ///< m
    const linalg::BlockVector& v;  ///< m/s
    const linalg::BlockVector& u;  ///< m/s, the factor of the stiffness on the right side; may be v
};
/// The outputs of assembly.
struct AssembledInto {
    linalg::BlockMatrix& A;
    linalg::BlockVector& b;
};

struct SpringLaw;
class Membrane;

/// State of a spring in the last evaluation, for overlays: bit 0 active, bit 1 implicit.
inline constexpr std::uint8_t kSpringActive = 1, kSpringImplicit = 2;

/// Forces, Jacobians and energies of a model with its materials. Holds data that depends on model and materials only
/// (coefficients per spring, pattern, positions of the blocks) and scratch; no state that could change a result.
///
/// Sign convention: spring (i, j) with f_i = +g has J = dg/dx_j and V = dg/dv_j;
/// K_ij += J, K_ii -= J, and the same for D with V, so A gets +(h^2 J + h V) on the diagonal.
/// dD/dx of damping is dropped, transverse stretch terms are clamped, the transverse bend term is dropped: A is SPD
/// with smallest eigenvalue >= the smallest mass, unless a material asks for CompressionModel::Full.
class ForceModel {
public:
    ForceModel();
    ~ForceModel();
    ForceModel(ForceModel&&) noexcept;
    ForceModel& operator=(ForceModel&&) noexcept;

    /// Takes the model and its list of materials, which `applyMaterials` has applied. Cheap when only values changed.
    /// The model must outlive this.
    void configure(const ClothModel& model, std::span<const MaterialSettings> materials, const ImplicitSplit& split);

    /// Springs that are explicit in this step whatever the split: a flag each, or empty = none. The pattern stays.
    void setExplicit(std::span<const std::uint8_t> springs);
    /// Springs that are broken: they neither pull, push nor damp, and a facet with such an edge catches no wind. A flag
    /// each, or empty = none. Pattern and core stay. Holds until the mesh changes.
    void setBroken(std::span<const std::uint8_t> springs);
    bool isBroken(std::size_t e) const;
    Index brokenSprings() const;
    /// From now on the springs of one-sided Hooke laws keep k n n^T in A and K u where they do not act, as
    /// `material.jac_slack` does for stretch and shear; false: as the materials say. No force changes.
    void setSlackJacobians(bool keep);
    /// How many implicit springs of one-sided Hooke laws, and principal stretches of a membrane, act at one of the two
    /// places (m) and not at the other.
    Index changedSprings(const linalg::BlockVector& from, const linalg::BlockVector& to, WorkerPool& pool) const;
    /// The law of spring e; one object for all intact springs of a family of a material, and one for all broken ones.
    const SpringLaw& springLaw(std::size_t e) const;
    /// Its law if nothing were broken.
    const SpringLaw& intactSpringLaw(std::size_t e) const;
    /// The resistance of triangles in place of the springs along their edges; empty where springs resist.
    const Membrane& membrane() const;
    /// Elastic energy of spring e at this squared length (m^2), J.
    double springEnergy(std::size_t e, double squared) const;
    /// Changes with the mesh, the masses, the materials and what is broken.
    std::uint64_t lawRevision() const;
    /// Whether any internal force depends on velocities.
    bool damps() const;
    /// N s/m, of the absolute damping of particle i.
    double absoluteDamping(Index i) const;
    /// Numbers of springs with and without a Jacobian of any term, slack or not; not those broken or in a membrane.
    Index implicitSprings() const;
    Index explicitSprings() const;
    /// Whether blocks of A off the diagonal may differ from zero.
    bool couplesParticles() const;

    /// Interactions of particles in this step besides the springs: pairs i < j, sorted by i, then j; copied. They hold
    /// until the next call, or until `configure` gets another mesh or split. Implicit ones may join any particles: the
    /// pattern includes their blocks, and changes with them; without any it is that of the families again.
    void setPairs(std::span<const mechanics::PairTerm> pairs);
    std::span<const mechanics::PairTerm> pairs() const;
    Index implicitPairs() const;

    /// Pattern of the families that may be implicit under the active split, and of the implicit pairs.
    std::shared_ptr<const linalg::BlockPattern> pattern() const;
    /// The core: off-diagonal blocks of the stretch springs, and of the pairs that say so.
    const linalg::CoreMask& coreMask() const;

    /// f = all forces at (x, v), N; pairs with the force they were given.
    void forces(const Environment& env, const linalg::BlockVector& x, const linalg::BlockVector& v,
                linalg::BlockVector& f, WorkerPool& pool) const;

    /// phi = the part of them that is explicit and not constant, N: explicit springs, by terms, explicit pairs, and the
    /// pressure of the wind.
    void explicitForces(const Environment& env, const linalg::BlockVector& x, const linalg::BlockVector& v,
                        linalg::BlockVector& f, WorkerPool& pool) const;

    /// Assembles A and b in place, in parallel, same bits at any number of threads. A has `pattern()` (it is reset
    /// when it has another one).
    void assemble(const Environment& env, const AssemblyPoint& at, const AssemblyCoefficients& c,
                  const AssembledInto& out, WorkerPool& pool);

    struct Energies {
        double kinetic = 0, gravity = 0, stretch = 0, shear = 0, bend = 0;  ///< J
        double maxStrain = 0;       ///< largest (l - L)/L of the stretch springs, clamped below at 0
        double maxShearStrain = 0;  ///< of the shear springs, likewise
        double repulsion = 0;       ///< J, of pairs; filled in by the caller, since their terms do not give it
        double sewing = 0;          ///< J, of threads; likewise
        double elastic() const { return stretch + shear + bend + repulsion + sewing; }
        double total() const { return kinetic + gravity + elastic(); }
    };
    Energies energies(const Environment& env, const linalg::BlockVector& x, const linalg::BlockVector& v,
                      WorkerPool& pool) const;

    /// Sum over the springs and pairs at each particle of (h/m)(h k + 2 d), the largest over all particles: symplectic
    /// Euler is stable while it is at most 2, and a step with some terms implicit while the sum over the others is.
    enum class Terms { All, Explicit };
    double explicitStabilitySum(double h, Terms terms = Terms::All) const;
    /// The largest h, s, at which that sum is at most 2; infinite if nothing limits it.
    double explicitLimit(Terms terms) const;

    /// kSpringActive / kSpringImplicit flags per spring at positions x; 0 for broken ones.
    void springStates(const linalg::BlockVector& x, const linalg::BlockVector& v, std::vector<std::uint8_t>& out) const;
    /// (l - L)/L per spring, 0 for broken ones.
    void springStrains(const linalg::BlockVector& x, std::vector<float>& out) const;

private:
    enum class Part { All, Explicit };
    template <Part kPart>
    void sumForces(const Environment& env, const linalg::BlockVector& x, const linalg::BlockVector& v,
                   linalg::BlockVector& f, WorkerPool& pool) const;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace clothlab::cloth
