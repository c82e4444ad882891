#pragma once

#include <Eigen/Geometry>
#include <random>

#include "cloth/forces.hpp"

/// Small cloths for the tests: crumpled at random, moving at random, with unequal masses.
namespace clothlab::cloth::samples {

inline Vec3 randomVector(std::mt19937& random, double scale) {
    std::uniform_real_distribution<double> r(-scale, scale);
    const double x = r(random), y = r(random), z = r(random);
    return {x, y, z};
}

/// Flat rest positions in the x-z plane.
inline linalg::BlockVector flat(const geometry::GridPatch& grid, double spacing) {
    linalg::BlockVector x(grid.vertices());
    for (int r = 0; r < grid.rows; ++r)
        for (int c = 0; c < grid.columns; ++c) x[grid.vertex(r, c)] = Vec3(c * spacing, 0, r * spacing);
    return x;
}

struct Sample {
    ClothModel model;
    linalg::BlockVector x, v, u;
};

/// `crumple` in units of the spacing.
inline Sample crumpled(int rows, int columns, Topology topology, double crumple = 0.35, unsigned seed = 1) {
    constexpr double kSpacing = 0.1;
    std::mt19937 random(seed);
    Sample s;
    const geometry::GridPatch grid{rows, columns};
    appendGrid(s.model, grid, topology, kSpacing, flat(grid, kSpacing), MaterialSettings{});
    std::uniform_real_distribution<double> mass(0.5, 3.0);
    for (double& m : s.model.mass) m *= mass(random);
    s.x = s.model.rest;
    s.v.resize(s.x.size());
    s.u.resize(s.x.size());
    for (Index i = 0; i < s.x.size(); ++i) {
        s.x[i] += randomVector(random, crumple * kSpacing);
        s.v[i] = randomVector(random, 1.0);
        s.u[i] = randomVector(random, 1.0);
    }
    return s;
}

/// Stiffnesses and dampings of comparable size, so that a wrong term of any family shows.
inline MaterialSettings evenMaterial() {
    MaterialSettings m;
    m.stretchStiffness = 50;
    m.shearStiffness = 30;
    m.bendStiffness = 20;
    m.bendLinearBranch = 20;
    m.stretchDamping = 0.3;
    m.shearDamping = 0.2;
    m.bendDamping = 0.1;
    return m;
}

inline Environment still() {
    Environment env;
    env.gravity = Vec3::Zero();
    return env;
}

inline linalg::BlockVector forcesOf(const ForceModel& model, const Environment& env, const linalg::BlockVector& x,
                                    const linalg::BlockVector& v) {
    WorkerPool pool(1);
    linalg::BlockVector f;
    model.forces(env, x, v, f, pool);
    return f;
}

inline AssemblyCoefficients backwardEuler(double h) { return {h, h * h, h, h * h}; }

}  // namespace clothlab::cloth::samples
