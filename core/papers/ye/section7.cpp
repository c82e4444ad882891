#include "papers/ye/frames.hpp"

/// [Y] Ye, Webber, Wang 2009, section 7: what becomes of the iterations when contact moves particles.
namespace clothlab::papers::ye {
namespace {

struct Springs {
    const char* name;
    bool tensionOnly;
};
constexpr std::array kSprings{Springs{"tension-only", true}, Springs{"two-sided", false}};

constexpr int kFallSide = 81, kQuickFallSide = 31;

struct Counted {
    const char* key;
    Method method;
};
const std::array kCounted{
    Counted{"mpcg_iterations", mpcg()},
    Counted{"core_iterations", corePcg()},
};

Expected<void> addRows(const Springs& springs, const std::vector<int>& steps, Job& job,
                       std::vector<ReproductionRow>& rows) {
    const auto clump = walkFrames(
        clumpScene(kFallSide, kQuickFallSide, {fmt::format("material.tension_only={}", springs.tensionOnly)}, job),
        steps, job);
    if (!clump) return fail(clump.error());
    for (const Frame& frame : clump->frames) {
        records::Entries ours{{"repositioned", frame.share(Index(frame.start.collided.size()))},
                              {"held", frame.share(frame.report.ndofCounts[0])},
                              {"sliding", frame.share(frame.report.ndofCounts[2])}};
        for (const Counted& counted : kCounted) {
            const Timing t = timeSolve(counted.method, frame.system.view(), 0, job);
            if (job.stopped()) return fail("stopped");
            if (solvers::converged(t.status))
                ours.emplace_back(counted.key, double(t.iterations));
            else
                ours.emplace_back(counted.key, std::string(enumKey(t.status)));
        }
        rows.push_back({{{"springs", springs.name}, {"step", double(frame.report.step)}}, std::move(ours)});
    }
    return {};
}

}  // namespace

Expected<Reproduction> section7(Job& job) {
    const std::vector<int> steps = stepsFrom(100, job.choose(9, 3, 3), job.choose(25, 20, 20));
    job.tell("side", job.side(kFallSide, kQuickFallSide));
    return tableOfCases(
        kSprings, job, [](const Springs& s) { return std::string(s.name); },
        [&](const Springs& s, auto& rows) { return addRows(s, steps, job, rows); });
}

}  // namespace clothlab::papers::ye
