#include "messages.hpp"
#include "papers/kept_table.hpp"

using namespace clothlab;

/// A table saved by the window: an accepted one is the same after writing and reading.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::asText(data, size);
    const auto kept = papers::readKeptTable(text, "fuzz.json");
    if (!kept) {
        fuzz::checkMessage(kept.error(), text);
        return 0;
    }
    const std::string once = papers::keptText(*kept);
    const auto again = papers::readKeptTable(once, "fuzz.json");
    fuzz::require(again.has_value(), "what was read is written so that it can be read", once);
    fuzz::require(papers::keptText(*again) == once, "and is the same", once);
    return 0;
}
