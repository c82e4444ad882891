#include "integrators/state/state.hpp"

#include <algorithm>
#include <concepts>

#include "base/state_hash.hpp"

namespace clothlab::integrators {
namespace {

template <class T>
concept Number = std::is_arithmetic_v<T>;

/// Bytes that a member holds outside of itself. What a pointer names is shared.
struct HeldBytes {
    std::size_t sum = 0;

    template <class T>
    void add(const T& value) {
        if constexpr (HasMembers<T>) forEachMember(value, [&](const auto& member) { add(member); });
    }
    void add(const linalg::BlockVector& v) { sum += 24 * std::size_t(v.size()); }
    template <class T>
    void add(const std::vector<T>& all) {
        sum += all.size() * sizeof(T);
        for (const T& each : all) add(each);
    }
};

/// A state without pins on lines and planes hashes as it did before there were any.
struct Hasher {
    StateHash hash;
    const std::vector<mechanics::Motion>* motions = nullptr;

    template <Number T>
    void add(const T& value) {
        hash.value(value);
    }
    void add(geometry::PairKind kind) { add(int(kind)); }
    void add(const Vec3& v) { hash.bytes(v.data(), 3 * sizeof(double)); }
    void add(const Eigen::Vector3f& v) { all(v[0], v[1], v[2]); }
    void add(const linalg::BlockVector& v) {
        hash.values(std::span<const double>(v.data(), 3 * std::size_t(v.size())));
    }
    template <class T>
    void add(const std::vector<T>& all) {
        for (const T& each : all) add(each);
    }
    template <class T, std::size_t N>
    void add(const std::array<T, N>& all) {
        for (const T& each : all) add(each);
    }
    template <HasMembers T>
    void add(const T& value) {
        forEachMember(value, [&](const auto& member) { add(member); });
    }
    void add(const std::vector<mechanics::Motion>&) {}  // with the pins, whatever their numbers are
    void add(const Pin& pin) {
        all(pin.particle, pin.place);
        if (pin.hold.ndof != 0) add(pin.hold);
        if (pin.motion < 0) return;
        // A file may name a motion that is not there: `misfit` refuses such a state, once it is read.
        if (std::size_t(pin.motion) < motions->size())
            add((*motions)[pin.motion]);
        else
            add(pin.motion);
    }
    void add(const FactorBase& base) {
        if (!base.serves) return;
        all(true, base.serves->pinned, base.serves->broken);
        // The settings say what a factor is made of, unless it is behind them.
        if (base.stepsBehind > 0) all(base.stepsBehind, base.serves->values);
        if (base.coming) all(base.coming->pinned, base.coming->broken, base.coming->values);
    }
    void add(const Grab& grab) {
        add(grab.active);
        if (grab.active) all(grab.particle, grab.target);
    }
    void add(const ColliderGrab& grab) {
        if (grab.active) all(grab.collider, grab.target);
    }

private:
    template <class... T>
    void all(const T&... each) {
        (add(each), ...);
    }
};

/// Numbers those that pins name from 0 on.
void dropUnusedMotions(SimulationState& state) {
    std::vector<mechanics::Motion> used;
    std::vector<int> number(state.pinMotions.size(), -1);
    for (Pin& pin : state.pins) {
        if (pin.motion < 0) continue;
        int& now = number[pin.motion];
        if (now < 0) {
            now = int(used.size());
            used.push_back(state.pinMotions[pin.motion]);
        }
        pin.motion = now;
    }
    state.pinMotions = std::move(used);
}

void dropLayerForces(SimulationState& state, Index particle) {
    std::erase_if(state.layerForces, [&](const contact::LayerForce& force) {
        return std::ranges::find(force.corners, particle) != force.corners.end();
    });
}

}  // namespace

std::size_t SimulationState::bytes() const {
    HeldBytes held;
    visitState(*this, [&](StateRole, const auto& member) { held.add(member); });
    return sizeof *this + held.sum;
}

const Pin* SimulationState::findPin(Index particle) const {
    const auto it = std::ranges::lower_bound(pins, particle, {}, &Pin::particle);
    return it != pins.end() && it->particle == particle ? &*it : nullptr;
}

void copyPinsAndGrab(const SimulationState& from, SimulationState& to) {
    to.pins = from.pins;
    to.pinMotions = from.pinMotions;
    to.grab = from.grab;
    to.colliderGrab = from.colliderGrab;
}

void setPin(SimulationState& state, Index particle, const std::optional<PinHold>& hold,
            const mechanics::Motion& motion) {
    const auto it = std::ranges::lower_bound(state.pins, particle, {}, &Pin::particle);
    const bool pinned = it != state.pins.end() && it->particle == particle;
    const mechanics::Motion* before = pinned ? state.pinMotion(*it) : nullptr;
    const bool changes = !pinned || it->hold != hold || (before ? *before : mechanics::Motion{}) != motion;
    int moves = -1;
    if (hold && motion != mechanics::Motion{}) {
        const auto same = std::ranges::find(state.pinMotions, motion);
        moves = int(same - state.pinMotions.begin());
        if (same == state.pinMotions.end()) state.pinMotions.push_back(motion);
    }
    // A pin that is changed holds the particle where it is now; the same one again changes nothing.
    const Pin pin{particle, state.x[particle], hold.value_or(PinHold{}), moves};
    if (pinned && !hold) {
        state.pins.erase(it);
        if (!state.grab.active || state.grab.particle != particle) dropLayerForces(state, particle);
    } else if (pinned && changes) {
        *it = pin;
    } else if (!pinned && hold) {
        state.pins.insert(it, pin);
    }
    dropUnusedMotions(state);
}

void setGrab(SimulationState& state, const Grab& grab) {
    const Index held = state.grab.particle;
    const bool ends = state.grab.active && (!grab.active || grab.particle != held);
    if (ends && !state.findPin(held)) dropLayerForces(state, held);
    state.grab = grab;
}

void copyPins(const SimulationState& from, SimulationState& to) {
    if (from.x.flat() == to.x.flat()) {
        for (const Pin& pin : to.pins)
            if (!from.findPin(pin.particle)) dropLayerForces(to, pin.particle);
        to.pins = from.pins;
        to.pinMotions = from.pinMotions;
        return;
    }
    const std::vector<Pin> held = to.pins;
    for (const Pin& pin : held)
        if (!from.findPin(pin.particle)) setPin(to, pin.particle, {});
    for (const Pin& pin : from.pins) {
        const mechanics::Motion* motion = from.pinMotion(pin);
        setPin(to, pin.particle, pin.hold, motion ? *motion : mechanics::Motion{});
    }
}

void forget(SimulationState& state, StateRole which) {
    if (which == StateRole::Hand) setGrab(state, {});
    visitState(state, [&](StateRole role, auto& member) {
        if (role == which) member = {};
    });
}

std::uint64_t stateHash(const SimulationState& s) {
    Hasher hasher{.hash = {}, .motions = &s.pinMotions};
    visitState(s, [&](StateRole, const auto& member) { hasher.add(member); });
    return hasher.hash.digest();
}

}  // namespace clothlab::integrators
