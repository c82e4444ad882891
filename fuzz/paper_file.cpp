#include "messages.hpp"
#include "papers/reproduction.hpp"

using namespace clothlab;

/// Titles, notes and printed values of a paper's tables.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<papers::PaperTable> kTables{{"ye-table-1", {}, {"nodes"}}, {"ye-table-2", {}}};
    const auto text = fuzz::asText(data, size);
    const auto tables = papers::readPaperText(text, "fuzz.toml", kTables);
    if (!tables) {
        fuzz::checkMessage(tables.error(), text);
        return 0;
    }
    fuzz::require(tables->size() == kTables.size(), "a file has all tables", std::string(text));
    for (const papers::TableText& table : *tables) {
        const auto all = table.notesWith({{"nodes", 3.0}, {"quick", 1.0}});
        fuzz::require(all.size() == table.notes.size(), "each note is there where all values are", std::string(text));
        table.printedFor({{"case", "pinned"}, {"k", 60.0}});
    }
    return 0;
}
