#include <cmath>

#include "messages.hpp"
#include "window/script_lines.hpp"

using namespace clothlab;

/// A script of `view --input`.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::asText(data, size);
    const auto lines = app::window::parseScript(text, "fuzz.txt");
    if (!lines) {
        fuzz::checkMessage(lines.error(), text);
        return 0;
    }
    int last = 0;
    for (const app::window::ScriptLine& line : *lines) {
        fuzz::require(!line.words.empty() && line.number >= last, "lines in order, none empty");
        last = line.number;
        if (line.words[0] == "text" || line.words[0] == "state" || line.words[0] == "screenshot") continue;
        for (std::size_t i = 1; i < line.words.size(); ++i)
            fuzz::require(std::abs(line.numberAt(i, 0)) <= 1e9, "numbers are finite and no conversion overflows",
                          line.words[i]);
    }
    return 0;
}
