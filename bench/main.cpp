#include <fmt/format.h>

#include <cstring>

#include "base/platform.hpp"
#include "bench.hpp"

using namespace clothlab;

int main(int argc, char** argv) {
    bool json = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--json") == 0) {
            json = true;
        } else {
            fmt::print(stderr, "unknown option '{}' (valid: --json)\n", argv[i]);
            return 2;
        }
    }
    platform::singleThreadedBlas();
    const bench::Frame frame = bench::makeFrame();
    std::vector<bench::Ratio> ratios;
    bench::jacobiPcgRatios(frame, ratios);
    bench::assemblyRatios(frame, ratios);
    bench::incompleteCholeskyRatios(frame, ratios);
    bench::matrixCoreRatios(ratios);
    if (json) {
        std::string body;
        for (const bench::Ratio& r : ratios)
            if (!r.detail) body += fmt::format("{}\"{}\": {:.4f}", body.empty() ? "" : ", ", r.name, r.median);
        fmt::print("{{{}}}\n", body);
        return 0;
    }
    fmt::print("{}\n161 x 161, hang, step 40: {} rows, {} of {} blocks occupied\n\n", platform::cpuName(), frame.system.A.rows(),
               frame.system.A.occupiedBlocks(), frame.system.A.pattern().blocks());
    fmt::print("{:<36} {:>7} {:>15} {:>10} {:>10}\n", "ours / peer (lower is better)", "median", "quartiles", "ours ms", "peer ms");
    for (const bench::Ratio& r : ratios)
        fmt::print("{:<36} {:>7.3f} {:>7.3f}-{:<7.3f} {:>10.3f} {:>10.3f}\n", (r.detail ? "  " : "") + r.name, r.median, r.low, r.high, r.oursMs, r.peerMs);
    return 0;
}
