#include "simulation/recording.hpp"
#include "small_world.hpp"

using namespace clothlab;
namespace recorded = simulation::recorded;

namespace {

constexpr std::int64_t kMostInRow = 2;
constexpr int kMostSteps = 8;

/// Whether it was made one that is replayed at once.
bool makeSmall(simulation::RecordedEvent& event) {
    if (auto* load = std::get_if<recorded::Load>(&event)) return fuzz::makeSmall(load->scene);
    if (auto* steps = std::get_if<recorded::Steps>(&event)) steps->count = std::min(steps->count, kMostInRow);
    if (auto* set = std::get_if<recorded::Set>(&event))
        std::erase_if(set->values, [](const auto& value) { return value.first == "threads"; });
    return true;
}

}  // namespace

/// A recording is replayed for some steps, in whatever order it has things done.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto recording = simulation::readRecording(fuzz::asText(data, size), "fuzz.clothrec");
    if (!recording) return 0;
    for (simulation::RecordedEvent& event : recording->events)
        if (!makeSmall(event)) return 0;
    simulation::Replay replay(std::move(recording->events));
    std::unique_ptr<simulation::Simulation> world;
    for (int k = 0; k < kMostSteps; ++k) {
        const auto more = replay.step(world, 1, {});
        if (!more) return fuzz::checkMessage(more.error(), {}, false), 0;
        if (!*more) break;
    }
    if (world) fuzz::step(*world, 1);
    return 0;
}
