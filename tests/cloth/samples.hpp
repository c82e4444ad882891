#pragma once

#include <random>

#include "cloth/forces.hpp"

/// Small cloths for the tests: crumpled at random, moving at random, with unequal masses.
namespace clothlab::cloth::samples {

Vec3 randomVector(std::mt19937& random, double scale);

/// Flat rest positions in the x-z plane.
linalg::BlockVector flat(const geometry::GridPatch& grid, double spacing);

struct Sample {
    ClothModel model;
    linalg::BlockVector x, v, u;
};

/// `crumple` in units of the spacing.
Sample crumpled(int rows, int columns, Topology topology, double crumple = 0.35, unsigned seed = 1);

/// Stiffnesses and dampings of comparable size, so that a wrong term of any family shows.
MaterialSettings evenMaterial();

Environment still();

linalg::BlockVector forcesOf(const ForceModel& model, const Environment& env, const linalg::BlockVector& x,
                             const linalg::BlockVector& v);

AssemblyCoefficients backwardEuler(double h);

}  // namespace clothlab::cloth::samples
