#pragma once

#include <algorithm>
#include <string_view>

#include "geometry/files/surface_maker.hpp"

namespace clothlab::geometry {

/// Splits the text of an OBJ file into lines and words. A tolerant reading accepts more kinds of blanks, line ends of
/// old Macs, a byte order mark, comments in the middle of a word, and lines continued by a backslash.
class ObjWords {
public:
    ObjWords(std::string_view text, MeshReading reading) : tolerant_(reading == MeshReading::Tolerant), rest_(text) {
        if (!tolerant_) return;
        if (constexpr std::string_view kMark = "\xef\xbb\xbf"; rest_.starts_with(kMark)) {
            rest_.remove_prefix(kMark.size());
            before_ = int(kMark.size());
        }
        if (rest_.find('\n') == rest_.npos) end_ = '\r';
    }

    bool nextLine() {
        atKeyword_ = true;
        return advance();
    }
    /// The next word of the line; empty at its end and at a comment, and column() is then the end of the line.
    std::string_view next() {
        for (;;) {
            const std::string_view word = nextHere();
            if (!word.empty() || !continues_ || !advance()) return word;
        }
    }
    /// Skips the rest of the line and its continuation lines.
    void skip() {
        while (!next().empty()) {
        }
    }
    int line() const { return std::max(number_, 1); }
    int column() const { return column_; }
    FilePlace place() const { return {.line = line(), .column = column_}; }

private:
    bool advance() {
        if (rest_.empty()) return false;
        const std::size_t end = std::min(rest_.find(end_), rest_.size());
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        if (number_++ > 0) before_ = 0;
        at_ = 0;
        column_ = before_ + 1;
        continues_ = false;
        return true;
    }
    std::string_view nextHere() {
        const std::string_view blanks = tolerant_ ? " \t\r\f\v" : " \t\r";
        at_ = std::min(line_.find_first_not_of(blanks, at_), line_.size());
        column_ = before_ + int(at_) + 1;
        const std::size_t end = std::min(line_.find_first_of(blanks, at_), line_.size());
        std::string_view word = line_.substr(at_, end - at_);
        if (word.starts_with('#')) return {};
        if (tolerant_) word = word.substr(0, word.find('#'));
        at_ += word.size();
        if (atKeyword_ && !word.empty() && word != "\\") {
            atKeyword_ = false;
            numbers_ = word == "v" || word == "vt" || word == "f";
        }
        // A name may end with a backslash of its own, that of a folder; there it continues nothing.
        if (tolerant_ && (numbers_ ? word.ends_with('\\') : word == "\\") &&
            line_.find_first_not_of(blanks, at_) == line_.npos) {
            word.remove_suffix(1);
            continues_ = true;
        }
        return word;
    }

    bool tolerant_;
    char end_ = '\n';
    std::string_view rest_, line_;
    std::size_t at_ = 0;
    int number_ = 0, column_ = 1, before_ = 0;
    bool atKeyword_ = false, numbers_ = false;  // whether the next word is the line's first; what it says follows
    bool continues_ = false;                    // the last word was followed by a backslash
};

}  // namespace clothlab::geometry
