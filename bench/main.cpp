#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/platform.hpp"
#include "bench.hpp"

using namespace clothlab;

int main(int argc, char** argv) {
    constexpr std::string_view kGroups[] = {"jacobi",       "product", "assembly", "ic",   "poisson",   "core",
                                            "local-global", "contact", "step",     "real", "deflation", "png"};
    bool json = false;
    std::vector<std::string_view> only;
    std::string frameFile;  // for the group `real`
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--json") == 0) {
            json = true;
        } else if (std::strcmp(argv[i], "--model") == 0) {
            platform::singleThreadedBlas();
            bench::printThreadModel();
            return 0;
        } else if (std::strcmp(argv[i], "--frame") == 0 && i + 1 < argc) {
            frameFile = argv[++i];
        } else if (std::find(std::begin(kGroups), std::end(kGroups), argv[i]) != std::end(kGroups)) {
            only.emplace_back(argv[i]);
        } else {
            fmt::print(stderr, "unknown option '{}' (valid: --json, --model, --frame FILE, and {})\n", argv[i],
                       fmt::join(kGroups, ", "));
            return 2;
        }
    }
    const auto asked = [&only](std::string_view group) {
        return only.empty() || std::ranges::find(only, group) != only.end();
    };
    platform::singleThreadedBlas();
    const bench::Frame frame = bench::makeFrame();
    std::vector<bench::Ratio> ratios;
    if (asked("jacobi")) bench::jacobiPcgRatios(frame, ratios);
    if (asked("product")) bench::productRatios(ratios);
    if (asked("assembly")) bench::assemblyRatios(frame, ratios);
    if (asked("ic")) bench::incompleteCholeskyRatios(frame, ratios);
    if (asked("poisson")) bench::incompletePoissonRatios(frame, ratios);
    if (asked("core")) bench::matrixCoreRatios(ratios);
    if (asked("local-global")) bench::localGlobalRatios(ratios);
    if (asked("contact")) {
        bench::broadPhaseRatios(ratios);
        bench::contactIdleRatios(ratios);
        bench::idleContactRatios(ratios);
    }
    if (asked("step")) bench::wholeStepRatios(ratios);
    if (asked("real") && frameFile.empty())
        fmt::print(stderr, "no --frame FILE: the rows `real` are left out\n");
    else if (asked("real"))
        bench::realFrameRatios(frameFile, ratios);
    if (asked("deflation")) bench::deflationRatios(ratios);
    if (asked("png")) bench::pngRatios(ratios);
    if (json) {
        std::string body;
        for (const bench::Ratio& r : ratios)
            if (!r.detail) body += fmt::format("{}\"{}\": {:.4f}", body.empty() ? "" : ", ", r.name, r.median);
        fmt::print("{{{}}}\n", body);
        return 0;
    }
    fmt::print("{}\n161 x 161, hang, step 40: {} rows, {} of {} blocks occupied\n\n", platform::cpuName(),
               frame.system.A.rows(), frame.system.A.occupiedBlocks(), frame.system.A.pattern().blocks());
    fmt::print("{:<36} {:>7} {:>15} {:>10} {:>10}\n", "ours / peer (lower is better)", "median", "quartiles", "ours ms",
               "peer ms");
    for (const bench::Ratio& r : ratios)
        fmt::print("{:<36} {:>7.3f} {:>7.3f}-{:<7.3f} {:>10.3f} {:>10.3f}\n", (r.detail ? "  " : "") + r.name, r.median,
                   r.low, r.high, r.oursMs, r.peerMs);
    return 0;
}
