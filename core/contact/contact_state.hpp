#pragma once

#include <cstdint>
#include <vector>

#include "base/members.hpp"
#include "base/types.hpp"
#include "contact/touch_set.hpp"

namespace clothlab::contact {

/// Contact of one particle, kept from step to step. All members but the depths influence later steps.
struct ParticleContact {
    Index particle = -1;
    Index collider = -1;               ///< the solid in which it is deepest
    std::uint8_t ndof = 2;             ///< 2 sliding, 1 sliding along two solids, 0 sticking or held by three solids
    Vec3 normal = Vec3::UnitY();       ///< outward normal of the solid, unit
    Vec3 force = Vec3::Zero();         ///< f_c of the last step, N
    double depth = 0;                  ///< m, > 0 inside
    Vec3 secondNormal = Vec3::Zero();  ///< of the second solid, else zero
    Index secondCollider = -1;         ///< -1: touches one solid only
    Vec3 thirdNormal = Vec3::Zero();   ///< of the third solid, else zero
    Index thirdCollider = -1;
    Vec3 penetration = Vec3::Zero();  ///< m, shortest way out of all its solids; max(depth, 0) normal for one solid

    bool operator==(const ParticleContact&) const = default;

    template <class Self>
    static auto tieMembers(Self& self) {
        auto& [particle, collider, ndof, normal, force, depth, secondNormal, secondCollider, thirdNormal, thirdCollider,
               penetration] = self;
        return std::tie(particle, collider, ndof, normal, force, depth, secondNormal, secondCollider, thirdNormal,
                        thirdCollider, penetration);
    }
};

/// S of a contact: the projection onto the directions that the solids leave free.
Mat3 freeDirections(const ParticleContact& contact);

/// A sliding contact from up to three touches, the deepest first.
ParticleContact makeContact(const TouchSet& touches, Index particle);

/// Contacts of all particles, sorted by particle. A value type, part of the simulation state.
struct ContactState {
    std::vector<ParticleContact> contacts;

    bool operator==(const ContactState&) const = default;

    template <class Self>
    static auto tieMembers(Self& self) {
        auto& [contacts] = self;
        return std::tie(contacts);
    }
};

}  // namespace clothlab::contact
