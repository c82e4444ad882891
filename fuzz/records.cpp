#include "records/record_file.hpp"

#include "messages.hpp"

using namespace clothlab;

/// The NDJSON of reports and sweeps, and the queries of a plot.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::asText(data, size);
    const auto file = records::parseRecords(text, "fuzz.ndjson");
    if (!file) {
        fuzz::checkMessage(file.error(), text, !text.empty() && text.find_first_not_of('\n') != text.npos);
        return 0;
    }
    fuzz::require(file->records.size() == file->lines.size() && !file->records.empty(), "each record has its line");
    const std::span<const records::RecordFile> files(&*file, 1);
    for (const std::string& key : records::numericKeys(files, true))
        fuzz::require(!records::resolveKey(files, key).empty(), "a key is found", key);
    return 0;
}
