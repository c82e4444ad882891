#include "architecture/type_names.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace clothlab::architecture {
namespace {

struct Token {
    std::string text;  ///< a name, a number, or one character
    int line = 0;
};

bool isName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Splits a text into tokens, without comments, strings and preprocessor lines.
class Lexer {
public:
    explicit Lexer(const std::string& text) : text_(text) {}

    std::vector<Token> run() {
        std::vector<Token> tokens;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (lineIsNew_ && c == '#') {
                skipDirective();
            } else if (startsWith("//")) {
                skipTo("\n", 0);
            } else if (startsWith("/*")) {
                skipTo("*/", 2);
            } else if (startsWith("R\"")) {
                skipRawString();
            } else if (c == '"' || c == '\'') {
                skipQuoted(c);
            } else if (isName(c)) {
                tokens.push_back(name());
            } else if (startsWith("::")) {
                tokens.push_back({"::", line_});
                skipUntil(at_ + 2);
            } else {
                if (std::isspace(static_cast<unsigned char>(c)) == 0) tokens.push_back({std::string(1, c), line_});
                step();
            }
        }
        return tokens;
    }

private:
    bool startsWith(const char* what) const {
        return text_.compare(at_, std::char_traits<char>::length(what), what) == 0;
    }
    void step() {
        if (text_[at_] == '\n') {
            ++line_;
            lineIsNew_ = true;
        } else if (std::isspace(static_cast<unsigned char>(text_[at_])) == 0) {
            lineIsNew_ = false;
        }
        ++at_;
    }
    void skipUntil(std::size_t end) {
        while (at_ < std::min(end, text_.size())) step();
    }
    void skipTo(const std::string& end, std::size_t beyond) {
        const std::size_t found = text_.find(end, at_ + beyond);
        skipUntil(found == std::string::npos ? text_.size() : found + beyond);
    }
    void skipDirective() {
        for (bool goesOn = false; at_ < text_.size() && (text_[at_] != '\n' || goesOn); step())
            goesOn = text_[at_] == '\\';
    }
    void skipRawString() {
        const std::size_t open = text_.find('(', at_);
        if (open == std::string::npos) return skipUntil(text_.size());
        const std::string end = ")" + text_.substr(at_ + 2, open - at_ - 2) + "\"";
        skipTo(end, end.size());
    }
    void skipQuoted(char quote) {
        step();
        while (at_ < text_.size() && text_[at_] != quote) {
            if (text_[at_] == '\\') step();
            if (at_ < text_.size()) step();
        }
        if (at_ < text_.size()) step();
    }
    /// The quote in 20'000 belongs to the number.
    Token name() {
        Token token{"", line_};
        while (at_ < text_.size() && (isName(text_[at_]) || (text_[at_] == '\'' && digits(token.text)))) {
            token.text += text_[at_];
            step();
        }
        return token;
    }
    bool digits(const std::string& word) const {
        return std::isdigit(static_cast<unsigned char>(word[0])) != 0 && at_ + 1 < text_.size() &&
               isName(text_[at_ + 1]);
    }

    const std::string& text_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool lineIsNew_ = true;
};

/// Tracks the braces and collects the types that are enclosed by namespaces only.
class Walk {
public:
    explicit Walk(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

    std::vector<TypeDefinition> run() {
        for (; at_ < tokens_.size(); ++at_) {
            const std::string& word = tokens_[at_].text;
            if (word == "{") {
                scopes_.push_back({Scope::Other, ""});
            } else if (word == "}") {
                if (!scopes_.empty()) scopes_.pop_back();
            } else if (word == "namespace" && before(at_) != "using") {
                enterNamespace();
            } else if (word == "extern" && ahead(1) == "{") {  // the string "C" is not a token
                ++at_;
                scopes_.push_back({Scope::Named, ""});
            } else if (inNamespaces() && (word == "struct" || word == "class" || word == "union" || word == "enum")) {
                noteType();
            }
        }
        return std::move(found_);
    }

private:
    struct Scope {
        enum Kind { Named, Anonymous, Other } kind;
        std::string name;
    };

    std::string before(std::size_t at) const { return at > 0 ? tokens_[at - 1].text : ""; }
    std::string ahead(std::size_t by) const { return at_ + by < tokens_.size() ? tokens_[at_ + by].text : ""; }
    bool inNamespaces() const {
        for (const Scope& scope : scopes_)
            if (scope.kind != Scope::Named) return false;
        return true;
    }

    /// Handles `namespace a::b {` and `namespace {`; `namespace a = b;` opens no scope.
    void enterNamespace() {
        std::string name;
        std::size_t end = at_ + 1;
        for (; end < tokens_.size() && tokens_[end].text != "{"; ++end) {
            if (tokens_[end].text == ";" || tokens_[end].text == "=") return;
            if (tokens_[end].text != "inline") name += tokens_[end].text;
        }
        at_ = end;
        scopes_.push_back({name.empty() ? Scope::Anonymous : Scope::Named, name});
    }

    /// Reads from `struct` up to the opening brace, if any, but not the brace.
    void noteType() {
        std::size_t at = at_ + 1;
        const auto is = [&](const char* text) { return at < tokens_.size() && tokens_[at].text == text; };
        if (is("class") || is("struct")) ++at;  // enum class
        while (is("[") || is("alignas")) skipGroup(at);
        std::string name = at < tokens_.size() && isName(tokens_[at].text[0]) ? tokens_[at++].text : "";
        while (is("::") && at + 1 < tokens_.size()) {
            name += "::" + tokens_[at + 1].text;
            at += 2;
        }
        if (is("final")) ++at;
        if (is(":"))  // bases, or the type behind an enum
            while (at < tokens_.size() && !is("{") && !is(";")) ++at;
        if (!is("{") || name.empty()) return;
        found_.push_back({prefix() + name, tokens_[at_].line});
        at_ = at - 1;
    }
    /// `[[...]]`, `alignas(...)`
    void skipGroup(std::size_t& at) const {
        if (tokens_[at].text == "alignas") ++at;
        int open = 0;
        do {
            const std::string& word = tokens_[at++].text;
            if (word == "(" || word == "[") ++open;
            if (word == ")" || word == "]") --open;
        } while (at < tokens_.size() && open > 0);
    }
    std::string prefix() const {
        std::string names;
        for (const Scope& scope : scopes_)
            if (!scope.name.empty()) names += scope.name + "::";
        return names;
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    std::vector<Scope> scopes_;
    std::vector<TypeDefinition> found_;
};

}  // namespace

std::vector<TypeDefinition> typesDefinedIn(const std::string& text) { return Walk(Lexer(text).run()).run(); }

std::vector<std::string> doubledTypes(const std::vector<SourceFile>& files) {
    struct Place {
        std::string path;
        int line;
    };
    std::map<std::string, Place> first;
    std::vector<std::string> found;
    for (const SourceFile& file : files) {
        if (!file.path.starts_with("core/") && !file.path.starts_with("app/")) continue;
        for (const TypeDefinition& type : typesDefinedIn(file.text)) {
            const auto [there, isNew] = first.try_emplace(type.name, Place{file.path, type.line});
            if (isNew || there->second.path == file.path) continue;
            found.push_back(file.path + ":" + std::to_string(type.line) + ": " + type.name + " is also defined in " +
                            there->second.path + ":" + std::to_string(there->second.line));
        }
    }
    return found;
}

}  // namespace clothlab::architecture
