#include <gtest/gtest.h>

#include <map>

#include "cloth/springs.hpp"
#include "samples.hpp"

namespace clothlab::cloth {
namespace {

/// The second is stiffer in stretch, softer in shear and heavier; the third is softer in bend.
std::vector<MaterialSettings> threeMaterials() {
    std::vector<MaterialSettings> list(3, samples::evenMaterial());
    list[1].stretchStiffness *= 7;
    list[1].shearStiffness /= 3;
    list[1].density *= 4;
    list[2].bendStiffness /= 5;
    list[2].particleMass = 0.125;
    return list;
}

TEST(Materials, MassesFollowTheParticlesAndSpringsTheSofterEnd) {
    samples::Sample s = samples::crumpled(6, 7, Topology::ChoiKo16);
    const std::vector<MaterialSettings> list = threeMaterials();
    std::vector<std::uint16_t> of(42);
    for (Index i = 0; i < 42; ++i) of[i] = std::uint16_t(i % 7 < 3 ? 0 : i < 21 ? 1 : 2);
    setMaterials(s.model, of);
    applyMaterials(s.model, list);
    const double cell = s.model.patches[0].spacing * s.model.patches[0].spacing;
    for (Index i = 0; i < 42; ++i)
        EXPECT_DOUBLE_EQ(s.model.mass[i], of[i] == 2 ? 0.125 : list[of[i]].density * cell) << i;
    // The softer of 0 and 1 is 0 in stretch, 1 in shear and the first in bend, where they are equal; 0 and 2 differ
    // only in bend.
    const std::map<std::pair<int, int>, std::array<int, 3>> expected{
        {{0, 1}, {0, 1, 0}}, {{0, 2}, {0, 0, 2}}, {{1, 2}, {2, 1, 2}}};
    int across = 0;
    for (const Spring& spring : s.model.springs) {
        const std::pair<int, int> ends = std::minmax(int(of[spring.i]), int(of[spring.j]));
        const int wanted = ends.first == ends.second ? ends.first : expected.at(ends)[int(spring.family)];
        EXPECT_EQ(spring.material, wanted) << ends.first << ends.second << " family " << int(spring.family);
        across += ends.first != ends.second;
    }
    EXPECT_GT(across, 30);
}

/// Forces follow a live change of a value, and of only the material of a particle.
TEST(Materials, ForcesTakeALiveChange) {
    samples::Sample s = samples::crumpled(6, 7, Topology::ChoiKo16);
    std::vector<MaterialSettings> list = threeMaterials();
    list[2].dampingModel = DampingModel::Absolute;
    std::vector<std::uint16_t> of(42);
    for (Index i = 0; i < 21; ++i) of[i] = 1;
    setMaterials(s.model, of);
    applyMaterials(s.model, list);
    ForceModel forces;
    forces.configure(s.model, list, {});
    const std::uint64_t before = forces.lawRevision();
    forces.configure(s.model, list, {});
    EXPECT_EQ(forces.lawRevision(), before);
    EXPECT_EQ(forces.springLaw(0).stiffness, list[1].stretchStiffness);
    list[1].stretchStiffness /= 2;
    applyMaterials(s.model, list);
    forces.configure(s.model, list, {});
    EXPECT_EQ(forces.springLaw(0).stiffness, list[1].stretchStiffness);
    EXPECT_EQ(forces.absoluteDamping(41), 0);
    of[41] = 2;  // only its bend springs change their material
    setMaterials(s.model, of);
    applyMaterials(s.model, list);
    forces.configure(s.model, list, {});
    EXPECT_GT(forces.lawRevision(), before);
    EXPECT_EQ(forces.absoluteDamping(41), list[2].stretchDamping);
    EXPECT_EQ(forces.absoluteDamping(40), 0);
}

/// -dE/dx = f where three materials meet, with springs and with triangles in place of them.
TEST(Materials, ForceIsMinusTheGradientOfTheEnergy) {
    for (const MembraneModel membrane : {MembraneModel::Springs, MembraneModel::Triangles}) {
        samples::Sample s = samples::crumpled(5, 6, Topology::ChoiKo16, 0.5, 11);
        std::vector<MaterialSettings> list = threeMaterials();
        list[1].bendModel = BendModel::Linear;
        list[2].tensionOnly = false;
        for (MaterialSettings& m : list) {
            m.membrane = membrane;
            m.stretchDamping = m.shearDamping = m.bendDamping = 0;
        }
        std::vector<std::uint16_t> of(30);
        for (Index i = 0; i < 30; ++i) of[i] = std::uint16_t(i * i % 3 + (i > 20));
        setMaterials(s.model, of);
        applyMaterials(s.model, list);
        ForceModel model;
        model.configure(s.model, list, {});
        Environment env;
        WorkerPool pool(1);
        const linalg::BlockVector f = samples::forcesOf(model, env, s.x, s.v);
        linalg::BlockVector x = s.x;
        constexpr double step = 1e-7;
        for (Index k = 0; k < 3 * x.size(); ++k) {
            const double kept = x.data()[k];
            const auto energyAt = [&](double value) {
                x.data()[k] = value;
                const ForceModel::Energies e = model.energies(env, x, s.v, pool);
                return e.total() - e.kinetic;
            };
            const double slope = (energyAt(kept + step) - energyAt(kept - step)) / (2 * step);
            x.data()[k] = kept;
            EXPECT_NEAR(f.data()[k], -slope, 1e-5 * (1 + std::abs(slope))) << k << enumKey(membrane);
        }
    }
}

}  // namespace
}  // namespace clothlab::cloth
