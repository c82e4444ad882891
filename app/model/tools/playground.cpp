#include "model/tools/playground.hpp"

#include <algorithm>
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

}  // namespace

void togglePlayground(UiModel& model) {
    Playground& play = model.playground;
    stopFan(model);
    play.on = !play.on;
    play.tool = PlayTool::Hand;
    model.popups.keys = false;
    model.closePanel();
}

void toggleFan(UiModel& model) {
    if (model.playground.fan) return stopFan(model);
    model.playground.fan = Playground::Fan{model.settings.wind, model.settings.wind};
    aimFan(model);
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
