#include <gtest/gtest.h>

#include "cloth/wind.hpp"
#include "samples.hpp"

namespace clothlab::cloth {
namespace {

using linalg::BlockVector;

TEST(Wind, GustsAreSeededSmoothAndBounded) {
    WindSettings w;
    w.velocity = Vec3(4, 0, -2);
    EXPECT_EQ(windVelocity(w, 3.7), w.velocity);
    w.gust = 0.6;
    double least = 1e9, most = -1e9;
    for (int k = 0; k < 3000; ++k) {
        const double t = 0.01 * k;
        const Vec3 now = windVelocity(w, t);
        EXPECT_EQ(now, windVelocity(w, t));
        EXPECT_LE(now.cross(w.velocity).norm(), 1e-12);
        const double share = now.x() / 4;
        least = std::min(least, share), most = std::max(most, share);
        EXPECT_LE((windVelocity(w, t + 1e-4) - now).norm(), 1e-3 * w.velocity.norm());
    }
    EXPECT_GE(least, 0.4 - 1e-12);
    EXPECT_LE(most, 1.6 + 1e-12);
    EXPECT_LT(least, 0.8);
    EXPECT_GT(most, 1.2);
    WindSettings other = w;
    other.seed = w.seed + 1;
    EXPECT_GT((windVelocity(w, 1) - windVelocity(other, 1)).norm(), 1e-3);
}

TEST(Air, FlatPlateFeelsTheWholePressure) {
    const samples::Sample s = samples::crumpled(6, 9, Topology::Provot12, 0.0);
    MaterialSettings m;
    ForceModel model;
    model.configure(s.model, {&m, 1}, {});
    Environment env = samples::still();
    env.wind.dragCoefficient = 1.3;
    env.wind.airDensity = 1.2;
    BlockVector v(s.x.size());
    for (Index i = 0; i < v.size(); ++i) v[i] = Vec3(0, 2, 0);  // the plate lies in the x-z plane
    const auto total = [&] {
        const BlockVector f = samples::forcesOf(model, env, s.x, v);
        Vec3 sum = Vec3::Zero();
        for (Index i = 0; i < f.size(); ++i) sum += f[i];
        return sum;
    };
    const double pressure = 0.5 * 1.2 * 1.3 * (0.5 * 0.8) * 4;
    EXPECT_NEAR((total() - Vec3(0, -pressure, 0)).norm(), 0, 1e-13);
    env.wind.velocity = Vec3(0, 4, 0);  // now the air is 2 m/s faster
    EXPECT_NEAR((total() - Vec3(0, pressure, 0)).norm(), 0, 1e-13);
    env.wind.velocity = Vec3(3, 2, 0);  // along the plate: no pressure
    EXPECT_LE(total().norm(), 1e-13);
}

/// Share of a cell, a quarter for each quad at the particle: 1 inside, 1/2 at edges, 1/4 at corners.
double cellShare(const geometry::GridPatch& grid, int r, int c) {
    return ((r == 0 || r == grid.rows - 1) ? 0.5 : 1.0) * ((c == 0 || c == grid.columns - 1) ? 0.5 : 1.0);
}

TEST(Air, AParticleOfAGridStandsForItsCell) {
    const geometry::GridPatch grid{5, 8};
    const double spacing = 0.1, wind = 3;
    MaterialSettings m;
    ClothModel cloth;
    appendGrid(cloth, grid, Topology::Provot12, spacing, samples::flat(grid, spacing), m);
    ForceModel model;
    model.configure(cloth, {&m, 1}, {});
    Environment env = samples::still();
    env.wind.velocity = Vec3(0, wind, 0);
    env.wind.dragCoefficient = 2;
    env.wind.airDensity = 1;
    const BlockVector f = samples::forcesOf(model, env, cloth.rest, BlockVector(grid.vertices()));
    for (int r = 0; r < grid.rows; ++r)
        for (int c = 0; c < grid.columns; ++c) {
            const double cell = cellShare(grid, r, c) * spacing * spacing;
            EXPECT_NEAR(cloth.restArea[grid.vertex(r, c)], cell, 1e-16);
            EXPECT_LE((f[grid.vertex(r, c)] - Vec3(0, cell * wind * wind, 0)).norm(), 1e-14) << r << ' ' << c;
        }
}

// The mirror image of a crumpled cloth feels the mirror image of the forces. With one diagonal per quad this fails for
// an even number of columns, where the diagonals are not their own mirror image.
TEST(Air, AMirroredClothFeelsMirroredForces) {
    const geometry::GridPatch grid{5, 6};
    samples::Sample s = samples::crumpled(grid.rows, grid.columns, Topology::Provot12);
    MaterialSettings m;
    m.stretchStiffness = m.shearStiffness = m.bendStiffness = 0;
    ForceModel model;
    model.configure(s.model, {&m, 1}, {});
    Environment env = samples::still();
    env.wind.velocity = Vec3(0, 2, 1);
    env.wind.dragCoefficient = 1;
    const BlockVector f = samples::forcesOf(model, env, s.x, s.v);
    const Vec3 mirror(-1, 1, 1);
    BlockVector x(s.x.size()), v(s.x.size());
    const auto image = [&](Index i) { return grid.vertex(i / grid.columns, grid.columns - 1 - i % grid.columns); };
    for (Index i = 0; i < x.size(); ++i) {
        x[image(i)] = mirror.cwiseProduct(Vec3(s.x[i]));
        v[image(i)] = mirror.cwiseProduct(Vec3(s.v[i]));
    }
    const BlockVector g = samples::forcesOf(model, env, x, v);
    for (Index i = 0; i < x.size(); ++i) EXPECT_LE((g[image(i)] - mirror.cwiseProduct(Vec3(f[i]))).norm(), 1e-14) << i;
}

TEST(Air, DragOpposesMotion) {  // E-04
    const samples::Sample s = samples::crumpled(8, 8, Topology::Provot12, 0.8);
    MaterialSettings m;
    m.stretchStiffness = m.shearStiffness = m.bendStiffness = 0;
    ForceModel model;
    model.configure(s.model, {&m, 1}, {});
    for (const bool linear : {false, true}) {
        Environment env = samples::still();
        env.wind.velocity = Vec3(1, -2, 0.5);
        (linear ? env.wind.linearDrag : env.wind.dragCoefficient) = 0.7;
        const BlockVector f = samples::forcesOf(model, env, s.x, s.v);
        for (Index i = 0; i < f.size(); ++i) {
            const Vec3 w = s.v[i] - env.wind.velocity;
            EXPECT_LT(f[i].dot(w), 0);
            EXPECT_LE(f[i].cross(w).norm(), 1e-13);
            if (linear) {
                EXPECT_NEAR((f[i] + 0.7 * w).norm(), 0, 1e-14);
            }
        }
    }
}

}  // namespace
}  // namespace clothlab::cloth
