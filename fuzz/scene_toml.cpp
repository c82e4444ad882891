#include "messages.hpp"
#include "scene/scene.hpp"

using namespace clothlab;

/// A scene file. An accepted one is the same scene after writing and reading.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::asText(data, size);
    const auto scene = scene::readSceneText(text, "fuzz.toml");
    if (!scene) {
        fuzz::checkMessage(scene.error(), text);
        return 0;
    }
    const std::string written = scene::writeScene(*scene);
    const auto again = scene::readSceneText(written, "fuzz.toml");
    fuzz::require(again.has_value(), "what is written is read", again ? "" : again.error().text() + "\n" + written);
    fuzz::require(*again == *scene, "what is written is read to the same scene", written);
    return 0;
}
