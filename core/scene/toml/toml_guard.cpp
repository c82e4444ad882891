#include "scene/toml/toml_guard.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace clothlab::scene {
namespace {

/// Walks over a text as the library does, character by character. Where it falls out of step with the library, the
/// library has found a mistake before and stopped.
class Guard {
public:
    Guard(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

    Expected<void> run() {
        if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);  // the mark of UTF-8 at the start
        while (!rest_.empty()) {
            if (const std::string problem = next(); !problem.empty())
                return fail(Error{.message = problem, .file = file_, .line = line_, .column = column_});
            advance();
        }
        return {};
    }

private:
    enum class Inside { Plain, Comment, Text };

    std::size_t length() const { return utf8Length(rest_); }
    void advance() {
        ++column_;
        if (rest_.front() == '\n') {
            ++line_;
            column_ = 1;
        }
        rest_.remove_prefix(length());
    }
    void advance(std::size_t characters) {
        for (; characters > 0 && !rest_.empty() && length() > 0; --characters) advance();
    }

    /// What is wrong with the character that comes, or empty; moves to the last character of what belongs together.
    std::string next() {
        const std::size_t bytes = length();
        const char c = rest_.front();
        if (bytes == 0) return fmt::format("this byte is not UTF-8: {}", shown(rest_.substr(0, 1)));
        const bool newline = c == '\n' || rest_.starts_with("\r\n");
        const bool control = bytes == 1 && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f);
        if (control && !newline && c != '\t') return fmt::format("a control character: {}", shown(rest_.substr(0, 1)));
        if (inside_ == Inside::Comment) {
            if (newline) inside_ = Inside::Plain;
            return {};
        }
        if (inside_ == Inside::Text) return text(c, newline);
        if (bytes > 1)
            return fmt::format("the character '{}' stands outside of quotes and comments",
                               shown(rest_.substr(0, bytes)));
        return plain(c);
    }

    std::string text(char c, bool newline) {
        if (newline && quotes_ == 1) inside_ = Inside::Plain;  // not closed on its line: the library says so
        if (c == '\\' && quote_ == '"' && rest_.size() > 1) {
            const std::size_t escaped = utf8Length(rest_.substr(1));
            if (escaped == 1 && static_cast<unsigned char>(rest_[1]) > 0x20)
                advance();  // the quote or backslash after it
            return {};
        }
        if (c != quote_) return {};
        const std::size_t run = std::min(rest_.find_first_not_of(quote_), rest_.size());
        if (quotes_ == 1 || run >= 3) inside_ = Inside::Plain;
        if (quotes_ == 3) advance(std::min<std::size_t>(run, 5) - 1);  // two may stand before the three that close
        return {};
    }

    std::string plain(char c) {
        switch (c) {
            case '#':
                inside_ = Inside::Comment;
                return {};
            case '"':
            case '\'':
                return open(c);
            case '.':
                return ++parts_ > kDeepestToml ? fmt::format("a key of more than {} parts", kDeepestToml) : "";
            case '[':
            case '{':
                parts_ = 1;
                return ++depth_ > kDeepestToml ? fmt::format("nested deeper than {} levels", kDeepestToml) : "";
            case ']':
            case '}':
                depth_ -= depth_ > 0;
                break;
            case '\n':
            case '=':
            case ',':
                break;
            default:
                return {};
        }
        parts_ = 1;
        return {};
    }

    std::string open(char quote) {
        const std::size_t run = std::min(rest_.find_first_not_of(quote), rest_.size());
        if (run == 2) {
            advance();  // empty
            return {};
        }
        quote_ = quote;
        quotes_ = run >= 3 ? 3 : 1;
        advance(std::size_t(quotes_) - 1);
        inside_ = Inside::Text;
        return {};
    }

    std::string_view rest_;
    const std::string& file_;
    int line_ = 1, column_ = 1;
    Inside inside_ = Inside::Plain;
    char quote_ = '"';
    int quotes_ = 1;             // 1 or 3 of them close the text
    int parts_ = 1, depth_ = 0;  // of the key, and of brackets, where we are
};

}  // namespace

Expected<void> guardToml(std::string_view text, const std::string& file) { return Guard(text, file).run(); }

}  // namespace clothlab::scene
