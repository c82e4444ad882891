#include "small_world.hpp"

using namespace clothlab;

/// A scene file: its world is built and takes a step.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto scene = scene::readSceneText(fuzz::asText(data, size), "fuzz.toml");
    if (!scene || !fuzz::makeSmall(*scene)) return 0;
    auto world = simulation::Simulation::create(std::move(*scene), 1);
    if (!world) return fuzz::checkMessage(world.error(), {}, false), 0;
    fuzz::step(**world, 2);
    return 0;
}
