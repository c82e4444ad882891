#include "base/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/input.hpp"
#include "base/text.hpp"

namespace clothlab {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

void appendUtf8(std::string& out, unsigned code) {
    const auto byte = [&out](unsigned value) { out += char(value); };
    if (code < 0x80) return byte(code);
    if (code < 0x800) {
        byte(0xc0 | code >> 6);
    } else {
        if (code < 0x10000) {
            byte(0xe0 | code >> 12);
        } else {
            byte(0xf0 | code >> 18);
            byte(0x80 | (code >> 12 & 0x3f));
        }
        byte(0x80 | (code >> 6 & 0x3f));
    }
    byte(0x80 | (code & 0x3f));
}

/// Reads one text; the first mistake ends it.
class Parser {
public:
    Parser(std::string_view text, const std::string& file, const JsonLimits& limits)
        : text_(text), file_(file), limits_(limits) {}

    Expected<JsonNode> read() {
        JsonNode root;
        value(root, 0);
        skipBlanks();
        if (problem_.empty() && at_ < text_.size()) wrong("nothing may follow the value");
        if (problem_.empty()) return root;
        const TextPlace place = textPlace(text_, problemAt_);
        return fail(
            Error{.message = "not JSON: " + problem_, .file = file_, .line = place.line, .column = place.column});
    }

private:
    bool wrong(std::string problem) { return wrong(std::move(problem), at_); }
    bool wrong(std::string problem, std::size_t at) {
        if (problem_.empty()) {
            problem_ = std::move(problem);
            problemAt_ = at;
        }
        return false;
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skipBlanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    }
    bool take(char c) {
        skipBlanks();
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    bool value(JsonNode& out, int depth) {
        skipBlanks();
        out.at = at_;
        if (++values_ > limits_.values) return wrong(fmt::format("more than {} values", limits_.values));
        if (depth > limits_.depth) return wrong(fmt::format("nested deeper than {} levels", limits_.depth));
        switch (peek()) {
            case '{':
                return object(out, depth);
            case '[':
                return array(out, depth);
            case '"':
                out.kind = JsonNode::Kind::Text;
                return string(out.text);
            case 't':
                return word("true", out, JsonNode::Kind::Boolean, true);
            case 'f':
                return word("false", out, JsonNode::Kind::Boolean, false);
            case 'n':
                return word("null", out, JsonNode::Kind::Null, false);
            default:
                return number(out);
        }
    }

    bool word(std::string_view name, JsonNode& out, JsonNode::Kind kind, bool boolean) {
        if (!text_.substr(at_).starts_with(name)) return wrong("a value is expected");
        at_ += name.size();
        out.kind = kind;
        out.boolean = boolean;
        return true;
    }

    bool digits() {
        if (!digit(peek())) return false;
        while (digit(peek())) ++at_;
        return true;
    }

    bool number(JsonNode& out) {
        const std::size_t start = at_;
        if (peek() == '-') ++at_;
        const bool zero = peek() == '0';
        bool good = digits() && !(zero && at_ - start > (text_[start] == '-' ? 2u : 1u));
        if (good && peek() == '.') {
            ++at_;
            good = digits();
        }
        if (good && (peek() == 'e' || peek() == 'E')) {
            ++at_;
            if (peek() == '+' || peek() == '-') ++at_;
            good = digits();
        }
        if (!good) return wrong(start == at_ ? "a value is expected" : "not a number", start);
        const std::string_view digits = text_.substr(start, at_ - start);
        out.kind = JsonNode::Kind::Number;
        const auto number = parseNumber(digits);
        if (!number) return wrong(fmt::format("the number {} is too large", shown(digits)), start);
        out.number = *number;
        return true;
    }

    bool array(JsonNode& out, int depth) {
        out.kind = JsonNode::Kind::Array;
        ++at_;
        if (take(']')) return true;
        do {
            if (!value(out.items.emplace_back(), depth + 1)) return false;
        } while (take(','));
        return take(']') || wrong("',' or ']' is expected");
    }

    bool object(JsonNode& out, int depth) {
        out.kind = JsonNode::Kind::Object;
        ++at_;
        if (take('}')) return true;
        do {
            skipBlanks();
            if (peek() != '"') return wrong("a key in quotes is expected");
            JsonNode::Entry& entry = out.entries.emplace_back();
            if (!string(entry.key)) return false;
            if (!take(':')) return wrong("':' is expected");
            if (!value(entry.value, depth + 1)) return false;
        } while (take(','));
        if (!take('}')) return wrong("',' or '}' is expected");
        return uniqueKeys(out);
    }

    bool uniqueKeys(const JsonNode& object) {
        std::vector<const JsonNode::Entry*> sorted;
        for (const JsonNode::Entry& entry : object.entries) sorted.push_back(&entry);
        std::stable_sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->key < b->key; });
        const auto twice =
            std::adjacent_find(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->key == b->key; });
        if (twice == sorted.end()) return true;
        return wrong(fmt::format("the key '{}' appears twice", shown((*twice)->key)), (*std::next(twice))->value.at);
    }

    bool string(std::string& out) {
        const std::size_t start = at_++;
        for (;;) {
            if (at_ == text_.size()) return wrong("the quotes are not closed", start);
            const char c = text_[at_];
            if (c == '"') break;
            if (static_cast<unsigned char>(c) < 0x20)
                return wrong("a control character in quotes must be written \\u00..");
            if (c == '\\') {
                if (!escape(out)) return false;
                continue;
            }
            const std::size_t length = utf8Length(text_.substr(at_));
            if (length == 0) return wrong("this is not UTF-8");
            out.append(text_.substr(at_, length));
            at_ += length;
        }
        ++at_;
        return true;
    }

    bool escape(std::string& out) {
        constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
        const std::size_t start = at_++;
        const std::size_t which = at_ < text_.size() ? kNames.find(text_[at_]) : std::string_view::npos;
        if (which != std::string_view::npos) {
            out += kMeanings[which];
            ++at_;
            return true;
        }
        unsigned code = 0, low = 0;
        if (!hex(code)) return wrong("unknown escape", start);
        if (code >= 0xd800 && code < 0xdc00) {  // the first half of a pair
            if (peek() != '\\' || (++at_, !hex(low)) || low < 0xdc00 || low >= 0xe000)
                return wrong("an incomplete pair of \\u escapes", start);
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        } else if (code >= 0xdc00 && code < 0xe000) {
            return wrong("an incomplete pair of \\u escapes", start);
        }
        appendUtf8(out, code);
        return true;
    }

    /// "uXXXX"
    bool hex(unsigned& code) {
        if (peek() != 'u' || text_.size() - at_ < 5) return false;
        const char* from = text_.data() + at_ + 1;
        const auto [end, result] = std::from_chars(from, from + 4, code, 16);
        if (result != std::errc{} || end != from + 4) return false;
        at_ += 5;
        return true;
    }

    std::string_view text_;
    const std::string& file_;
    JsonLimits limits_;
    std::size_t at_ = 0, values_ = 0, problemAt_ = 0;
    std::string problem_;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
    const auto it = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
    return it == entries.end() ? nullptr : &it->value;
}

Expected<JsonNode> parseJson(std::string_view text, const std::string& file, const JsonLimits& limits) {
    return Parser(text, file, limits).read();
}

}  // namespace clothlab
