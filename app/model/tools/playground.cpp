#include "model/tools/playground.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/speeds.hpp"
#include "model/ui_model.hpp"

namespace clothlab::app::model {

namespace {

/// Off without a word where the wind is somebody else's by now.
void stopFan(UiModel& model) {
    const auto fan = std::exchange(model.playground.fan, {});
    if (fan && model.settings.wind == fan->blowing) model.settings.wind = fan->before;
}

/// The largest strain of any spring, those of bending too: they all tear.
double largestStrain(const worker::Snapshot& now) {
    double largest = 0;
    if (!now.mesh || now.positions.size() < 3 * std::size_t(now.mesh->particles)) return largest;
    const auto at = [&](Index i) {
        const float* p = &now.positions[3 * std::size_t(i)];
        return Vec3(p[0], p[1], p[2]);
    };
    for (const cloth::Spring& s : now.mesh->springs)
        if (s.restLength > 0) largest = std::max(largest, (at(s.j) - at(s.i)).norm() / s.restLength - 1);
    return largest;
}

void stopTearing(UiModel& model) {
    const auto tearing = std::exchange(model.playground.tearing, {});
    if (tearing && model.settings.material.tearStrain == *tearing) model.settings.material.tearStrain = 0;
}

}  // namespace

void togglePlayground(UiModel& model) {
    Playground& play = model.playground;
    stopFan(model);
    stopTearing(model);
    play.on = !play.on;
    model.said.seconds = 0;  // the offer that led here, or what was said there
    play.tool = PlayTool::Hand;
    model.popups.keys = false;
    model.closePanel();
}

void toggleFan(UiModel& model) {
    if (model.playground.fan) return stopFan(model);
    model.playground.fan = Playground::Fan{model.settings.wind, model.settings.wind};
    aimFan(model);
}

void toggleTearing(UiModel& model) {
    double& limit = model.settings.material.tearStrain;
    if (limit > 0) {
        limit = 0;
        return model.playground.tearing.reset();
    }
    // Beyond what hanging, falling and wind do to it, and within what a hand can do (grab.max_stretch).
    constexpr double kLeast = 0.5, kBeyond = 1.3, kMost = 0.85;
    limit = std::round(100 * std::clamp(kBeyond * largestStrain(*model.snapshot), kLeast, kMost)) / 100;
    model.playground.tearing = limit;
}

void aimFan(UiModel& model) {
    Playground& play = model.playground;
    if (!play.fan) return;
    if (!(model.settings.wind == play.fan->blowing)) return play.fan.reset();
    constexpr double kGust = 0.35, kDrag = 1.2;
    constexpr double kTremble = 0.02;  // of the speed: a camera that is hardly turned posts no settings
    const Vec3 wanted = play.wind * play.looking;
    cloth::WindSettings& wind = model.settings.wind;
    if ((wind.velocity - wanted).norm() > kTremble * play.wind) wind.velocity = wanted;
    wind.gust = kGust;
    wind.dragCoefficient = std::max(play.fan->before.dragCoefficient, kDrag);
    play.fan->blowing = wind;
}

bool changeSpeed(UiModel& model, bool faster) {
    // As fast as it goes stands at the fast end.
    const auto pace = [](double factor) { return factor > 0 ? factor : 1e9; };
    const Speed* next = nullptr;
    for (const Speed& speed : kSpeeds) {
        if (speed.factor <= 0) continue;
        const bool further = faster ? speed.factor > pace(model.speed) : speed.factor < pace(model.speed);
        if (further && (!next || (faster ? speed.factor < next->factor : speed.factor > next->factor))) next = &speed;
    }
    if (!next) return false;
    setSpeed(model, next->factor);
    return true;
}

void startAgain(UiModel& model) {
    restart(model);
    if (!model.playing) togglePlaying(model);
}

}  // namespace clothlab::app::model
