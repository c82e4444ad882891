#pragma once

#include <optional>

#include "cloth/material.hpp"

namespace clothlab::app::model {

struct UiModel;

/// What the left button does in the playground.
enum class PlayTool : int { Hand, Scissors, Ball, Pins };

/// The scenes of the playground: one of each kind, all robust to a hand, a ball and scissors.
struct PlayScene {
    const char* name;
    const char* label;  ///< short
};
inline constexpr PlayScene kPlayScenes[] = {
    {"hang", "A curtain"}, {"flag", "A flag"}, {"tablecloth", "A tablecloth"}, {"stack", "A stack"}};

/// The playground: a few large controls in place of the columns (columns/playground_column). Settings made here also
/// apply in the laboratory.
struct Playground {
    static constexpr double kLeastWind = 1, kMostWind = 12;  ///< m/s

    bool on = false;
    PlayTool tool = PlayTool::Hand;
    double wind = 5;         ///< m/s, of the fan
    Vec3 looking{0, 0, -1};  ///< unit: where the camera looks, and the fan blows
    int color = 0;           ///< of the cloth: place in widgets::kClothColors
    struct Fan {
        cloth::WindSettings before;   ///< wind before it was switched on
        cloth::WindSettings blowing;  ///< wind set by the fan
    };
    std::optional<Fan> fan;         ///< none: it is off
    std::optional<double> tearing;  ///< material.tear_strain, where it was switched on here
    bool scissors() const { return on && tool == PlayTool::Scissors; }
    bool throws() const { return on && tool == PlayTool::Ball; }
    bool pins() const { return on && tool == PlayTool::Pins; }
};

/// Leaving it switches the fan and the tearing of the playground off, and selects the hand.
void togglePlayground(UiModel& model);
/// Switching it off restores the wind.
void toggleFan(UiModel& model);
/// The cloth tears where it is stretched much further than it is now, or no longer does.
void toggleTearing(UiModel& model);
/// While the fan is on, it blows where the camera looks. If the wind has been changed otherwise (another scene, an
/// undo), that is kept and the fan is off.
void aimFan(UiModel& model);
/// To the next slower or faster limited speed of model/speeds.hpp; false at the end.
bool changeSpeed(UiModel& model, bool faster);
/// Restarts the motion and plays.
void startAgain(UiModel& model);

}  // namespace clothlab::app::model
