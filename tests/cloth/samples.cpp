#include "samples.hpp"

namespace clothlab::cloth::samples {

Vec3 randomVector(std::mt19937& random, double scale) {
    std::uniform_real_distribution<double> r(-scale, scale);
    const double x = r(random), y = r(random), z = r(random);
    return {x, y, z};
}

linalg::BlockVector flat(const geometry::GridPatch& grid, double spacing) {
    linalg::BlockVector x(grid.vertices());
    for (int r = 0; r < grid.rows; ++r)
        for (int c = 0; c < grid.columns; ++c) x[grid.vertex(r, c)] = Vec3(c * spacing, 0, r * spacing);
    return x;
}

Sample crumpled(int rows, int columns, Topology topology, double crumple, unsigned seed) {
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

MaterialSettings evenMaterial() {
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

Environment still() {
    Environment env;
    env.gravity = Vec3::Zero();
    return env;
}

linalg::BlockVector forcesOf(const ForceModel& model, const Environment& env, const linalg::BlockVector& x,
                             const linalg::BlockVector& v) {
    WorkerPool pool(1);
    linalg::BlockVector f;
    model.forces(env, x, v, f, pool);
    return f;
}

AssemblyCoefficients backwardEuler(double h) { return {h, h * h, h, h * h}; }

}  // namespace clothlab::cloth::samples
