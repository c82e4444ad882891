#include "lessons/claim.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "lessons/claim_expression.hpp"

namespace clothlab::lessons {

namespace {

using Expression = Claim::Expression;
using Node = std::shared_ptr<const Expression>;

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Goes through the text once; what it finds wrong first stays.
class Parser {
public:
    Parser(std::string_view text, const QuantityCheck& check) : text_(text), check_(check) {}

    Node sum() {
        return chain("+-", [this] { return term(); });
    }

    std::string comparison() {
        skipBlanks();
        for (const std::string_view op : {"<=", ">=", "==", "<", ">"})
            if (text_.substr(at_).starts_with(op)) {
                at_ += op.size();
                return std::string(op);
            }
        refuse("expected a comparison", {"<", "<=", ">", ">=", "=="});
        return {};
    }

    void end() {
        skipBlanks();
        if (at_ < text_.size()) refuse(fmt::format("'{}' is more than one comparison", shown(text_.substr(at_))));
    }

    std::size_t at() const { return at_; }
    const std::optional<Error>& problem() const { return problem_; }

private:
    /// No claim that people write is nested deeper, and the stack is finite.
    static constexpr int kDeepest = 50, kMostOperators = 500;

    void refuse(std::string message, std::vector<std::string> choices = {}) {
        if (!problem_)
            problem_ = Error{.message = std::move(message), .column = int(at_) + 1, .choices = std::move(choices)};
        at_ = text_.size();
    }

    void skipBlanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }

