#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "cloth/cloth_model.hpp"
#include "linalg/block_matrix.hpp"

/// The thin shell: a triangle resists stretch as a whole, in place of the stretch and shear springs along its edges
/// (`material.membrane = triangles`). [L] §6 names it as future work; this is the energy of Bouaziz and others 2014,
/// §5.1. With the 3 x 2 deformation gradient F of a triangle at rest area A, and its singular values s_1 >= s_2,
///
///     E = k A / 2 ((s_1 - 1)^2 + (s_2 - 1)^2)  =  k A / 2 |F - T|^2
///
/// k in N/m is that of the stretch springs: a strip along the threads resists as much. T, the isometry nearest to F, is
/// the local step of local/global; it comes in closed form from the 2 x 2 matrix F^T F. The global matrix gets
/// k A g_c . g_d for the corners c, d, with g the gradients of their hat functions: N x N as before, and no less than
/// the Hessian. With tension only, a stretch counts from 1 on: wrinkles cost nothing.
///
/// The eigenvectors of the Hessian are known too: along each principal stretch, shear and spin in the plane, and tilt
/// out of it. Spin and tilt have negative eigenvalues where the triangle is compressed; assembly then leaves them out,
/// as it does with springs.
namespace clothlab::cloth {

/// Singular values and vectors of a 3 x 2 matrix F = sum s_m u_m v_m^T.
struct PrincipalStretches {
    std::array<double, 2> s;           ///< s[0] >= s[1] >= 0
    std::array<Vec3, 2> u;             ///< orthonormal; 0 if it has no direction
    Vec3 normal;                       ///< to both
    std::array<Eigen::Vector2d, 2> v;  ///< orthonormal
};
PrincipalStretches principalStretches(const Vec3& firstColumn, const Vec3& secondColumn);

class Membrane {
public:
    struct Triangle {
        geometry::Triangle corners;
        Eigen::Vector2d gradient[3];  ///< 1/m, of the corners' hat functions in the plane at rest
        double measure;               ///< k A times its share, N m
        bool tensionOnly, jacSlack, full;
    };
    /// A part of the Hessian: its positive eigenvalues, or the negative ones, of all triangles or of those whose
    /// material keeps them in A.
    enum class Part { Positive, Negative, NegativeKept };

    /// Takes the facets of the cloths whose material asks for it, with the rest lengths of the springs along their
    /// edges: on a grid both diagonals at half weight, or only those that the topology has. Solids are left out, as are
    /// triangles with an edge in `broken` (flags of springs, or empty), without area or without stiffness.
    void configure(const ClothModel& model, std::span<const MaterialSettings> materials,
                   std::span<const std::uint8_t> broken);
    bool empty() const { return triangles_.empty(); }
    std::span<const Triangle> triangles() const { return triangles_; }
    /// As ForceModel::setSlackJacobians.
    void keepSlack(bool keep) { keepSlack_ = keep; }

    /// J, at x (m).
    double energy(const linalg::BlockVector& x, WorkerPool& pool) const;
    /// f += scale * forces at x, N.
    void addForces(const linalg::BlockVector& x, double scale, linalg::BlockVector& f, WorkerPool& pool) const;
    /// A += scale * H at x, over the edges of the triangles, which A's pattern must have. Its single blocks are no
    /// longer symmetric.
    void addHessian(const linalg::BlockVector& x, double scale, Part part, linalg::BlockMatrix& A,
                    WorkerPool& pool) const;
    /// b -= scale * H u.
    void subtractProduct(const linalg::BlockVector& x, const linalg::BlockVector& u, double scale, Part part,
                         linalg::BlockVector& b, WorkerPool& pool) const;
    /// d . H d with the positive part, J for d in m.
    double curvature(const linalg::BlockVector& x, const linalg::BlockVector& d, WorkerPool& pool) const;
    /// The number of principal stretches in tension at one of the two places (m) only.
    Index changed(const linalg::BlockVector& from, const linalg::BlockVector& to, WorkerPool& pool) const;
    /// sums[i] += half of the sum of the largest |entries| of row i of the Hessian, N/m: a spring adds its k.
    void addStiffness(std::vector<double>& sums) const;

    /// Energy of the triangles at particle i, J, if it were at `at`.
    double energyAt(const linalg::BlockVector& x, Index i, const Vec3& at) const;
    /// Force on particle i, N, and its diagonal block of the positive part, N/m, both added.
    void addLocal(const linalg::BlockVector& x, Index i, Vec3& force, Mat3& H) const;

private:
    struct Corner {
        Index triangle;
        int corner;
    };
    struct Modes;
    std::span<const Corner> cornersAt(Index i) const;
    PrincipalStretches computeStretches(const Triangle& t, const linalg::BlockVector& x) const;
    Modes computeModes(const Triangle& t, const PrincipalStretches& p, Part part) const;
    void evaluate(const linalg::BlockVector& x, WorkerPool& pool) const;

    bool keepSlack_ = false;
    std::vector<Triangle> triangles_;
    std::vector<Index> begin_;  // corners of particle i: [begin_[i], begin_[i + 1])
    std::vector<Corner> corners_;
    mutable std::vector<PrincipalStretches> stretches_;  // scratch, one a triangle
};

}  // namespace clothlab::cloth
