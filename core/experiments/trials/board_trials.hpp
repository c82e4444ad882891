#pragma once

#include <optional>
#include <stop_token>

#include "contact/settings.hpp"
#include "experiments/trials/trials.hpp"

/// The table of boards: solids that are thin or fast against a sheet. No energy comes from nothing, nothing goes
/// through unseen, and what is pinched is held.
namespace clothlab::experiments {

/// A board is pushed into a sheet; two jaws pinch a sheet, lift it and hold it for 10 s; a sheet is shot at a plate.
enum class BoardKind : int { Board, Jaws, Shot };
inline constexpr std::array kBoardKinds{
    EnumEntry{int(BoardKind::Board), "board", "board"},
    EnumEntry{int(BoardKind::Jaws), "jaws", "jaws"},
    EnumEntry{int(BoardKind::Shot), "shot", "shot"},
};
constexpr std::span<const EnumEntry> enumTable(BoardKind) { return kBoardKinds; }

/// A hanging sheet is pinned along its top; a lying one falls on a plane, or lies on two blocks if it is hit from
/// below.
enum class BoardSheet : int { Hanging, Lying };
inline constexpr std::array kBoardSheets{
    EnumEntry{int(BoardSheet::Hanging), "hanging", "hanging sheet"},
    EnumEntry{int(BoardSheet::Lying), "lying", "lying sheet"},
};
constexpr std::span<const EnumEntry> enumTable(BoardSheet) { return kBoardSheets; }

struct BoardCase {
    BoardKind kind = BoardKind::Board;
    BoardSheet sheet = BoardSheet::Hanging;
    bool otherSide = false;   ///< the front of a hanging sheet; a lying one from above, pressed onto the plane
    bool edgeFirst = false;   ///< otherwise a face of the board meets the sheet
    double thickness = 0.02;  ///< m
    double speed = 1;         ///< m/s
    double gap = 0;           ///< m, between jaws; negative: they overlap
    contact::SelfCollision contact = contact::SelfCollision::Off;
    integrators::IntegratorKind integrator = integrators::kUsualIntegrator;
};

/// The place of the solids and the length of a run.
struct BoardPlan {
    BoardKind kind = BoardKind::Board;
    scene::Scene scene;
    int solid = 0;         ///< index of the board, or of the jaw used as reference
    int thinAxis = 2;      ///< of the board
    double seconds = 0;    ///< of the run
    double grippedAt = 0;  ///< s, from which creep is measured; jaws
    double speed = 0;      ///< m/s, of the solid
};
BoardPlan makePlan(const BoardCase& which);

/// The result of a run.
struct BoardSeen {
    double startEnergy = 0, mostEnergy = 0, endEnergy = 0;  ///< J, total
    double solidEnergy = 0;  ///< J, kinetic energy of the sheet at the speed of the solid
    int through = 0;   ///< particles that end on the other side of the board, having crossed its thin side within it
    int cut = 0;       ///< edges that end within the board, between particles beside it: not judged
    double creep = 0;  ///< m, largest of the particles between the jaws in 10 s; infinite if there are none
    TrialSteps steps;

    /// The energy that no run may exceed, J.
    double energyLimit() const;
};
/// Limits for jaws that overlap.
inline constexpr double kMostJawCreep = 1e-3, kMostJawStrain = 0.2;
TrialVerdict judgeTrial(const BoardCase& which, const BoardSeen& seen);

/// The number of runs.
int boardRuns();
BoardCase boardCase(int number);
/// "board of 5 mm at 1 m/s, face first, from behind, hanging sheet, robust, xpbd"
std::string boardText(const BoardCase& which);
std::optional<scene::Scene> boardRunScene(int number);
/// Numbers of the runs of a sample.
std::vector<int> boardSample(TrialSample sample);
/// Empty when it was stopped.
std::optional<BoardSeen> runBoard(const BoardPlan& plan, const std::stop_token& stop);

TrialReport boardTrials(const TrialControl& control);

}  // namespace clothlab::experiments
