#include "records/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/text.hpp"

namespace clothlab::records {

namespace {

/// Bytes of a character that breaks off, or of a byte that begins none.
std::size_t brokenLength(std::string_view text) {
    for (std::size_t length = std::min<std::size_t>(3, text.size()); length > 1; --length)
        for (const char rest : {'\x80', '\xbf'})
            if (utf8Length(std::string(text.substr(0, length)) + std::string(3, rest)) > length) return length;
    return 1;
}

void writeText(std::string_view text, std::string& out) {
    constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t", kNames = "\"\\bfnrt";
    out += '"';
    while (!text.empty()) {
        std::size_t length = 1;
        if (const std::size_t which = kEscaped.find(text[0]); which != text.npos)
            (out += '\\') += kNames[which];
        else if (static_cast<unsigned char>(text[0]) < 0x20)
            fmt::format_to(std::back_inserter(out), "\\u{:04x}", int(text[0]));
        else if (length = utf8Length(text); length > 0)
            out += text.substr(0, length);
        else
            out += "\ufffd", length = brokenLength(text);
        text.remove_prefix(length);
    }
    out += '"';
}

}  // namespace

/// Appends the text of a value.
struct JsonWriter {
    std::string& out;
    int indent;  ///< negative: one line
    int depth = 0;

    void operator()(std::monostate) { out += "null"; }
    void operator()(bool value) { out += value ? "true" : "false"; }
    void operator()(std::int64_t value) { fmt::format_to(std::back_inserter(out), "{}", value); }
    /// With a point or an exponent, and as many digits as read back to the same bits.
    void operator()(double value) {
        const std::size_t start = out.size();
        fmt::format_to(std::back_inserter(out), "{}", value);
        if (out.find_first_not_of("-0123456789", start) == out.npos) out += ".0";
    }
    void operator()(const std::string& value) { writeText(value, out); }
    void operator()(const Json::Array& values) {
        list("[]", values, [](std::size_t) {});
    }
    void operator()(const Json::Object& members) {
        list("{}", members.values, [&](std::size_t k) {
            writeText(members.keys[k], out);
            out += indent < 0 ? ":" : ": ";
        });
    }

private:
    template <class Before>
    void list(std::string_view brackets, const std::vector<Json>& values, Before before) {
        out += brackets[0];
        ++depth;
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (k > 0) out += ',';
            newLine();
            before(k);
            std::visit(*this, values[k].value_);
        }
        --depth;
        if (!values.empty()) newLine();
        out += brackets[1];
    }
    void newLine() {
        if (indent >= 0) (out += '\n').append(std::size_t(indent * depth), ' ');
    }
};

Json::Json(double value) {
    if (std::isfinite(value)) value_ = value;
}

Json::Json(const Vec3& value) : value_(Array{Json(value[0]), Json(value[1]), Json(value[2])}) {}

Json& Json::operator[](std::string_view key) {
    if (std::holds_alternative<std::monostate>(value_)) value_ = Object{};
    auto& [keys, values] = std::get<Object>(value_);
    const auto at = std::ranges::find(keys, key);
    if (at != keys.end()) return values[at - keys.begin()];
    keys.emplace_back(key);
    return values.emplace_back();
}

void Json::push(Json value) {
    if (std::holds_alternative<std::monostate>(value_)) value_ = Array{};
    std::get<Array>(value_).push_back(std::move(value));
}

void Json::append(Json object) {
    auto& [keys, values] = std::get<Object>(object.value_);
    for (std::size_t k = 0; k < keys.size(); ++k) (*this)[keys[k]] = std::move(values[k]);
}

std::string Json::text(int indent) const {
    std::string out;
    std::visit(JsonWriter{out, indent}, value_);
    return out;
}

std::string hashText(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace clothlab::records
