#include "experiments/trials/slope_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "integrators/methods/catalogue.hpp"

namespace clothlab::experiments {
namespace {

constexpr std::array kAngles{5.0, 10.0, 15.0, 20.0, 25.0, 30.0};
struct Friction {
    double muS, muK;
};
constexpr std::array kFrictions{Friction{0, 0}, Friction{0.1, 0.08}, Friction{0.3, 0.25}, Friction{0.5, 0.4},
                                Friction{0.8, 0.6}};
constexpr std::array kStiffnesses{5.0, 50.0, 500.0, 5000.0};
constexpr std::array kSteps{0.001, 0.002, 0.005, 0.01, 0.02};
constexpr int kStepAxis = 4;

constexpr double kSide = 0.4;      // m
constexpr double kThrown = 0.5;    // m/s
constexpr double kGravity = 9.81;  // m/s^2
constexpr double kSlideSeconds = 2;
constexpr int kMostCovering = 600;

/// So many that each integrator occurs.
int mostFew() { return 2 * int(integrators::catalogue().size()) + 4; }

double radians(const SlopeCase& which) { return which.degrees * std::numbers::pi / 180; }
Vec3 downhill(const SlopeCase& which) { return {std::cos(radians(which)), -std::sin(radians(which)), 0}; }
Vec3 computeNormal(const SlopeCase& which) { return {std::sin(radians(which)), std::cos(radians(which)), 0}; }

double meanAlong(const linalg::BlockVector& x, const Vec3& axis) {
    double sum = 0;
    for (Index i = 0; i < x.size(); ++i) sum += axis.dot(x[i]);
    return sum / x.size();
}

bool existsCell(std::span<const int> cell) { return slopeLaw(slopeCase(cell)).has_value(); }

/// The law of a rigid sheet that slides from the start.
SlopeLaw slides(double speed, double acceleration, double tolerance, double dt) {
    SlopeLaw law{.motion = SlopeMotion::Slides, .seconds = kSlideSeconds, .standstill = kSlideSeconds};
    law.distance = (speed + acceleration * law.seconds / 2) * law.seconds;
    law.tolerance = std::max(tolerance, dt / law.seconds);
    return law;
}

}  // namespace

std::optional<SlopeLaw> slopeLaw(const SlopeCase& which) {
    const double sine = std::sin(radians(which)), cosine = std::cos(radians(which)), slope = sine / cosine;
    const double acceleration = kGravity * (sine - which.muK * cosine);
    const bool thrown = which.placement == SlopePlacement::Thrown, dropped = which.placement == SlopePlacement::Above;
    const double speed = thrown ? kThrown : 0;
    if (which.muS == 0) {
        SlopeLaw law = slides(speed, acceleration, 0.02, 0);
        return law;
    }
    const bool between = which.muK < slope && slope <= which.muS;
    if (between && dropped) return {};
    if (slope > which.muS || (between && thrown)) return slides(speed, acceleration, 0.05, which.dt);
    SlopeLaw law{.motion = SlopeMotion::Holds, .seconds = which.dt < 0.005 ? 5.0 : 10.0};
    if (thrown) {
        law.motion = SlopeMotion::Stops;
        const double stopping = speed / -acceleration;
        law.distance = speed * stopping / 2;
        law.tolerance = std::max(0.05, which.dt / stopping);
        law.standstill = std::max(1.0, 1.25 * stopping + 0.1);
    } else {
        law.standstill = dropped ? 1.0 : law.seconds / 2;
        law.mostShift = dropped ? 0 : kMostCreep;
    }
    return law;
}

TrialVerdict judgeTrial(const SlopeLaw& law, const SlopeSeen& seen) {
    bool holds = seen.finished;
    const auto want = [&holds](bool that) { holds = holds && that; };  // NaN is nothing that holds
    if (law.tolerance > 0) want(std::abs(seen.distance / law.distance - 1) <= law.tolerance);
    if (law.mostShift > 0) want(std::abs(seen.distance) <= law.mostShift);
    if (law.motion != SlopeMotion::Slides) want(std::abs(seen.creep) <= kMostCreep);
    return judgeTrial(holds, seen.steps.worst);
}

TrialAxes slopeAxes() {
    return TrialAxes({int(kAngles.size()), int(kFrictions.size()), int(integrators::catalogue().size()),
                      int(kStiffnesses.size()), int(kSteps.size()), int(kSlopePlacements.size())});
}

SlopeCase slopeCase(std::span<const int> cell) {
    return {.degrees = kAngles[cell[0]],
            .muS = kFrictions[cell[1]].muS,
            .muK = kFrictions[cell[1]].muK,
            .integrator = integrators::catalogue()[cell[2]].kind,
            .stiffness = kStiffnesses[cell[3]],
            .dt = kSteps[cell[kStepAxis]],
            .placement = static_cast<SlopePlacement>(cell[5])};
}

std::string slopeText(const SlopeCase& which) {
    return fmt::format("{} degrees, mu_s {}, mu_k {}, {}, k {} N/m, {} ms, {}", which.degrees, which.muS, which.muK,
                       enumKey(which.integrator), which.stiffness, 1000 * which.dt, enumLabel(which.placement));
}

scene::Scene slopeScene(const SlopeCase& which) {
    const Vec3 down = downhill(which), normal = computeNormal(which);
    const double height = which.placement == SlopePlacement::Above    ? 1e-4
                          : which.placement == SlopePlacement::Inside ? -2e-3
                                                                      : 0;
    scene::Scene scene;
    scene.name = "slope";
    scene.title = slopeText(which);
    scene::ClothPatch sheet;
    sheet.rows = sheet.columns = 13;
    sheet.side = kSide;
    sheet.origin = -0.5 * kSide * (down + Vec3::UnitZ()) + height * normal;
    sheet.columnAxis = down;
    sheet.rowAxis = Vec3::UnitZ();
    if (which.placement == SlopePlacement::Thrown) sheet.velocity = kThrown * down;
    scene.cloths.push_back(std::move(sheet));
    contact::Collider plane;
    plane.shape = geometry::Plane{};
    plane.orientation = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), normal);
    scene.colliders.push_back(std::move(plane));
    scene::Settings& settings = scene.settings;
    settings.gravity = {0, -kGravity, 0};
    settings.material.density = 0.2;
    settings.material.stretchStiffness = which.stiffness;
    settings.integrator.kind = which.integrator;
    settings.integrator.dt = which.dt;
    settings.contact.muS = which.muS;
    settings.contact.muK = which.muK;
    if (const auto law = slopeLaw(which)) scene.steps = int(std::lround(law->seconds / which.dt));
    return scene;
}

