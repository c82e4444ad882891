#include <fmt/format.h>

#include <algorithm>

#include "base/stage_timer.hpp"
#include "base/statistics.hpp"
#include "factorizations.hpp"
#include "linalg/reduced_system.hpp"
#include "preconditioners/kind.hpp"

namespace clothlab::bench {
namespace {

constexpr double kStiffness[] = {60, 600, 6000};  ///< of stretch, N/m: [Y] Table 2

/// Step 50 of the ball that hits, and PCG with the matrix core on its system.
struct Hit {
    Frame frame;
    linalg::ReducedSystem reduced;
    std::unique_ptr<OurPcg> ours;

    Hit(int side, double stiffness)
        : frame(makeFrame({"ball-hit", side, stiffness, 50, "reduced-pcg", "matrix-core", true})) {
        WorkerPool one;
        reduced.build(frame.system.view(), one);
        ours = std::make_unique<OurPcg>(
            reduced.matrix(), &reduced.core(), reduced.rhs(),
            preconditioners::PreconditionerSettings{preconditioners::PreconditionerKind::MatrixCore});
    }
};

/// Largest over smallest time of our solves, measured in turn.
Ratio spread(const std::vector<std::unique_ptr<Hit>>& hits) {
    std::vector<double> time(hits.size());
    std::vector<std::vector<double>> times(hits.size());
    for (int round = 0; round < 11; ++round) {
        for (std::size_t k = 0; k < hits.size(); ++k) {
            StageTimer timer;
            (*hits[k]->ours)();
            times[k].push_back(timer.lap());
        }
    }
    for (std::size_t k = 0; k < hits.size(); ++k) time[k] = median(times[k]);
    const auto [least, most] = std::minmax_element(time.begin(), time.end());
    const double ratio = *most / *least;
    return {"core_pcg_spread_over_stiffness", ratio, ratio, ratio, 1e3 * *most, 1e3 * *least};
}

}  // namespace

void matrixCoreRatios(std::vector<Ratio>& out) {
    for (const int side : {81, 161}) {
        std::vector<std::unique_ptr<Hit>> hits;
        std::vector<Ratio> parts;
        for (const double stiffness : kStiffness) {
            hits.push_back(std::make_unique<Hit>(side, stiffness));
            const Hit& hit = *hits.back();
            CholeskyPeer peer(hit.reduced.matrix(), hit.reduced.rhs());
            parts.push_back(compare(fmt::format("k = {}, {} iterations", stiffness, hit.ours->iterations()),
                                    std::ref(*hit.ours), std::ref(peer), 9));
            parts.back().detail = true;
        }
        Ratio worst = *std::max_element(parts.begin(), parts.end(),
                                        [](const Ratio& a, const Ratio& b) { return a.median < b.median; });
        worst.name = fmt::format("core_pcg_vs_cholesky_{}_1t", side * side);
        worst.detail = false;
        out.push_back(worst);
        out.insert(out.end(), parts.begin(), parts.end());
        if (side == 161) out.push_back(spread(hits));
    }
}

}  // namespace clothlab::bench
