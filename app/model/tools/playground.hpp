#pragma once

#include <optional>

#include "cloth/material.hpp"

namespace clothlab::app::model {

struct UiModel;

/// What the left button does in the playground.
enum class PlayTool : int { Hand, Scissors, Ball, Pins };

/// The scenes that are a click away there: one of each kind, all of which stand a hand, a ball and scissors.
struct PlayScene {
    const char* name;
    const char* label;  ///< short
};
inline constexpr PlayScene kPlayScenes[] = {
    {"hang", "A curtain"}, {"flag", "A flag"}, {"tablecloth", "A tablecloth"}, {"stack", "A stack"}};

/// The playground: for those who only want to play. The columns give way to a few large controls
/// (columns/playground_column); all that is set here is the laboratory's, too.
struct Playground {
    static constexpr double kLeastWind = 1, kMostWind = 12;  ///< m/s

    bool on = false;
    PlayTool tool = PlayTool::Hand;
    double wind = 5;         ///< m/s, of the fan
    Vec3 looking{0, 0, -1};  ///< unit: where the camera looks, and the fan blows
    int color = 0;           ///< of the cloth: place in widgets::kClothColors
    struct Fan {
        cloth::WindSettings before;   ///< the wind as it was before it was switched on
        cloth::WindSettings blowing;  ///< and as the fan has made it
    };
    std::optional<Fan> fan;         ///< none: it is off
    std::optional<double> tearing;  ///< material.tear_strain, where it was switched on here
    bool scissors() const { return on && tool == PlayTool::Scissors; }
    bool throws() const { return on && tool == PlayTool::Ball; }
    bool pins() const { return on && tool == PlayTool::Pins; }
};

/// Back in the laboratory the fan is off, nothing tears that did not before, and the hand is the hand.
void togglePlayground(UiModel& model);
/// Off, the wind is again what it was.
void toggleFan(UiModel& model);
/// The cloth tears where it is stretched much further than it is now, or no longer does.
void toggleTearing(UiModel& model);
/// While the fan is on: the wind goes where the camera looks. Where something else has changed the wind since (another
/// scene, an undo), that stays and the fan is off.
void aimFan(UiModel& model);
/// To the next slower or faster pace of those in panels/speeds.hpp that have one; false at the end.
bool changeSpeed(UiModel& model, bool faster);
/// The motion from its start, and on it goes.
void startAgain(UiModel& model);

}  // namespace clothlab::app::model
