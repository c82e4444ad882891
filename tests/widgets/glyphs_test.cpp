#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <imgui_internal.h>

#include "imgui_fixture.hpp"

// The fonts of the window need a glyph for every character used; others are drawn as question marks.
namespace clothlab::app::widgets {
namespace {

namespace fs = std::filesystem;

/// The text in quotes of a line of C++; comments are not drawn.
std::string inQuotes(const std::string& line) {
    std::string out;
    bool inside = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (inside && line[i] == '\\') {
            ++i;
            continue;
        }
        if (line[i] == '"') inside = !inside;
        if (!inside && line.compare(i, 2, "//") == 0) break;
        if (inside) out += line[i];
    }
    return out;
}

/// Each character beyond ASCII, with one place where it occurs.
std::map<unsigned, std::string> charactersOf(const std::set<std::string>& folders) {
    std::map<unsigned, std::string> found;
    for (const std::string& folder : folders)
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(CLOTHLAB_SOURCE_DIR) / folder)) {
            const std::string ending = entry.path().extension().string();
            const bool source = ending == ".cpp" || ending == ".hpp";
            if (!source && ending != ".md" && ending != ".toml") continue;
            std::ifstream file(entry.path());
            int number = 0;
            for (std::string line; std::getline(file, line);) {
                ++number;
                const std::string text = source ? inQuotes(line) : line;
                for (const char* at = text.c_str(); *at != 0;) {
                    unsigned character = 0;
                    at += std::max(1, ImTextCharFromUtf8(&character, at, text.c_str() + text.size()));
                    if (character > 0x7f)
                        found.emplace(character, entry.path().filename().string() + ":" + std::to_string(number));
                }
            }
        }
    return found;
}

using Glyphs = ImGuiTest;

TEST_F(Glyphs, EveryCharacterThatTheWindowCanDrawHasASign) {
    const auto characters = charactersOf({"app", "core", "assets/lessons", "assets/scenes"});
    EXPECT_GT(characters.size(), 20u);
    EXPECT_TRUE(characters.contains(0x394)) << "A Δv = b, in a help text";
    for (const ImFont* font : {theme_.text, theme_.strong, theme_.small})
        for (const auto& [character, place] : characters)
            EXPECT_NE(font->FindGlyphNoFallback(ImWchar(character)), nullptr)
                << "U+" << std::hex << character << ", " << place;
    EXPECT_EQ(theme_.text->FindGlyphNoFallback(0x4e00), nullptr) << "a character without a glyph";
}

}  // namespace
}  // namespace clothlab::app::widgets
