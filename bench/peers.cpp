#include "base/simd.hpp"
#include "base/stage_timer.hpp"
#include "base/statistics.hpp"
#include "bench.hpp"

namespace clothlab::bench {

void MemoryReader::read() {
    using simd::Double4;
    Double4 sum[4] = {Double4::zero(), Double4::zero(), Double4::zero(), Double4::zero()};
    const double* p = words_.data();
    std::size_t k = 0;
    for (; k + 16 <= words_.size(); k += 16)
        for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] = sum[lane] + Double4::load(p + k + 4 * lane);
    sink_ += (sum[0] + sum[1] + sum[2] + sum[3]).sum();
}

Ratio compare(std::string name, const std::function<void()>& ours, const std::function<void()>& peer, int pairs) {
    ours();
    peer();
    std::vector<double> ratios, mine, theirs;
    for (int n = 0; n < pairs; ++n) {
        StageTimer timer;
        ours();
        mine.push_back(timer.lap());
        peer();
        theirs.push_back(timer.lap());
        ratios.push_back(mine.back() / theirs.back());
    }
    return {std::move(name),        quantile(ratios, 0.5),     quantile(ratios, 0.25),
            quantile(ratios, 0.75), 1e3 * quantile(mine, 0.5), 1e3 * quantile(theirs, 0.5)};
}

std::function<void()> fastestOf(const std::vector<std::function<void()>>& peers) {
    std::size_t fastest = 0;
    double best = 1e300;
    for (std::size_t k = 0; k < peers.size(); ++k) {
        peers[k]();
        for (int repeat = 0; repeat < 3; ++repeat) {
            StageTimer timer;
            peers[k]();
            if (const double seconds = timer.seconds(); seconds < best) {
                best = seconds;
                fastest = k;
            }
        }
    }
    return peers[fastest];
}

}  // namespace clothlab::bench
