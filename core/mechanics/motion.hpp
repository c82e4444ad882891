#pragma once

#include <algorithm>
#include <vector>

#include "base/members.hpp"
#include "base/types.hpp"

#include <Eigen/Geometry>

namespace clothlab::mechanics {

/// A displacement that is reached at a time.
struct Keyframe {
    double time = 0;                   ///< s
    Vec3 displacement = Vec3::Zero();  ///< m, from the position at the start

    bool operator==(const Keyframe&) const = default;

    template <class Self>
    static auto tieMembers(Self& self) {
        auto& [time, displacement] = self;
        return std::tie(time, displacement);
    }
};

/// At a time (s): linear from one keyframe to the next, constant before the first and after the last.
struct KeyframedPlace {
    Vec3 displacement = Vec3::Zero();  ///< m
    Vec3 velocity = Vec3::Zero();      ///< m/s, from then on

    static KeyframedPlace at(const std::vector<Keyframe>& keyframes, double time) {
        if (keyframes.empty()) return {};
        const auto next = std::ranges::upper_bound(keyframes, time, {}, &Keyframe::time);
        if (next == keyframes.begin()) return {next->displacement};
        const Keyframe& before = *(next - 1);
        if (next == keyframes.end()) return {before.displacement};
        const double share = (time - before.time) / (next->time - before.time);
        return {(1 - share) * before.displacement + share * next->displacement,
                (next->displacement - before.displacement) / (next->time - before.time)};
    }
};

/// A prescribed motion of a point: it rests until startTime, then turns about a centre that moves with constant
/// velocity, and rests again from stopTime on. Keyframes add a displacement at any time.
struct Motion {
    Vec3 velocity = Vec3::Zero();         ///< m/s
    Vec3 angularVelocity = Vec3::Zero();  ///< rad/s
    Vec3 center = Vec3::Zero();           ///< m, of the turn, at startTime
    double startTime = 0;                 ///< s
    double stopTime = 1e300;              ///< s
    std::vector<Keyframe> keyframes;      ///< times ascend

    bool operator==(const Motion&) const = default;

    template <class Self>
    static auto tieMembers(Self& self) {
        auto& [velocity, angularVelocity, center, startTime, stopTime, keyframes] = self;
        return std::tie(velocity, angularVelocity, center, startTime, stopTime, keyframes);
    }

    /// The rotation of directions at a time (s).
    Mat3 turn(double time) const {
        const double speed = angularVelocity.norm(), moved = seconds(time);
        if (!(speed > 0) || !(moved > 0)) return Mat3::Identity();
        return Eigen::AngleAxisd(moved * speed, angularVelocity / speed).toRotationMatrix();
    }
    /// The position at a time (s) of the point that starts at `place` (m).
    Vec3 at(const Vec3& place, double time) const {
        Vec3 now = place;
        if (!angularVelocity.isZero(0.0)) now = center + turn(time) * (place - center);
        return now + seconds(time) * velocity + KeyframedPlace::at(keyframes, time).displacement;
    }

private:
    double seconds(double time) const { return std::max(0.0, std::min(time, stopTime) - startTime); }
};

}  // namespace clothlab::mechanics
