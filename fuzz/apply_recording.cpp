#include "simulation/recording.hpp"
#include "small_world.hpp"

using namespace clothlab;
namespace {

constexpr std::int64_t kMostInRow = 2;
constexpr int kMostSteps = 8;

/// Makes an event small enough for a quick replay; false if that is impossible.
bool makeSmall(simulation::RecordedEvent& event) {
    if (auto* steps = std::get_if<simulation::Steps>(&event)) steps->count = std::min(steps->count, kMostInRow);
    auto* edit = std::get_if<simulation::Edit>(&event);
    if (!edit) return true;
    if (auto* load = std::get_if<simulation::edits::Load>(edit)) return fuzz::makeSmall(load->scene);
    if (auto* set = std::get_if<simulation::edits::Set>(edit))
        std::erase_if(set->values, [](const auto& value) { return value.first == "threads"; });
    return true;
}

}  // namespace

/// A recording is replayed for some steps, with its events in any order.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto recording = simulation::readRecording(fuzz::asText(data, size), "fuzz.clothrec");
    if (!recording) return 0;
    for (simulation::RecordedEvent& event : recording->events)
        if (!makeSmall(event)) return 0;
    simulation::Replay replay(std::move(recording->events));
    simulation::Session world(1);
    for (int k = 0; k < kMostSteps; ++k) {
        const auto more = replay.step(world, {});
        if (!more) return fuzz::checkMessage(more.error(), {}, false), 0;
        if (!*more) break;
    }
    if (world.loaded()) fuzz::step(world.simulation(), 1);
    return 0;
}
