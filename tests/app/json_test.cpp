#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <random>

#include "app/program.hpp"
#include "records/json.hpp"

namespace clothlab::tests {
namespace {

/// Python reads the writer's output: numbers together with their bits, texts of known characters.
TEST(Json, PythonReadsWhatIsWritten) {
    std::mt19937_64 random(7);
    records::Json numbers = records::Json::array(), texts = records::Json::array();
    for (int n = 0; n < 2000; ++n) {
        const double value = n == 0 ? -0.0 : n == 1 ? 5e-324 : std::bit_cast<double>(random());
        if (!std::isfinite(value)) continue;
        records::Json one;
        one.push(value);
        one.push(records::hashText(std::bit_cast<std::uint64_t>(value)));
        numbers.push(std::move(one));
    }
    for (int code = 1; code < 0x80; ++code) texts.push(std::string(1, char(code)) + "é😀");
    records::Json all;
    all["numbers"] = std::move(numbers);
    all["texts"] = std::move(texts);
    const ScratchFolder folder;
    std::ofstream(folder.file("check.py")) << R"(
import json, struct, sys
for name in sys.argv[1:]:
    all = json.load(open(name, encoding="utf-8"))
    assert list(all) == ["numbers", "texts"] and len(all["numbers"]) > 1900
    for value, bits in all["numbers"]:
        assert isinstance(value, float) and struct.pack(">d", value).hex() == bits, (value, bits)
    assert all["texts"] == [chr(code) + "\u00e9\U0001f600" for code in range(1, 0x80)]
)";
    std::ofstream(folder.file("line.json")) << all.text();
    std::ofstream(folder.file("indented.json")) << all.text(2);
    const std::string in = "cd '" + folder.path() + "' && ";
    EXPECT_EQ(std::system((in + "python3 check.py line.json indented.json").c_str()), 0);

    for (const char* arguments : {"scenes --json", "run chen --steps 2 --json", "race chen --step 2 --json"}) {
        const Result r = clothlab(arguments);
        EXPECT_EQ(r.code, 0) << r.err;
        std::ofstream(folder.file("it.json")) << r.out;
        EXPECT_EQ(std::system((in + "python3 -m json.tool it.json >out.json").c_str()), 0) << r.out;
    }
}

}  // namespace
}  // namespace clothlab::tests
