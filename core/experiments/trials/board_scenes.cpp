#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/trials/board_trials.hpp"
#include "integrators/kind.hpp"

namespace clothlab::experiments {
namespace {

using integrators::IntegratorKind;

constexpr std::array kThicknesses{0.001, 0.002, 0.005, 0.01, 0.02, 0.04};  // m
constexpr std::array kSpeeds{0.1, 0.5, 1.0, 5.0, 20.0};                    // m/s
constexpr std::array kGaps{0.001, -0.002};                                 // m
constexpr std::array kContacts{contact::SelfCollision::Off, contact::SelfCollision::Robust};
constexpr std::array kMethods{IntegratorKind::LinearizedBackwardEuler, IntegratorKind::NewtonBackwardEuler,
                              IntegratorKind::Xpbd, IntegratorKind::FastMassSpring};
constexpr int kSpeedAxis = 4;
constexpr int kFewBoards = 16, kCoveringBoards = 240;

constexpr double kBoardDt = 0.01;     // s
constexpr double kBoardHalf = 0.2;    // m, of both long sides: rows of particles meet the rim
constexpr double kBefore = 0.1;       // m, from the board to the sheet at the start
constexpr double kPush = 0.4;         // m, that it moves
constexpr double kAfter = 0.5;        // s, at rest
constexpr double kFallHeight = 0.05;  // m, of a sheet above the plane
constexpr double kLastGap = 1e-3;     // m, between a board that presses and the plane
constexpr double kShotSpeed = 50;     // m/s
constexpr double kCloseBy = 0.5, kLiftFrom = 0.7, kLiftBy = 1.7, kGrippedAt = 2.0, kHeldFor = 10;  // s

TrialAxes boardAxes() {
    return TrialAxes({2, 2, 2, int(kThicknesses.size()), int(kSpeeds.size()), 2, int(kMethods.size())});
}
TrialAxes jawAxes() { return TrialAxes({2, int(kGaps.size()), 2, int(kMethods.size())}); }
TrialAxes shotAxes() { return TrialAxes({2, int(kMethods.size())}); }

contact::Collider block(const Vec3& halfSize, const Vec3& position) {
    contact::Collider out;
    out.shape = geometry::Box{halfSize};
    out.position = position;
    return out;
}

/// A sheet of 1 m, 33 mm from one particle to the next.
scene::Scene sheetScene(const BoardCase& which) {
    scene::Scene scene;
    scene.name = "board";
    scene.title = boardText(which);
    scene::ClothPatch sheet;
    sheet.rows = sheet.columns = 31;
    sheet.side = 1;
    sheet.origin = {-0.5, 1.5, 0.0013};
    if (which.kind != BoardKind::Shot && which.sheet == BoardSheet::Lying) {
        sheet.rowAxis = Vec3::UnitZ();
        sheet.origin = {-0.5, 0.0001, -0.4987};
    }
    scene.cloths.push_back(std::move(sheet));
    scene.settings.integrator.kind = which.integrator;
    scene.settings.integrator.dt = kBoardDt;
    scene.settings.contact.selfCollision = which.contact;
    return scene;
}

void pinTop(scene::Scene& scene) {
    scene::ScenePin pin;
    pin.where.columnTo = scene.cloths.front().columns - 1;
    scene.pins.push_back(pin);
}

/// Between them is room for what comes from below.
void addBlocks(scene::Scene& scene) {
    for (const double side : {-1.0, 1.0}) scene.colliders.push_back(block({0.15, 0.2, 0.6}, {side * 0.4, -0.2, 0}));
}

BoardPlan pushed(const BoardCase& which) {
    BoardPlan plan{.scene = sheetScene(which), .speed = which.speed};
    const bool hangs = which.sheet == BoardSheet::Hanging, presses = !hangs && which.otherSide;
    const int along = hangs ? 2 : 1;
    Vec3 direction = Vec3::Zero();
    direction[along] = which.otherSide ? -1 : 1;
    plan.thinAxis = which.edgeFirst ? 3 - along : along;
    Vec3 half = Vec3::Constant(kBoardHalf);
    half[plan.thinAxis] = which.thickness / 2;
    Vec3 meets = hangs ? Vec3(0, 1, 0) : Vec3::Zero();
    double push = kPush;
    if (hangs) {
        pinTop(plan.scene);
    } else if (presses) {
        plan.scene.cloths.front().origin.y() = meets.y() = kFallHeight;
        push = kBefore + kFallHeight - kLastGap;
    } else {
        addBlocks(plan.scene);
    }
    plan.solid = int(plan.scene.colliders.size());
    contact::Collider board = block(half, meets - (kBefore + half[along]) * direction);
    board.velocity = which.speed * direction;
    board.stopTime = push / which.speed;
    plan.scene.colliders.push_back(std::move(board));
    if (presses) {
        contact::Collider plane;
        plane.shape = geometry::Plane{};
        plan.scene.colliders.push_back(std::move(plane));
    }
    plan.seconds = push / which.speed + kAfter;
    return plan;
}

BoardPlan pinched(const BoardCase& which) {
    BoardPlan plan{.scene = sheetScene(which), .grippedAt = kGrippedAt};
    const bool hangs = which.sheet == BoardSheet::Hanging;
    plan.thinAxis = hangs ? 2 : 1;
    const double close = kBefore - which.gap / 2, lift = hangs ? 0.2 : 0.3;
    hangs ? pinTop(plan.scene) : addBlocks(plan.scene);
    plan.solid = int(plan.scene.colliders.size());
    for (const double side : {-1.0, 1.0}) {
        Vec3 place = hangs ? Vec3(0, 0.9, 0) : Vec3::Zero(), toward = Vec3::Zero();
        place[plan.thinAxis] += side * (kBefore + 0.05);
        toward[plan.thinAxis] = -side * close;
        contact::Collider jaw = block(hangs ? Vec3(0.2, 0.05, 0.05) : Vec3(0.05, 0.05, 0.2), place);
        const Vec3 lifted = toward + lift * Vec3::UnitY();
        jaw.keyframes = {{0, Vec3::Zero()}, {kCloseBy, toward}, {kLiftFrom, toward}, {kLiftBy, lifted}};
        plan.scene.colliders.push_back(std::move(jaw));
    }
    plan.seconds = kGrippedAt + kHeldFor;
    plan.speed = lift / (kLiftBy - kLiftFrom);
    return plan;
}

BoardPlan shot(const BoardCase& which) {
    BoardPlan plan{.scene = sheetScene(which), .seconds = 0.3};
    plan.scene.cloths.front().velocity = {0, 0, kShotSpeed};
    plan.scene.colliders.push_back(block({0.8, 0.8, which.thickness / 2}, {0, 1, 0.2}));
    return plan;
}

}  // namespace

BoardPlan makePlan(const BoardCase& which) {
    BoardPlan plan = which.kind == BoardKind::Board  ? pushed(which)
                     : which.kind == BoardKind::Jaws ? pinched(which)
                                                     : shot(which);
    plan.kind = which.kind;
    plan.scene.steps = int(std::lround(plan.seconds / kBoardDt));
    return plan;
}

int boardRuns() { return boardAxes().cells() + jawAxes().cells() + shotAxes().cells(); }

BoardCase boardCase(int number) {
    const int boards = boardAxes().cells(), jaws = jawAxes().cells();
    if (number < boards) {
        const std::vector<int> cell = boardAxes().cell(number);
        return {.sheet = static_cast<BoardSheet>(cell[0]),
                .otherSide = cell[1] == 1,
                .edgeFirst = cell[2] == 1,
                .thickness = kThicknesses[cell[3]],
                .speed = kSpeeds[cell[kSpeedAxis]],
                .contact = kContacts[cell[5]],
                .integrator = kMethods[cell[6]]};
    }
    if (number < boards + jaws) {
        const std::vector<int> cell = jawAxes().cell(number - boards);
        return {.kind = BoardKind::Jaws,
                .sheet = static_cast<BoardSheet>(cell[0]),
                .gap = kGaps[cell[1]],
                .contact = kContacts[cell[2]],
                .integrator = kMethods[cell[3]]};
    }
    const std::vector<int> cell = shotAxes().cell(number - boards - jaws);
    return {.kind = BoardKind::Shot,
            .thickness = 0.002,
            .speed = kShotSpeed,
            .contact = kContacts[cell[0]],
            .integrator = kMethods[cell[1]]};
}

std::string boardText(const BoardCase& which) {
    const std::string method = fmt::format("{}, {}", enumKey(which.contact), enumKey(which.integrator));
    if (which.kind == BoardKind::Shot)
        return fmt::format("sheet at {} m/s at a plate of {} mm, {}", which.speed, 1000 * which.thickness, method);
    const bool hangs = which.sheet == BoardSheet::Hanging;
    if (which.kind == BoardKind::Jaws)
        return fmt::format("jaws with {} of {} mm, {}, {}", which.gap < 0 ? "an overlap" : "a gap",
                           1000 * std::abs(which.gap), enumLabel(which.sheet), method);
    return fmt::format(
        "board of {} mm at {} m/s, {} first, {}, {}, {}", 1000 * which.thickness, which.speed,
        which.edgeFirst ? "edge" : "face",
        which.otherSide ? (hangs ? "from the front" : "from above") : (hangs ? "from behind" : "from below"),
        enumLabel(which.sheet), method);
}

std::optional<scene::Scene> boardRunScene(int number) {
    if (number >= boardRuns()) return {};
    return makePlan(boardCase(number)).scene;
}

std::vector<int> boardSample(TrialSample sample) {
    const TrialAxes axes = boardAxes();
    const bool few = sample == TrialSample::Few;
    std::vector<int> out;
    if (sample == TrialSample::Full)
        for (int number = 0; number < axes.cells(); ++number) out.push_back(number);
    else  // the slowest boards take the most steps
        out = coveringSample(
            axes, [&](std::span<const int> cell) { return !few || kSpeeds[cell[kSpeedAxis]] >= 1; },
            few ? kFewBoards : kCoveringBoards);
    for (int number = axes.cells(); number < boardRuns(); ++number) {
        const BoardCase which = boardCase(number);
        const bool quick = which.contact == contact::SelfCollision::Off;
        if (!few ||
            (quick && (which.kind == BoardKind::Shot || (which.gap < 0 && which.sheet == BoardSheet::Hanging &&
                                                         which.integrator == IntegratorKind::LinearizedBackwardEuler))))
            out.push_back(number);
    }
    return out;
}

}  // namespace clothlab::experiments
