#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "base/statistics.hpp"
#include "bench.hpp"
#include "factorizations.hpp"

namespace clothlab::bench {
namespace {

constexpr int kWarmUp = 5, kSteps = 120;

/// The time of robust contact, with solids and with itself, of a cloth that touches nothing, over the rest of the same
/// steps.
Ratio idleContact(std::string name, scene::Scene scene, int side, int threads) {
    const auto need = [](auto&& result) {
        if (result) return;
        fmt::print(stderr, "{}\n", result.error().text());
        std::exit(2);
    };
    for (const std::string& assignment : {fmt::format("cloth.rows={}", side), fmt::format("cloth.columns={}", side),
                                          std::string("contact.self_collision=robust")})
        need(scene::applyOverride(scene, assignment));
    auto simulation = simulation::Simulation::create(scene, threads);
    need(simulation);
    std::vector<double> ratios, contact, rest;
    for (int step = 0; step < kWarmUp + kSteps; ++step) {
        const simulation::StepReport& report = (*simulation)->step();
        if (step < kWarmUp) continue;
        contact.push_back(report.contactMs);
        rest.push_back(report.stepMs - report.contactMs);
        ratios.push_back(contact.back() / rest.back());
    }
    return {std::move(name),        quantile(ratios, 0.5),  quantile(ratios, 0.25),
            quantile(ratios, 0.75), quantile(contact, 0.5), quantile(rest, 0.5)};
}

}  // namespace

void idleContactRatios(std::vector<Ratio>& out) {
    for (const int threads : {1, 2})
        for (const char* const name : {"fall", "hang", "flag"}) {
            const bool falls = std::string_view(name) == "fall";
            auto scene = scene::findScene(falls ? "hang" : name, std::string(CLOTHLAB_SOURCE_DIR) + "/assets");
            require(scene.has_value(), "a built-in scene");
            if (falls) {
                scene->pins.clear();
                require(scene::applyOverride(*scene, "cloth.gather=1").has_value(), "a flat sheet");
                scene::removeRoomFloor(*scene);
            }
            out.push_back(idleContact(fmt::format("idle_contact_{}_{}t", name, threads), std::move(*scene),
                                      falls ? 101 : 81, threads));
        }
}

}  // namespace clothlab::bench
