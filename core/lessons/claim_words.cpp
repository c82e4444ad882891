#include <fmt/format.h>

#include <array>
#include <cmath>

#include "lessons/claim_expression.hpp"

// A claim as a sentence. It is made of the condition that is judged, so that the two cannot say different things.
namespace clothlab::lessons {
namespace {

using Expression = Claim::Expression;

constexpr std::array<std::array<std::string_view, 2>, 5> kComparisons{
    {{"<=", "at most"}, {">=", "at least"}, {"<", "less than"}, {">", "more than"}, {"==", "exactly"}}};

/// " of the ghost in part 2": a "step" is also one of the motion
std::string whereText(const Quantity& q) {
    return (q.ghost ? std::string(" of the ghost") : std::string()) +
           (q.step > 0 ? fmt::format(" in part {}", q.step) : std::string());
}

/// What a sentence is made with.
struct Speech {
    const Lookup& lookup;
    const QuantityWordsOf& quantityWords;
    const NumberText& number;

    std::string value(double value, const std::string& unit) const {
        if (unit == "%") return number(100 * value) + " %";  // the number is a ratio
        return unit.empty() ? number(value) : number(value) + " " + unit;
    }
};

/// Each quantity with its own value in brackets, unless it stands alone and says it behind itself.
std::string words(const Expression& e, const Speech& say, bool alone) {
    if (e.op == 'n') return say.number(e.number);
    if (e.op == 'q') {
        const QuantityWords said = say.quantityWords(e.quantity);
        const double value = say.lookup(e.quantity);
        return said.text + whereText(e.quantity) +
               (alone || !std::isfinite(value) ? "" : fmt::format(" ({})", say.value(value, said.unit)));
    }
    const auto part = [&](const Expression& side, bool right) {
        const bool sum = side.op == '+' || side.op == '-', product = side.op == '*' || side.op == '/';
        const bool tight = e.op == '*' || e.op == '/';
        const bool brackets = (tight && sum) || (right && (e.op == '/' || e.op == '-') && (sum || product));
        const std::string text = words(side, say, false);
        return brackets ? "(" + text + ")" : text;
    };
    const std::string_view sign = e.op == '*' ? "×" : e.op == '-' ? "−" : e.op == '/' ? "/" : "+";
    return fmt::format("{} {} {}", part(*e.left, false), sign, part(*e.right, true));
}

/// What all quantities of an expression are measured in, or nothing where they differ or are multiplied.
std::string commonUnit(const Expression& e, const QuantityWordsOf& quantityWords) {
    if (e.op == 'n') return {};
    if (e.op == 'q') return quantityWords(e.quantity).unit;
    const std::string left = commonUnit(*e.left, quantityWords), right = commonUnit(*e.right, quantityWords);
    if (e.op == '+' || e.op == '-') return left == right ? left : std::string();
    if (e.op == '*' && e.left->op == 'n') return right;
    return e.right->op == 'n' ? left : std::string();
}

}  // namespace

std::string Claim::inWords(const Lookup& lookup, const QuantityWordsOf& quantityWords, const NumberText& number) const {
    if (left_->op == 'q' && right_->op == 'n' && comparison_ == "==" && (right_->number == 0 || right_->number == 1)) {
        const QuantityWords said = quantityWords(left_->quantity);
        if (!said.yes.empty()) return (right_->number == 1 ? said.yes : said.no) + whereText(left_->quantity);
    }
    std::string_view comparison;
    for (const auto& [sign, text] : kComparisons)
        if (sign == comparison_) comparison = text;
    const Speech say{lookup, quantityWords, number};
    const double a = left(lookup), b = right(lookup);
    const std::string unit = commonUnit(*left_, quantityWords);
    std::string text = words(*left_, say, true) + ": ";
    if (std::isfinite(a) && left_->op != 'n') text += say.value(a, unit) + ", ";
    text += std::string(comparison) + " ";
    if (right_->op == 'n') return text + say.value(right_->number, unit);
    text += words(*right_, say, false);
    const bool computed = right_->op != 'q' && std::isfinite(b);
    return computed ? text + " = " + say.value(b, commonUnit(*right_, quantityWords)) : text;
}

}  // namespace clothlab::lessons
