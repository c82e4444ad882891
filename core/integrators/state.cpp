#include "integrators/state.hpp"

#include "base/state_hash.hpp"

namespace clothlab::integrators {
namespace {

void hashVector(StateHash& hash, const linalg::BlockVector& v) {
    hash.values(std::span<const double>(v.data(), 3 * std::size_t(v.size())));
}

void hashVec3(StateHash& hash, const Vec3& v) { hash.bytes(v.data(), 3 * sizeof(double)); }

}  // namespace

std::size_t SimulationState::bytes() const {
    std::size_t vectors = 0;
    for (const linalg::BlockVector* each : {&x, &v, &xPrevious, &vPrevious, &deltaV})
        vectors += 24 * std::size_t(each->size());
    return sizeof *this + vectors + contacts.contacts.size() * sizeof(contact::ParticleContact) +
           pins.size() * sizeof(Pin) + brokenSprings.size();
}

void forgetPast(SimulationState& state) {
    state.xPrevious = state.vPrevious = linalg::BlockVector();
    state.dtPrevious = 0;
    state.previousValid = false;
}

std::uint64_t stateHash(const SimulationState& s) {
    StateHash hash;
    for (const linalg::BlockVector* v : {&s.x, &s.v, &s.xPrevious, &s.vPrevious, &s.deltaV}) hashVector(hash, *v);
    hash.value(s.dtPrevious);
    hash.value(s.previousValid);
    for (const contact::ParticleContact& c : s.contacts.contacts) {
        hash.value(c.particle);
        hash.value(c.collider);
        hash.value(c.ndof);
        hashVec3(hash, c.normal);
        hashVec3(hash, c.force);
        hash.value(c.depth);
        hashVec3(hash, c.secondNormal);
        hash.value(c.secondCollider);
        hashVec3(hash, c.thirdNormal);
        hash.value(c.thirdCollider);
        hashVec3(hash, c.penetration);
    }
    for (const Pin& pin : s.pins) {
        hash.value(pin.particle);
        hashVec3(hash, pin.target);
    }
    hash.value(s.grab.active);
    if (s.grab.active) {
        hash.value(s.grab.particle);
        hashVec3(hash, s.grab.target);
    }
    hash.value(s.adaptiveDt);
    hash.value(s.goodSteps);
    hash.value(s.icShift);
    hash.values(std::span<const std::uint8_t>(s.brokenSprings));
    hash.value(s.time);
    hash.value(s.step);
    hash.value(s.seed);
    return hash.digest();
}

}  // namespace clothlab::integrators
