#pragma once

#include <array>
#include <span>
#include <variant>
#include <vector>

#include "base/enum_table.hpp"
#include "base/types.hpp"
#include "geometry/shapes.hpp"

/// Bodies as implicit functions: a smooth union of ellipsoids and tapered capsules, cut flat at the ground.
///
/// Nothing here calls functions of libm except the square root, so that a body has the same bits on every processor.
namespace clothlab::geometry {

enum class BodyKind : int { None, Hippo, Frog, Dog };
inline constexpr std::array kBodies{
    EnumEntry{int(BodyKind::None), "none", "none", "No solid: a grid or a mesh."},
    EnumEntry{int(BodyKind::Hippo), "hippo", "hippo", "A standing hippo, 1.1 m long."},
    EnumEntry{int(BodyKind::Frog), "frog", "frog", "A sitting frog, 0.8 m long."},
    EnumEntry{int(BodyKind::Dog), "dog", "dog", "A standing dog, 1.2 m long."},
};
constexpr std::span<const EnumEntry> enumTable(BodyKind) { return kBodies; }

/// All points within a radius of a segment; the radius changes linearly from `first` at `a` to `second` at `b`.
struct TaperedCapsule {
    Vec3 a, b;             ///< m
    double first, second;  ///< m
};
/// Axes along x, y and z.
struct Ellipsoid {
    Vec3 center, radii;  ///< m
};

/// One piece of a body, and the width (m) over which it blends into the pieces before it.
struct Blob {
    std::variant<Ellipsoid, TaperedCapsule> shape;
    double blend;
};

/// A body stands on y = 0, looks along x, and is its own mirror image in z.
class Body {
public:
    explicit Body(std::vector<Blob> blobs);

    /// Negative inside, zero on the surface; near it about the distance (m), with about its gradient.
    DistanceSample sample(const Vec3& point) const;
    /// The point of the surface reached along the gradient, to about a picometre.
    Vec3 onSurface(Vec3 point) const;
    /// The same body with pieces that blend over at least `width` (m), so that a lattice of about that spacing finds no
    /// crease or gap narrower than itself.
    Body blended(double width) const;
    /// A bounding box, m.
    const Vec3& low() const { return low_; }
    const Vec3& high() const { return high_; }

private:
    void fit();

    std::vector<Blob> blobs_;
    Vec3 low_, high_;
};

/// Any kind except None.
Body makeBody(BodyKind kind);
/// The coarsest lattice constant (m) whose cells still fill the limbs of a body.
double coarsestSpacing(BodyKind kind);

/// A form for clothes: a torso from the hips up, the stub of a neck, and arms to the sides and down, as far as the
/// elbows. It wears makeTShirt (t_shirt.hpp) without touching it.
Body makeTorso();

}  // namespace clothlab::geometry
