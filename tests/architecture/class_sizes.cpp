#include "architecture/class_sizes.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

namespace clothlab::architecture {
namespace {

/// Removes literals, directives, and all comments but the mark of an explained class, so that every brace and semicolon
/// left is code.
std::string bareCode(std::string text) {
    text = std::regex_replace(text, std::regex(R"(//[^\n]*Wide on purpose:[^\n]*)"), "@explained ");
    text = std::regex_replace(text, std::regex(R"(//[^\n]*)"), "");
    text = std::regex_replace(text, std::regex(R"re(R"\([^)]*\)")re"), "\"\"");
    text = std::regex_replace(text, std::regex(R"("(\\.|[^"\\\n])*")"), "\"\"");
    text = std::regex_replace(text, std::regex(R"('(\\.|[^'\\\n])')"), "' '");
    return std::regex_replace(text, std::regex(R"((^|\n)[ \t]*#[^\n]*)"), "$1");
}

/// The position of the brace that closes the one at `open`.
std::size_t closing(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
        depth += text[at] == '{';
        depth -= text[at] == '}';
        if (depth == 0) return at;
    }
    return text.size();
}

std::string without(std::string text, const char* pattern) {
    const std::regex inner(pattern);
    for (std::string next; (next = std::regex_replace(text, inner, "")) != text;) text = next;
    return text;
}

bool begins(const std::string& text, const char* pattern) {
    return std::regex_search(text, std::regex(std::string("^(") + pattern + ")\\b"));
}

class Count {
public:
    explicit Count(std::string_view body) : body_(body) {
        std::string statement;
        int parentheses = 0;
        for (std::size_t at = 0; at < body.size(); ++at) {
            const char c = body[at];
            parentheses += c == '(';
            parentheses -= c == ')';
            if (c == '{' && parentheses == 0) {
                at = take(statement, at);
            } else if (c == ';' && parentheses == 0) {
                declaration(statement);
                statement.clear();
            } else {
                statement += c;
            }
        }
    }
    int members = 0, functions = 0;

private:
    static std::string trimmed(std::string text) {
        text = std::regex_replace(text, std::regex(R"(\b(public|private|protected)\s*:|@explained)"), "");
        text = std::regex_replace(text, std::regex(R"(^\s+|\s+$)"), "");
        return std::regex_replace(text, std::regex(R"(^template\s*<[^;{]*>\s*(requires\b[^;]*?\)\s*)?)"), "");
    }

    static bool isFunction(const std::string& text) {
        return text.find("operator") != text.npos || text.substr(0, text.find('=')).find('(') != text.npos;
    }

    /// A brace at `open`: of a function, of a type, or of the value of a member. Returns its end.
    std::size_t take(std::string& statement, std::size_t open) {
        const std::size_t end = closing(body_, open);
        const std::string head = trimmed(statement);
        if (begins(head, "class|struct|enum|union") && head.find('(') == head.npos) {
            const std::size_t stop = std::min(body_.find(';', end), body_.size());
            if (!trimmed(std::string(body_.substr(end + 1, stop - end - 1))).empty()) ++members;
            statement.clear();
            return stop;
        }
        if (isFunction(without(head, R"(<[^<>]*>)"))) {
            ++functions;
            statement.clear();
        } else {
            statement += "{}";
        }
        return end;
    }

    void declaration(const std::string& statement) {
        std::string text = trimmed(statement);
        if (text.empty() || begins(text, "using|friend|static constexpr|static_assert|enum|struct|class")) return;
        text = without(without(text, R"(\{[^{}]*\})"), R"(<[^<>()]*>)");
        text = without(text, R"(<[^<>]*>)");
        if (isFunction(text))
            ++functions;
        else
            members += 1 + int(std::ranges::count(without(text, R"(\([^()]*\))"), ','));
    }

    std::string_view body_;
};

}  // namespace

std::vector<ClassSize> classSizes(std::string_view text) {
    const std::string code = bareCode(std::string(text));
    static const std::regex head(R"(\b(class|struct)\s+(\w+)\s*(final\s*)?(:[^;{()]*)?\{)");
    std::vector<ClassSize> sizes;
    std::size_t before = 0;
    for (auto at = std::sregex_iterator(code.begin(), code.end(), head); at != std::sregex_iterator(); ++at) {
        const auto start = std::size_t(at->position());
        if (start >= 5 && code.compare(start - 5, 5, "enum ") == 0) continue;
        const std::size_t open = start + std::size_t(at->length()) - 1;
        const Count count(std::string_view(code).substr(open + 1, closing(code, open) - open - 1));
        const std::size_t mark = code.find("@explained", before);
        sizes.push_back({(*at)[2], count.members, count.functions, mark < start});
        before = open;
    }
    return sizes;
}

// Relies on the layout of clang-format: a body ends with a brace in the column of the line that began it.
std::vector<FunctionLength> functionLengths(std::string_view text) {
    std::vector<std::string> lines;
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    static const std::regex other(
        R"(^ *(if|for|while|switch|else|return|namespace|struct|class|enum|do|catch|case)\b)"),
        table(R"(\bdescribe\(|^std::vector<\w+> \w+\(\) \{$)");
    const auto indent = [&](std::size_t at) { return lines[at].find_first_not_of(' '); };
    std::vector<FunctionLength> found;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        if (!lines[at].ends_with(") {") && !lines[at].ends_with("const {") && !lines[at].ends_with("override {"))
            continue;
        // The head may have several lines, and initializers.
        std::size_t head = at;
        while (head > 0 && (indent(head) % 8 > 4 || indent(head) > 4 || lines[head][indent(head)] == ':') &&
               (lines[head - 1].empty() || !lines[head - 1].ends_with(';')))
            --head;
        const std::size_t column = indent(head);
        if ((column != 0 && column != 4) || std::regex_search(lines[head], other) ||
            lines[head].find('(') == std::string::npos)
            continue;
        const std::string end = std::string(column, ' ') + "}";
        std::size_t last = at + 1;
        while (last < lines.size() && !lines[last].starts_with(end)) ++last;
        found.push_back({lines[head], int(head) + 1, int(last - head) + 1, std::regex_search(lines[head], table)});
    }
    return found;
}

}  // namespace clothlab::architecture
