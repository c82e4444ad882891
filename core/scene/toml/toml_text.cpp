#include "scene/toml/toml_text.hpp"

#include <fmt/format.h>

namespace clothlab::scene {
std::string quotedText(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            out += fmt::format("\\u{:04x}", unsigned(static_cast<unsigned char>(c)));
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string numberText(double value) {
    const std::string text = fmt::format("{}", value);  // "-0" would come back as an integer, without a sign
    return text == "-0" ? "-0.0" : text;
}

std::string vectorText(const Vec3& v) {
    return fmt::format("[{}, {}, {}]", numberText(v[0]), numberText(v[1]), numberText(v[2]));
}

std::string tomlValue(const Field& field) {
    if (const auto* number = std::get_if<double*>(&field.ref)) return numberText(**number);
    if (const auto* vector = std::get_if<Vec3*>(&field.ref)) return vectorText(**vector);
    if (const auto* text = std::get_if<std::string*>(&field.ref)) return quotedText(**text);
    if (std::holds_alternative<EnumRef>(field.ref)) return quotedText(valueText(field.ref));
    const std::string text = valueText(field.ref);
    return !field.meta.autoWord.empty() && text == "0" ? quotedText(field.meta.autoWord) : text;
}

}  // namespace clothlab::scene
