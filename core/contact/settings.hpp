#pragma once

#include "base/fields.hpp"

namespace clothlab::contact {

enum class SelfCollision : int { Off };
inline constexpr std::array kSelfCollisions{EnumEntry{int(SelfCollision::Off), "off", "off"}};
constexpr std::span<const EnumEntry> enumTable(SelfCollision) { return kSelfCollisions; }

struct ContactSettings {
    double muS = 0.5;      ///< static friction coefficient
    double muK = 0.4;      ///< kinetic friction coefficient
    double pushOut = 0.9;  ///< share of the penetration removed a step; 1 would bounce and lose friction
    SelfCollision selfCollision = SelfCollision::Off;

    bool operator==(const ContactSettings&) const = default;
};

void describe(ContactSettings& s, FieldList& list);

}  // namespace clothlab::contact
