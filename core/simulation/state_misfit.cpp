#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulation/state_file.hpp"

// What makes a state fit a world: a file may hold anything.
namespace clothlab::simulation {
namespace {

using integrators::SimulationState;

/// Goes through the state once and keeps the first misfit.
class Fitting {
public:
    Fitting(const SimulationState& state, const Simulation& world)
        : s_(state),
          particles_(world.model().particles()),
          springs_(world.model().springs.size()),
          solids_(world.scene().colliders.size() + state.balls.size()) {}

    std::string run() {
        vectors();
        numbers();
        contacts();
        layers();
        pins();
        solids();
        factor(s_.factorBase.serves.get());
        factor(s_.factorBase.coming.get());
        need(s_.factorBase.serves || !s_.factorBase.coming, "a pending factor without an active one");
        return std::move(wrong_);
    }

private:
    void need(bool kept, std::string_view otherwise) {
        if (!kept && wrong_.empty()) wrong_ = otherwise;
    }
    bool particle(Index i) const { return i >= 0 && i < particles_; }
    bool solid(Index i) const { return i >= -1 && i < Index(solids_); }

    void vectors() {
        need(s_.x.size() == particles_ && s_.v.size() == particles_,
             fmt::format("it has {} particles, the scene {}", s_.x.size(), particles_));
        for (const linalg::BlockVector* v : {&s_.x, &s_.v, &s_.xPrevious, &s_.vPrevious, &s_.deltaV}) {
            need(v->empty() || v->size() == particles_, "a list of vectors has another length than the particles");
            need(v->empty() || v->flat().allFinite(), "a number that is not finite");
        }
        need(!s_.previousValid || (!s_.xPrevious.empty() && !s_.vPrevious.empty()), "the step before is missing");
        need(s_.brokenSprings.empty() || s_.brokenSprings.size() == springs_, "flags of springs that do not exist");
    }

    void numbers() {
        for (const double value : {s_.dtPrevious, s_.adaptiveDt, s_.icShift, s_.time})
            need(std::isfinite(value) && value >= 0, "a time or step length that is negative or not finite");
        constexpr std::int64_t kMostSteps = std::int64_t{1} << 53;  // as in recordings and tables
        constexpr int kMostCounted = 1 << 30;
        need(s_.step >= 0 && s_.step <= kMostSteps && s_.goodSteps >= 0 && s_.goodSteps <= kMostCounted &&
                 s_.factorBase.stepsBehind >= 0 && s_.factorBase.stepsBehind <= kMostCounted,
             "a count that is negative or too large");
    }

    void contacts() {
        for (const contact::ParticleContact& c : s_.contacts.contacts) {
            need(particle(c.particle) && solid(c.collider) && solid(c.secondCollider) && solid(c.thirdCollider) &&
                     c.collider >= 0 && c.ndof <= 3,
                 "a contact whose particle or solid does not exist");
            for (const Vec3* v : {&c.normal, &c.force, &c.secondNormal, &c.thirdNormal, &c.penetration})
                need(v->allFinite() && std::isfinite(c.depth), "a contact that is not finite");
        }
        need(std::ranges::adjacent_find(s_.contacts.contacts, std::greater_equal<>(),
                                        &contact::ParticleContact::particle) == s_.contacts.contacts.end(),
             "contacts out of order");
        need(std::ranges::all_of(s_.collided, [&](Index i) { return particle(i); }) &&
                 std::ranges::is_sorted(s_.collided),
             "collided particles out of range or out of order");
        const auto& [members, ends] = s_.zones;
        need(std::ranges::all_of(members, [&](Index i) { return particle(i); }) && std::ranges::is_sorted(ends) &&
                 (ends.empty() ? members.empty() : ends.front() >= 0 && std::size_t(ends.back()) == members.size()),
             "contact zones out of range or out of order");
    }

    void layers() {
        for (const contact::LayerForce& f : s_.layerForces) {
            need(std::ranges::all_of(f.corners, [&](Index i) { return particle(i); }) &&
                     (f.kind == geometry::PairKind::VertexTriangle || f.kind == geometry::PairKind::EdgeEdge),
                 "a force between layers with a particle out of range");
            need(std::isfinite(f.push) && f.friction.allFinite(), "a force between layers that is not finite");
        }
    }

    void pins() {
        for (const integrators::Pin& pin : s_.pins) {
            need(particle(pin.particle) && pin.motion < int(s_.pinMotions.size()) && pin.motion >= -1,
                 "a pin whose particle or motion does not exist");
            need(pin.place.allFinite() && pin.hold.ndof >= 0 && pin.hold.ndof <= 2 && pin.hold.direction.allFinite() &&
                     (pin.hold.ndof == 0 || std::abs(pin.hold.direction.norm() - 1) < 1e-9),
                 "a pin that holds nothing");
        }
        need(std::ranges::adjacent_find(s_.pins, std::greater_equal<>(), &integrators::Pin::particle) == s_.pins.end(),
             "pins out of order");
        for (const mechanics::Motion& m : s_.pinMotions) {
            need(m.velocity.allFinite() && m.angularVelocity.allFinite() && m.center.allFinite() &&
                     std::isfinite(m.startTime) && std::isfinite(m.stopTime),
                 "a motion that is not finite");
            for (const mechanics::Keyframe& key : m.keyframes)
                need(std::isfinite(key.time) && key.displacement.allFinite(), "a keyframe that is not finite");
            need(std::ranges::is_sorted(m.keyframes, {}, &mechanics::Keyframe::time), "keyframes out of order");
        }
    }

    void solids() {
        need(!s_.grab.active && !s_.colliderGrab.active, "a grab is active");
        need(s_.balls.size() <= 1, "more than one ball");
        need(s_.colliderShifts.size() <= solids_ && (s_.balls.empty() || s_.colliderShifts.size() == solids_),
             "shifts of solids that do not exist");
        for (const Vec3& shift : s_.colliderShifts) need(shift.allFinite(), "a shift that is not finite");
        for (const integrators::ThrownBall& ball : s_.balls)
            need(ball.radius > 0 && ball.mass > 0 && std::isfinite(ball.radius) && std::isfinite(ball.mass) &&
                     ball.velocity.allFinite(),
                 "a ball whose radius or mass is not positive, or with a number that is not finite");
    }

    void factor(const factors::FactorSource* source) {
        if (!source) return;
        need(source->pattern && source->pattern->rows == particles_ &&
                 std::ssize(source->values) == source->pattern->blocks(),
             "a factor of another matrix");
        need(std::ranges::all_of(source->values, [](double v) { return std::isfinite(v); }),
             "a factor that is not finite");
        need(std::ranges::all_of(source->pinned, [&](Index i) { return particle(i); }) &&
                 std::ranges::is_sorted(source->pinned) && std::ranges::is_sorted(source->broken) &&
                 std::ranges::all_of(source->broken, [&](Index e) { return e >= 0 && std::size_t(e) < springs_; }),
             "pinned rows or broken springs of a factor out of range or out of order");
        need(int(source->ordering) >= 0 && std::size_t(source->ordering) < enumTable(source->ordering).size(),
             "a factor in no order");
    }

    const SimulationState& s_;
    const Index particles_;
    const std::size_t springs_, solids_;
    std::string wrong_;
};

}  // namespace

std::string misfit(const SimulationState& state, const Simulation& world) { return Fitting(state, world).run(); }

}  // namespace clothlab::simulation
