#pragma once

#include "geometry/triangle_mesh.hpp"

/// A T-shirt as it is put on, at any resolution.
///
/// The pattern is flat: a front and a back, each torso and half of both sleeves in one piece, with u sideways from the
/// middle and v up from the hem. A smooth map brings a panel around the form that wears it (makeTorso). Its depth grows
/// from zero at the seams, with the slope of cloth that leaves a seam; the plane behind it shrinks by what the depth
/// takes up, and the sleeves come down by some eight degrees. There is no isometry around an armpit; this map changes
/// no length by more than a tenth. Points of seams are in the plane x = 0, and belong to both panels.
///
/// Shirt and form look along x and are their own mirror images in z, like every Body; arms point to the sides and down.
/// The back is the mirror image of the front in x but for its higher neck.
/// Only the square root of libm is used, so that a shirt has the same bits on every processor.
namespace clothlab::geometry {

inline constexpr double kCoarsestTShirt = 0.06;  ///< m: spacing with which sleeves and neck are still round
inline constexpr double kTShirtOfYe = 0.01836;   ///< m: 2791 points; the T-shirt of [Y] figure 1 has 2792

/// A shirt 0.5 m wide, 0.7 m long, of triangles with edges of about `spacing` (m, from above 0 to kCoarsestTShirt); the
/// number of points is about 0.94 / spacing^2. One surface with four borders: neck, sleeves, hem; normals point
/// outward. Textures are places in the pattern, in metres, u to the right as seen from the front; a point at a seam has
/// the same place in both panels, and a point of the back that of the point in front of it.
TriangleMesh makeTShirt(double spacing);

}  // namespace clothlab::geometry
