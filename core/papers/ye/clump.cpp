#include "papers/ye/clump.hpp"

#include <algorithm>
#include <cstdlib>

namespace clothlab::papers::ye {
namespace {

constexpr int kFirst = 100;

}  // namespace

std::vector<int> clumpSteps(int frames, int apart) {
    std::vector<int> out;
    for (int k = 0; k < frames; ++k) out.push_back(kFirst + k * apart);
    return out;
}

Expected<scene::Scene> clumpScene(const std::vector<std::string>& sets, Job& job) {
    std::vector<std::string> all = square(job.side(81, 31));
    all.insert(all.end(), sets.begin(), sets.end());
    return paperScene("ye-clump", job, all);
}

Expected<Clump> walkClump(const std::vector<std::string>& sets, const std::vector<int>& steps, Job& job) {
    auto made = simulationOf(clumpScene(sets, job), job);
    if (!made) return tl::unexpected(made.error());
    const simulation::Simulation& simulation = **made;
    const auto nearAFrame = [&](std::int64_t step, int reach) {
        return std::ranges::any_of(steps, [&](int frame) { return std::abs(step - frame) <= reach; });
    };
    Clump out;
    integrators::SimulationState start;
    int timed = 0;
    const auto onStep = [&](const simulation::StepReport& report) {
        if (nearAFrame(report.step, 0))
            out.frames.push_back({*simulation.systemOfLastStep(), std::move(start), report});
        if (nearAFrame(report.step + 1, 0)) start = simulation.state();
        if (!nearAFrame(report.step, kAround)) return;
        ++timed;
        out.assembleMs += report.assembleMs;
        out.contactMs += report.contactMs;
    };
    if (auto walked = walk(**made, steps.back() + kAround, job, onStep, true); !walked)
        return tl::unexpected(walked.error());
    out.assembleMs /= timed;
    out.contactMs /= timed;
    return out;
}

}  // namespace clothlab::papers::ye
