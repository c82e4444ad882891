#pragma once

#include <optional>
#include <stop_token>

#include "experiments/trials/trials.hpp"

/// The table of slopes: a sheet on a plane for which Coulomb's law predicts whether it holds, slides or comes to rest,
/// and how far it moves.
namespace clothlab::experiments {

/// The start of the sheet.
enum class SlopePlacement : int { Exact, Above, Inside, Thrown };
inline constexpr std::array kSlopePlacements{
    EnumEntry{int(SlopePlacement::Exact), "exact", "laid exactly on the plane"},
    EnumEntry{int(SlopePlacement::Above), "above", "0.1 mm above the plane"},
    EnumEntry{int(SlopePlacement::Inside), "inside", "2 mm inside the plane"},
    EnumEntry{int(SlopePlacement::Thrown), "thrown", "thrown down the slope at 0.5 m/s"},
};
constexpr std::span<const EnumEntry> enumTable(SlopePlacement) { return kSlopePlacements; }

struct SlopeCase {
    double degrees = 20, muS = 0.5, muK = 0.4;
    integrators::IntegratorKind integrator = integrators::kUsualIntegrator;
    double stiffness = 500;  ///< N/m
    double dt = 0.01;        ///< s
    SlopePlacement placement = SlopePlacement::Exact;
};

/// The predicted motion of a sheet on a slope.
enum class SlopeMotion : int { Holds, Slides, Stops };
inline constexpr std::array kSlopeMotions{
    EnumEntry{int(SlopeMotion::Holds), "holds", "holds"},
    EnumEntry{int(SlopeMotion::Slides), "slides", "slides"},
    EnumEntry{int(SlopeMotion::Stops), "stops", "stops"},
};
constexpr std::span<const EnumEntry> enumTable(SlopeMotion) { return kSlopeMotions; }

/// By Coulomb's law, for a rigid sheet.
struct SlopeLaw {
    SlopeMotion motion = SlopeMotion::Holds;
    double seconds = 10;    ///< of the run
    double distance = 0;    ///< m down the slope: at the end, or up to standstill
    double standstill = 0;  ///< s, from which creep is measured
    double tolerance = 0;   ///< of the distance, relative; 0: the distance is not judged
    double mostShift = 0;   ///< m, of a sheet that holds from the start; 0: not judged
};
/// Empty where the law leaves the outcome open: a dropped sheet with mu_k < tan < mu_s may stick at the impact or
/// slide.
std::optional<SlopeLaw> slopeLaw(const SlopeCase& which);

/// The result of a run.
struct SlopeSeen {
    double distance = 0;   ///< m down the slope, mean of the particles: at the end, or at standstill
    double creep = 0;      ///< m in 10 s after standstill
    bool finished = true;  ///< no step failed
    TrialSteps steps;
};
/// Largest allowed creep in 10 s, m.
inline constexpr double kMostCreep = 2e-3;
TrialVerdict judgeTrial(const SlopeLaw& law, const SlopeSeen& seen);

/// All cells, by number: angle, friction, integrator, stiffness, step, placement.
TrialAxes slopeAxes();
SlopeCase slopeCase(std::span<const int> cell);
/// "20 degrees, mu 0.5/0.4, bdf2, k 50 N/m, 10 ms, laid exactly on the plane"
std::string slopeText(const SlopeCase& which);
scene::Scene slopeScene(const SlopeCase& which);
/// The same by the number of a run; empty if there is no such run.
std::optional<scene::Scene> slopeRunScene(int number);
/// Numbers of the runs of a sample.
std::vector<int> slopeSample(TrialSample sample);
/// Empty when it was stopped.
std::optional<SlopeSeen> runSlope(const SlopeCase& which, const SlopeLaw& law, const std::stop_token& stop);

TrialReport slopeTrials(const TrialControl& control);

}  // namespace clothlab::experiments
