#include "simulation/recording.hpp"
#include "messages.hpp"

using namespace clothlab;

/// A recording of a window: an accepted one is the same after writing and reading.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::asText(data, size);
    const auto recording = simulation::readRecording(text, "fuzz.clothrec");
    if (!recording) {
        fuzz::checkMessage(recording.error(), text);
        return 0;
    }
    std::string all = simulation::recordingHead() + "\n";
    for (const simulation::RecordedEvent& event : recording->events) all += simulation::recordedLine(event) + "\n";
    const auto again = simulation::readRecording(all, "fuzz.clothrec");
    fuzz::require(again.has_value(), "what was read is written so that it can be read", all);
    fuzz::require(again->events.size() == recording->events.size(), "with as many events", all);
    for (std::size_t k = 0; k < recording->events.size(); ++k)
        fuzz::require(simulation::recordedLine(again->events[k]) == simulation::recordedLine(recording->events[k]),
                      "the same ones", all);
    return 0;
}
