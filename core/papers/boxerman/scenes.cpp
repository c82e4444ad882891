#include "papers/boxerman/scenes.hpp"

#include "solvers/kind.hpp"

namespace clothlab::papers::boxerman {

double numericalStiffness(const Cloth& cloth, double stiffness, double damping, double dt) {
    return dt / cloth.mass() * (dt * stiffness + 2 * damping);
}

void applyCloth(scene::Settings& settings, const Cloth& cloth) {
    cloth::MaterialSettings& m = settings.material;
    m = {};
    m.density = cloth.density;
    m.stretchStiffness = cloth.stretch;
    m.shearStiffness = cloth.shear;
    m.bendStiffness = cloth.bend;
    m.stretchDamping = cloth.stretchDamping;
    m.shearDamping = cloth.shearDamping;
    settings.wind = {};
    settings.wind.linearDrag = cloth.drag;
    settings.integrator.dt = cloth.dt;
}

scene::Scene makeScene(const Cloth& cloth, double noise) {
    scene::Scene out;
    out.name = "boxerman";
    applyCloth(out.settings, cloth);
    const double side = cloth.spacing * (cloth.side - 1), gap = 0.002 * side;
    scene::ClothPatch patch{
        .rows = cloth.side, .columns = cloth.side, .side = side, .topology = cloth::Topology::ChoiKo16};
    patch.origin = Vec3(-side / 2, gap, -side / 2);
    patch.rowAxis = Vec3::UnitZ();
    patch.noise = noise * cloth.spacing;
    patch.noiseSeed = cloth.noiseSeed;
    out.cloths.push_back(patch);

    const double half = 0.3 * side;
    switch (cloth.configuration) {
        case Configuration::TwoCorners:
            out.pins = {{.where = {.columnFrom = 0, .columnTo = 0}}, {.where = {.columnFrom = -1, .columnTo = -1}}};
            break;
        case Configuration::Table:
            out.colliders.push_back(
                {.name = "table", .shape = geometry::Box{Vec3::Constant(half)}, .position = Vec3(0, -half, 0)});
            break;
        case Configuration::Sphere:
            out.colliders.push_back(
                {.name = "sphere", .shape = geometry::Sphere{half}, .position = Vec3(0.03 * side, -half, 0.05 * side)});
            break;
    }
    return out;
}

scene::Scene makeDirectScene(const Cloth& cloth, const integrators::IntegratorSettings& integrator, double noise) {
    scene::Scene out = makeScene(cloth, noise);
    out.settings.integrator = integrator;
    out.settings.solver.kind = solvers::SolverKind::Cholesky;
    return out;
}

}  // namespace clothlab::papers::boxerman
