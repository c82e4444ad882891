#include <fmt/format.h>

#include "bench.hpp"

namespace clothlab::bench {

/// Whole steps of a sheet with incomplete Cholesky, in readings of their matrix by one thread. A step assembles the
/// matrix, factors it and multiplies with it about ten times, so the ratio tells how far it is from the memory limit.
void wholeStepRatios(std::vector<Ratio>& out) {
    struct Row {
        int side, threads;
    };
    for (const auto [side, threads] : {Row{50, 1}, Row{100, 1}, Row{161, 1}, Row{161, 2}, Row{321, 2}}) {
        Frame frame = makeFrame({"hang", side, 6000, 20, "reduced-pcg", "incomplete-cholesky"});
        scene::Settings settings = frame.simulation->settings();
        settings.threads = threads;
        frame.simulation->apply(settings);
        MemoryReader reader(76 * std::size_t(frame.system.A.occupiedBlocks()));
        out.push_back(compare(
            fmt::format("step_{}_{}t", side * side, threads), [&] { frame.simulation->step(); }, [&] { reader.read(); },
            15));
    }
}

}  // namespace clothlab::bench
