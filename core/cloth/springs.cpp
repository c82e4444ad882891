#include "cloth/springs.hpp"

#include <algorithm>

namespace clothlab::cloth {
namespace {

void setBendLaw(SpringLaw& law, const MaterialSettings& m) {
    law.stiffness = law.explicitStiffness = m.bendStiffness;
    switch (m.bendModel) {
        case BendModel::ChoiKoPolynomial:
        case BendModel::ChoiKoExact:
            law.kind = m.bendModel == BendModel::ChoiKoExact ? SpringKind::ChoiKoExact : SpringKind::ChoiKoPolynomial;
            law.gamma = m.bendLinearBranch;
            law.explicitStiffness = m.bendStiffness * std::max(law.gamma, steepestBuckledSlope(m.bendModel));
            break;
        case BendModel::LinearCompression:
            law.kind = SpringKind::CompressionOnly;
            break;
        case BendModel::LinearTension:
            law.kind = SpringKind::TensionOnly;
            break;
        case BendModel::Linear:
            law.kind = SpringKind::Bilateral;
            break;
    }
}

}  // namespace

SpringLaw makeLaw(const MaterialSettings& m, SpringFamily family) {
    SpringLaw law;
    if (family == SpringFamily::Bend) {
        setBendLaw(law, m);
        law.damping = m.bendDamping;
    } else {
        const bool stretch = family == SpringFamily::Stretch;
        law.kind = m.tensionOnly ? SpringKind::TensionOnly : SpringKind::Bilateral;
        law.stiffness = law.explicitStiffness = stretch ? m.stretchStiffness : m.shearStiffness;
        law.damping = stretch ? m.stretchDamping : m.shearDamping;
        law.jacSlack = m.jacSlack;
        if (m.membrane == MembraneModel::Triangles) {
            law.kind = SpringKind::InMembrane;
            law.explicitStiffness = 0;
        }
    }
    law.full = m.compression == CompressionModel::Full;
    law.gate = m.dampGate;
    // Absolute damping acts on particles, not on springs: ForceModel adds it with the air.
    if (m.dampingModel == DampingModel::Absolute) law.damping = 0;
    if (law.damping > 0)
        law.damper = m.dampingModel == DampingModel::Unprojected ? DamperKind::Unprojected : DamperKind::Projected;
    return law;
}

}  // namespace clothlab::cloth
