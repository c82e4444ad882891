#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/errors.hpp"

namespace clothlab::lessons {

/// What a lesson says to be so, as a condition on numbers: "mean(iterations) < 0.2 * step1.mean(iterations)".
///
///     claim  = sum ("<" | "<=" | ">" | ">=" | "==") sum
///     sum    = term {("+" | "-") term}
///     term   = factor {("*" | "/") factor}
///     factor = number | "-" factor | "(" sum ")" | [where "."] name "(" [argument {"," argument}] ")"
///
/// where: "ghost", or "stepK" with K = 1 for the first step of the lesson, or "stepK.ghost". An argument is a word or a
/// text in quotes. Which names there are is the caller's matter (facts.hpp has the lesson's).
struct Quantity {
    int step = 0;        ///< K; 0 = this step
    bool ghost = false;  ///< of the second cloth
    std::string name;    ///< "mean"
    std::vector<std::string> arguments;
};

/// Numbers for quantities; not a number where there is none (yet).
using Lookup = std::function<double(const Quantity&)>;
/// How a quantity is said.
struct QuantityWords {
    std::string text;     ///< "mean iterations", without where it is taken
    std::string unit;     ///< of its number; empty: a count or a ratio; "%": a ratio that is said in per cent
    std::string yes, no;  ///< of one that is 1 or 0: "a step fails", "no step fails"; empty: it is a number
};
using QuantityWordsOf = std::function<QuantityWords(const Quantity&)>;
using NumberText = std::function<std::string(double)>;
/// Empty, or what is wrong with a quantity.
using QuantityCheck = std::function<std::string(const Quantity&)>;

class Claim {
public:
    /// An Error has the column, counted from 1 in `text`.
    static Expected<Claim> parse(std::string_view text, const QuantityCheck& check);

    const std::string& text() const { return text_; }
    /// Both sides of the comparison; a side that is not a number is not known.
    double left(const Lookup& lookup) const;
    double right(const Lookup& lookup) const;
    /// "<", "<=", ...
    std::string_view comparison() const { return comparison_; }
    /// False, too, where a side is not a number.
    bool holds(const Lookup& lookup) const;
    /// "mean(iterations) = 2.1 < 6": both sides as they came out, without what says itself.
    std::string filledIn(const Lookup& lookup) const;

    /// For a class: "iterations of Jacobi: 168, at least 1.4 × iterations of Jacobi in part 1 (84) = 118". Where the
    /// numbers are not known yet, the same without them.
    std::string inWords(const Lookup& lookup, const QuantityWordsOf& wordsOf, const NumberText& number) const;

    struct Expression;

private:
    std::string text_, leftText_, rightText_, comparison_;
    std::shared_ptr<const Expression> left_, right_;
};

}  // namespace clothlab::lessons
