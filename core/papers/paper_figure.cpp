#include "papers/paper_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"

namespace clothlab::papers {
namespace {

using From = FigureCurve::From;

/// "12", "0.66 to 0.78", "about 0.8": the one number, or both ends; none of other words. `above`: "above 700" is from
/// there to `most`.
std::vector<double> toNumbers(const records::Value& value, double most = std::nan("")) {
    if (const double* number = std::get_if<double>(&value)) return {*number};
    std::vector<std::string> words = splitText(std::get<std::string>(value), ' ');
    const bool above = words.front() == "above" && std::isfinite(most);
    if (words.size() == 2 && (words.front() == "about" || above)) words.erase(words.begin());
    std::vector<double> numbers;
    for (std::size_t k = 0; k < words.size(); k += 2) {
        const auto number = parseNumber(words[k]);
        if (!number || (k > 0 && words[k - 1] != "to")) return {};
        numbers.push_back(*number);
    }
    if (words.size() > 3 || words.size() == 2) return {};
    if (above) numbers.push_back(most);
    return numbers;
}

std::string toWord(const records::Value& value) {
    const auto* text = std::get_if<std::string>(&value);
    return text ? *text : fmt::format("{:g}", std::get<double>(value));
}

/// Fills one figure from the rows of a table.
class Filling {
public:
    Filling(const Reproduction& table, const TableText& text, const TableText::Figure& wanted)
        : table_(table), text_(text), wanted_(wanted) {}

    PaperFigure fill() {
        out_.title = wanted_.title;
        out_.xLabel = wanted_.xLabel.empty() ? text_.heading(wanted_.x) : wanted_.xLabel;
        out_.yLabel = wanted_.yLabel.empty() ? text_.heading(wanted_.y.front()) : wanted_.yLabel;
        out_.logX = wanted_.log.find('x') != wanted_.log.npos;
        out_.logY = wanted_.log.find('y') != wanted_.log.npos;
        for (const bool ours : {true, false})
            for (const ReproductionRow& row : table_.rows)
                if (isMeant(row)) take(row, ours);
        std::erase_if(out_.curves, [](const FigureCurve& curve) { return curve.x.empty(); });
        return std::move(out_);
    }

private:
    bool isMeant(const ReproductionRow& row) const {
        return std::ranges::all_of(wanted_.where, [&](const auto& each) {
            const records::Value* value = records::findEntry(row.what, each.first);
            return value && toWord(*value) == toWord(each.second);
        });
    }
    std::string describeCase(const ReproductionRow& row) const {
        std::string name;
        for (const std::string& key : wanted_.curve)
            if (const records::Value* value = records::findEntry(row.what, key))
                name += fmt::format("{}{}", name.empty() ? "" : ", ", toWord(*value));
        return name;
    }
    /// Where the paper's values of a column come from.
    From findSource(const ReproductionRow& row, const std::string& key) const {
        const TableText::Printed* any = nullptr;
        for (const TableText::Printed& each : text_.printed) {
            if (!records::findEntry(each.paper, key)) continue;
            if (!any || each.fits(row.what)) any = &each;
        }
        return !any ? From::Formula : any->readOff ? From::ReadOff : From::Printed;
    }
    void take(const ReproductionRow& row, bool ours) {
        const records::Entries& values = ours ? row.ours : row.paper;
        for (std::size_t k = 0; k < wanted_.y.size(); ++k) {
            const records::Value* y = records::findEntry(values, wanted_.y[k]);
            if (!y) continue;
            const std::vector<double> xs = wanted_.at.empty() ? xPlaces(row, ours) : std::vector{wanted_.at[k]};
            std::string name = describeCase(row);
            const bool wide = !wanted_.at.empty();
            if (!wide && wanted_.y.size() > 1)
                name += fmt::format("{}{}", name.empty() ? "" : ": ", text_.heading(wanted_.y[k]));
            FigureCurve& curve = findOrAddCurve(name, ours ? From::Ours : findSource(row, wanted_.y[k]));
            const std::vector<double> ys = toNumbers(*y);
            for (const double value : ys) {
                for (const double x : xs) curve.x.push_back(x), curve.y.push_back(value);
                if (ys.size() + xs.size() > 2 && !xs.empty())  // a level of its own
                    curve.x.push_back(xs.back()), curve.y.push_back(std::nan(""));
            }
        }
    }
    /// Ours are no ranges.
    std::vector<double> xPlaces(const ReproductionRow& row, bool ours) {
        const records::Value* value = records::findEntry(row.what, wanted_.x);
        if (!value) return {};
        if (wanted_.words) {
            const std::string word = toWord(*value);
            const auto at = std::ranges::find(out_.xWords, word);
            const auto place = double(at - out_.xWords.begin());
            if (at == out_.xWords.end()) out_.xWords.push_back(word);
            return {place};
        }
        std::vector<double> xs = toNumbers(*value, most_);
        if (ours && xs.size() == 1) most_ = std::isfinite(most_) ? std::max(most_, xs[0]) : xs[0];
        return ours && xs.size() > 1 ? std::vector<double>() : xs;
    }
    FigureCurve& findOrAddCurve(const std::string& group, From from) {
        const auto known = std::ranges::find(groups_, group);
        const auto number = std::size_t(known - groups_.begin());
        if (known == groups_.end()) groups_.push_back(group);
        for (FigureCurve& curve : out_.curves)
            if (curve.group == number && curve.from == from) return curve;
        static constexpr std::string_view kFrom[] = {"ours", "printed in the paper", "read off the paper's figure",
                                                     "by the paper's formula"};
        static constexpr std::string_view kBehind[] = {"", ", printed", ", read off", ", by its formula"};
        const auto which = std::size_t(from);
        const std::string name = group.empty() ? std::string(kFrom[which]) : fmt::format("{}{}", group, kBehind[which]);
        return out_.curves.emplace_back(FigureCurve{.name = name, .group = number, .from = from, .x = {}, .y = {}});
    }

    const Reproduction& table_;
    const TableText& text_;
    const TableText::Figure& wanted_;
    PaperFigure out_;
    std::vector<std::string> groups_;
    double most_ = std::nan("");  ///< x of ours
};

}  // namespace

std::vector<PaperFigure> makeFigures(const Reproduction& table, const TableText& text) {
    std::vector<PaperFigure> figures;
    for (const TableText::Figure& wanted : text.figures) {
        PaperFigure figure = Filling(table, text, wanted).fill();
        if (figure.title.empty()) figure.title = table.title;
        if (!figure.curves.empty()) figures.push_back(std::move(figure));
    }
    return figures;
}

}  // namespace clothlab::papers