std::optional<scene::Scene> slopeRunScene(int number) {
    const TrialAxes axes = slopeAxes();
    if (number >= axes.cells() || !existsCell(axes.cell(number))) return {};
    return slopeScene(slopeCase(axes.cell(number)));
}

std::vector<int> slopeSample(TrialSample sample) {
    const TrialAxes axes = slopeAxes();
    if (sample == TrialSample::Covering) return coveringSample(axes, existsCell, kMostCovering);
    if (sample == TrialSample::Few)  // long steps alone, for the time that it takes
        return coveringSample(
            axes, [](std::span<const int> cell) { return kSteps[cell[kStepAxis]] >= 0.005 && existsCell(cell); },
            mostFew());
    std::vector<int> all;
    for (int number = 0; number < axes.cells(); ++number)
        if (existsCell(axes.cell(number))) all.push_back(number);
    return all;
}

std::optional<SlopeSeen> runSlope(const SlopeCase& which, const SlopeLaw& law, const std::stop_token& stop) {
    const Vec3 down = downhill(which);
    SlopeSeen seen;
    double start = 0, last = 0, atStandstill = 0;
    const TrialLooks looks{.start = [&](const simulation::Simulation& now) { start = meanAlong(now.state().x, down); },
                           .step =
                               [&](const simulation::Simulation& now) {
                                   last = meanAlong(now.state().x, down) - start;
                                   if (now.state().time <= law.standstill + 1e-9) atStandstill = last;
                               }};
    if (!runTrial(slopeScene(which), law.seconds, stop, seen.steps, looks)) return {};
    seen.finished = !hasFailed(seen.steps.worst);
    seen.distance = law.motion == SlopeMotion::Stops ? atStandstill : last;
    if (law.motion != SlopeMotion::Slides) seen.creep = (last - atStandstill) * 10 / (law.seconds - law.standstill);
    return seen;
}

}  // namespace clothlab::experiments
