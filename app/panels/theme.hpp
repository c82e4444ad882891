#pragma once

#include <imgui.h>

#include <string>

#include "integrators/settings.hpp"
#include "preconditioners/settings.hpp"
#include "solvers/settings.hpp"

namespace clothlab::app {

/// 0xRRGGBB as ImGui packs colours.
constexpr ImU32 rgb(unsigned hex, unsigned alpha = 255) {
    return ((hex >> 16) & 255u) | (hex & 0xff00u) | ((hex & 255u) << 16) | (alpha << 24);
}

/// The colours of the instrument. Colour is kept for data; red means stress or error and nothing else.
namespace palette {
inline constexpr ImU32 kGroundDark = rgb(0x14171c), kGroundLight = rgb(0x20252d);
inline constexpr ImU32 kPanel = rgb(0x1b1f26), kField = rgb(0x242a33), kFieldHover = rgb(0x2c333e);
inline constexpr ImU32 kLine = rgb(0x2a303a), kText = rgb(0xd9dee6), kQuiet = rgb(0x8b95a3);
inline constexpr ImU32 kKnob = rgb(0xe3e9f1), kTrack = rgb(0x5b6675), kPin = rgb(0xffd166);
inline constexpr ImU32 kToggleOn = rgb(0xb4bfcc);
inline constexpr ImU32 kPlotGround = rgb(0x15181d), kError = rgb(0xff6b6b);
inline constexpr ImU32 kErrorGround = rgb(0x3a1f24, 240);
}  // namespace palette

/// The colour of a method, the same in every curve, row and legend.
ImU32 methodColor(preconditioners::PreconditionerKind kind);
/// Of an integrator, where methods are told apart by it.
ImU32 methodColor(integrators::IntegratorKind kind);
/// Of a solve: a direct solver has its own colour, a CG solver that of its preconditioner.
ImU32 methodColor(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner);
/// "Reduced PCG + Block Jacobi", or the direct solver alone.
std::string methodName(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner);

/// Fonts and sizes; owned by the window, made for one content scale.
struct Theme {
    float scale = 1;
    ImFont* text = nullptr;    ///< 15 points
    ImFont* strong = nullptr;  ///< the same, semibold: headings
    ImFont* small = nullptr;   ///< 12.5 points: axes, notes

    float px(float points) const { return points * scale; }
};

/// Sets ImGui's style and adds the fonts (Inter where it is installed, else ImGui's own) to the context's atlas. Before
/// the first frame, or when the atlas is rebuilt.
Theme applyTheme(float contentScale);

}  // namespace clothlab::app
