#include "contact/contact_state.hpp"

namespace clothlab::contact {

Mat3 freeDirections(const ParticleContact& contact) {
    if (contact.ndof == 0) return Mat3::Zero();
    const Normals normals{{contact.normal, contact.secondNormal, contact.thirdNormal}};
    Mat3 free;
    for (int axis = 0; axis < 3; ++axis) free.col(axis) = normals.tangential(Vec3::Unit(axis));
    return free;
}

ParticleContact makeContact(const TouchSet& touches, Index particle) {
    const auto& [first, second, third] = touches.items;
    return {.particle = particle,
            .collider = first.collider,
            .ndof = std::uint8_t(3 - touches.count),
            .normal = first.normal,
            .depth = first.depth,
            .secondNormal = second.normal,
            .secondCollider = second.collider,
            .thirdNormal = third.normal,
            .thirdCollider = third.collider,
            .penetration = touches.penetration()};
}

}  // namespace clothlab::contact