    bool take(char c) {
        skipBlanks();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    template <class Next>
    Node chain(std::string_view operators, Next next) {
        Node node = next();
        for (;;) {
            skipBlanks();
            if (problem_ || at_ >= text_.size() || operators.find(text_[at_]) == operators.npos) return node;
            if (++operators_ > kMostOperators) return refuse("too many operators"), node;
            const char op = text_[at_++];
            node = std::make_shared<Expression>(Expression{.op = op, .quantity = {}, .left = node, .right = next()});
        }
    }

    Node term() {
        return chain("*/", [this] { return factor(); });
    }

    Node factor() {
        if (++depth_ > kDeepest) refuse("too many brackets");
        Node node = problem_ ? number(0) : bareFactor();
        --depth_;
        return node;
    }

    Node bareFactor() {
        if (take('(')) {
            Node inner = sum();
            if (!take(')')) refuse("a bracket is not closed", {")"});
            return inner;
        }
        if (take('-'))
            return std::make_shared<Expression>(
                Expression{.op = '-', .quantity = {}, .left = number(0), .right = factor()});
        skipBlanks();
        if (at_ < text_.size() && (isDigit(text_[at_]) || text_[at_] == '.')) return literal();
        if (at_ < text_.size() && isLetter(text_[at_])) return quantity();
        refuse("expected a number or a quantity", {"3.5", "mean(iterations)", "race(\"jacobi\", iterations)"});
        return number(0);
    }

    Node number(double value) {
        return std::make_shared<Expression>(Expression{.op = 'n', .number = value, .quantity = {}});
    }

    Node literal() {
        const std::size_t from = at_;
        const auto isPart = [&](std::size_t k) {
            const char c = text_[k];
            const bool sign = (c == '-' || c == '+') && (text_[k - 1] == 'e' || text_[k - 1] == 'E');
            return isDigit(c) || c == '.' || c == 'e' || c == 'E' || (k > from && sign);
        };
        while (at_ < text_.size() && isPart(at_)) ++at_;
        const auto value = parseNumber(text_.substr(from, at_ - from));
        if (!value) {
            at_ = from;
            refuse(fmt::format("'{}' is no number", shown(text_.substr(from, 20))));
        }
        return number(value.value_or(0));
    }

    std::string word() {
        const std::size_t from = at_;
        while (at_ < text_.size() && (isLetter(text_[at_]) || isDigit(text_[at_]))) ++at_;
        return std::string(text_.substr(from, at_ - from));
    }

    Node quantity() {
        const std::size_t from = at_;
        Quantity q;
        for (q.name = word(); take('.'); q.name = word()) {
            const auto step = q.name.starts_with("step") ? parseWhole(q.name.substr(4)).value_or(0) : 0;
            if (q.name == "ghost")
                q.ghost = true;
            else if (step >= 1 && step <= 1000)
                q.step = int(step);
            else
                return refuse(fmt::format("'{}.' is neither a step nor the ghost", shown(q.name)),
                              {"step1.", "ghost."}),
                       number(0);
        }
        if (!take('('))
            return refuse(fmt::format("'{}' needs brackets", shown(q.name)), {"mean(iterations)"}), number(0);
        while (!problem_ && !take(')')) {
            if (!q.arguments.empty() && !take(',')) refuse("a bracket is not closed", {")", ","});
            if (!problem_) q.arguments.push_back(argument());
        }
        if (problem_) return number(0);
        if (std::string wrong = check_(q); !wrong.empty()) {
            at_ = from;
            refuse(std::move(wrong));
        }
        return std::make_shared<Expression>(Expression{.op = 'q', .quantity = std::move(q)});
    }

    std::string argument() {
        skipBlanks();
        if (take('"')) {
            const std::size_t end = text_.find('"', at_);
            if (end == text_.npos) return refuse("a text is not closed", {"\""}), std::string();
            std::string text(text_.substr(at_, end - at_));
            at_ = end + 1;
            return text;
        }
        const std::size_t from = at_;
        while (at_ < text_.size() && (isLetter(text_[at_]) || isDigit(text_[at_]) || text_[at_] == '.')) ++at_;
        if (at_ == from) refuse("here a word is needed, or a text in quotes");
        return std::string(text_.substr(from, at_ > from ? at_ - from : 0));
    }

    std::string_view text_;
    const QuantityCheck& check_;
    std::size_t at_ = 0;
    int depth_ = 0, operators_ = 0;
    std::optional<Error> problem_;
};

std::string trimmed(std::string_view text) {
    const std::size_t from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t");
    return from == text.npos ? std::string() : std::string(text.substr(from, to - from + 1));
}

/// "mean(iterations) = 2.1"; a plain number says itself.
std::string side(const std::string& text, const Expression& expression, double value) {
    if (expression.op == 'n') return text;
    return std::isnan(value) ? text + " = ?" : fmt::format("{} = {:.4g}", text, value);
}

}  // namespace

Expected<Claim> Claim::parse(std::string_view text, const QuantityCheck& check) {
    Parser parser(text, check);
    Claim claim;
    claim.text_ = trimmed(text);
    claim.left_ = parser.sum();
    const std::size_t leftEnd = parser.at();
    claim.comparison_ = parser.comparison();
    const std::size_t rightStart = parser.at();
    claim.right_ = parser.sum();
    parser.end();
    if (parser.problem()) return fail(*parser.problem());
    claim.leftText_ = trimmed(text.substr(0, leftEnd));
    claim.rightText_ = trimmed(text.substr(rightStart));
    return claim;
}

double Claim::left(const Lookup& lookup) const { return left_->value(lookup); }
double Claim::right(const Lookup& lookup) const { return right_->value(lookup); }

bool Claim::holds(const Lookup& lookup) const {
    const double a = left(lookup), b = right(lookup);
    if (comparison_ == "<") return a < b;
    if (comparison_ == "<=") return a <= b;
    if (comparison_ == ">") return a > b;
    if (comparison_ == ">=") return a >= b;
    return a == b;
}

std::string Claim::filledIn(const Lookup& lookup) const {
    return fmt::format("{} {} {}", side(leftText_, *left_, left(lookup)), comparison_,
                       side(rightText_, *right_, right(lookup)));
}

}  // namespace clothlab::lessons
