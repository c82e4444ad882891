#pragma once

#include <span>
#include <vector>

#include "contact/robust/layer_forces.hpp"
#include "mechanics/pair_term.hpp"

/// Contact between layers within the solve (`contact.solve = within`; docs/methods/layers.md).
///
/// A pair of features that touch has the weights w of its closest points (geometry/closest_points.hpp) and their
/// normal n. With the displacements u of the step it requires n . W u >= bound, W u = sum_k w_k u_k. This is the method
/// of multipliers of layer_forces.hpp, with a spring of stiffness k beside the multiplier and several iterations per
/// step:
///
///     force on the pair   F = (push + k (bound - n . W u)) n + friction - K s,    s = (I - n n^T) W u
///     after each solve    push <- max(push + k (bound - n . W u), 0),    friction <- cone(friction - k s)
///
/// cone() shortens a vector to mu push. A pair sticks while friction - k s is within it: K = k (I - n n^T). One that
/// slides gets the force on the rim of the cone that belongs to the slip s' of the last solve, and a K near its
/// derivative:
///
///     w = friction - k s',  t = w/|w|,    K = k mu push/|w| (I - n n^T - (1 - kDrag) t t^T),    F_t = mu push t - K (s - s')
///
/// With kDrag = 0 that is Newton's method, which alternates between sliding and sticking; with kDrag = 1 the
/// secant, which converges slowly where a pair barely slides.
///
/// Corner k gets w_k F. The weights sum to zero, so w w^T is the Laplacian of the four corners with -w_a w_b on the
/// edge from a to b: each pair is six terms between two particles, and linear momentum stays.
///
///     sum_(a<b) -w_a w_b (e_a - e_b)(e_a - e_b)^T = w w^T
///
/// Terms between corners of the same side are negative; their sum is not.
namespace clothlab::contact {

/// Parameters common to all pairs of a step.
struct LayerLaw {
    double dt;             ///< s
    double thickness;      ///< m: closer layers push each other apart
    double repulsion;      ///< N/m, its stiffness
    double friction = 0;   ///< coefficient
    double softness = 1;   ///< factor of the stretch stiffness in k: 1 at first
    double stiffness = 1;  ///< k of a pair at first, in units of the sum of stretch stiffness and m/h^2
};

struct LayerPair {
    std::array<Index, 4> corners;
    geometry::PairKind kind = geometry::PairKind::VertexTriangle;
    std::array<double, 4> weights;
    Vec3 normal;                   ///< unit, from the second side to the first
    double bound = 0;              ///< m
    double push = 0;               ///< N, of the last solve
    Vec3 friction = Vec3::Zero();  ///< N, the same, on the first side
    Vec3 slip = Vec3::Zero();      ///< m, slip of the last solve; before the first one, dt times the velocity
    double stiffness = 0;          ///< N/m, k
    Mat3 hold = Mat3::Zero();      ///< N/m, K of the next solve, whose friction is steady - hold slip
    Vec3 steady = Vec3::Zero();    ///< N
    Vec3 excess = Vec3::Zero();    ///< N, of the last solve beyond push and friction: a pull, or other friction
    bool slides = false;
    bool impact = false;  ///< not near at the start: would have met within the step

    Vec3 apart(const linalg::BlockVector& of) const {
        return weights[0] * of[corners[0]] + weights[1] * of[corners[1]] + weights[2] * of[corners[2]] +
               weights[3] * of[corners[3]];
    }
    Vec3 alongPlane(const Vec3& w) const { return w - normal.dot(w) * normal; }
    /// cone(wanted) for this push.
    Vec3 cone(const Vec3& wanted, double mu) const;
    /// Springs of the next solve: k, and K for the last slip.
    void weigh(const LayerLaw& law, std::span<const double> mass);
};

/// Least change of a pair's distance within a step, m; negative: how much closer it may come.
double layerBound(const LayerLaw& law, double distance, double resistance);

/// The pairs of a step, kept over its repeats.
class LayerPairs {
public:
    /// Begins with the forces that the last step left, as the pairs are at x (m) and move with v (m/s), with masses
    /// (kg, one entry per particle).
    void begin(const LayerLaw& law, std::span<const LayerForce> forces, const linalg::BlockVector& x,
               const linalg::BlockVector& v, std::span<const double> mass);
    /// Sets the pairs that contact found after a solve; duplicates are joined.
    void take(std::vector<LayerPair> pairs, std::span<const double> mass);
    /// Softens the springs for the next solves of this step, so that fewer pairs pull; m/h^2 stays.
    void soften(std::span<const double> mass);
    /// Updates the multipliers after a solve with the displacements u (m). Contact takes back forces beyond them.
    void update(const linalg::BlockVector& u);

    /// Terms of the pairs at u = 0: implicit, one for each two particles, in their order.
    void addTerms(std::vector<mechanics::PairTerm>& terms) const;
    /// Forces of the pairs that were near at the start, ordered by corners.
    std::vector<LayerForce> nearForces() const;
    /// Sum of k/2 (bound - n . W u)^2 over the pairs nearer than their bound, J.
    double energy(const linalg::BlockVector& u) const;

    std::span<const LayerPair> all() const { return pairs_; }
    const LayerLaw& law() const { return law_; }

private:
    LayerLaw law_{};
    std::vector<LayerPair> pairs_;
};

}  // namespace clothlab::contact
