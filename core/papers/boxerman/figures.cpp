#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "papers/boxerman/boxerman.hpp"

/// [B] figures 5.3 to 5.10: one experiment with two corners pinned and one on a sphere; each is shown against the
/// number of particles and against the numerical stiffness, as counts and as ratios of counts.
namespace clothlab::simulation {
namespace {

using namespace boxerman;

enum class Axis : int { Particles, Stiffness };
enum class Shown : int { Counts, Ratios };

struct Figure {
    Scenario scenario;
    Axis axis;
    Shown shown;
};

/// Keys of the three readings, in their order.
constexpr std::array kCountKeys{"iterations", "at_tol_ck", "at_tol2_ck"};
constexpr std::array kRatioKeys{"of_identity", "at_tol_ck", "at_tol2_ck"};
constexpr std::array kExponentKeys{"exponent", "at_tol_ck", "at_tol2_ck"};

/// The sets of one size, or of one decade of stiffness.
struct Group {
    std::string label;
    double x = 0;
    std::vector<const SetResult*> sets;

    template <class F>
    double mean(F&& value) const {
        double sum = 0;
        for (const SetResult* set : sets) sum += value(*set);
        return sum / double(sets.size());
    }
    double iterations(std::size_t r, std::size_t p) const {
        return mean([&](const SetResult& set) { return set.iterations[r][p]; });
    }
};

double particlesOf(const SetResult& set) { return double(set.side) * set.side; }

std::vector<Group> groupsOf(const std::vector<SetResult>& sets, Axis axis) {
    std::map<int, Group> groups;
    for (const SetResult& set : sets) {
        const int decade = static_cast<int>(std::floor(std::log10(set.numericalStiffness)));
        Group& group = groups[axis == Axis::Particles ? set.side : decade];
        group.sets.push_back(&set);
        group.x = axis == Axis::Particles ? particlesOf(set) : std::pow(10, decade);
        group.label = axis == Axis::Particles ? fmt::format("{:.0f}", group.x)
                                              : fmt::format("{:g} to {:g}", group.x, 10 * group.x);
    }
    std::vector<Group> out;
    for (auto& [key, group] : groups) out.push_back(std::move(group));
    return out;
}

/// What the thesis says of one point: its text, or the axis of the figure, for it prints no table.
records::Entries printed(const Figure& figure, const Group& group, std::size_t p) {
    if (figure.shown == Shown::Counts || p == kIdentity) return {};
    const bool sphere = figure.scenario == Scenario::SlidingSphere;
    if (figure.axis == Axis::Particles) {
        if (!sphere) return {{"of_identity", "0.66 to 0.78"}};
        if (p == kABlock) return {{"of_identity", "above 1"}};
        return group.x >= 400 ? records::Entries{{"of_identity", 0.7}} : records::Entries{};
    }
    if (group.x != 100) return {};
    if (!sphere) return {{"of_identity", "0.65 to 0.7"}};
    return {{"of_identity", p == kABlock ? "about 1" : "0.3"}};
}

ReproductionRow rowOf(const Figure& figure, const Group& group, std::size_t p) {
    ReproductionRow row;
    row.what = {{figure.axis == Axis::Particles ? "particles" : "stiffness", group.label},
                {"preconditioner", std::string(enumKey(kPreconditioners[p]))}};
    row.ours = {{"sets", double(group.sets.size())},
                {"constrained", group.mean([](const SetResult& set) { return set.constrained; })}};
    for (std::size_t r = 0; r < kReadings.size(); ++r) {
        const double count = group.iterations(r, p);
        if (figure.shown == Shown::Counts)
            row.ours.emplace_back(kCountKeys[r], count);
        else
            row.ours.emplace_back(kRatioKeys[r], count / group.iterations(r, kIdentity));
    }
    if (figure.shown == Shown::Ratios)
        row.ours.emplace_back("sets_with_more", group.mean([&](const SetResult& set) {
            return set.iterations[0][p] > set.iterations[0][kIdentity] ? 1.0 : 0.0;
        }));
    row.paper = printed(figure, group, p);
    return row;
}

struct Point {
    double x, y;
    int family = 0;  ///< each has a factor of its own
};

/// Exponent of y ~ x^p, by least squares of the logarithms.
double fittedExponent(const std::vector<Point>& points) {
    struct Mean {
        double x = 0, y = 0, n = 0;
    };
    std::map<int, Mean> means;
    for (const Point& point : points) {
        Mean& m = means[point.family];
        m.x += std::log(point.x), m.y += std::log(point.y), ++m.n;
    }
    double xx = 0, xy = 0;
    for (const Point& point : points) {
        const Mean& m = means[point.family];
        const double x = std::log(point.x) - m.x / m.n, y = std::log(point.y) - m.y / m.n;
        xx += x * x, xy += x * y;
    }
    return xx > 0 ? xy / xx : 0;
}

/// Against the particles the slope of the means, as in the figure; against the stiffness that of the sets, taken
/// together or each size for itself.
double exponent(const std::vector<SetResult>& sets, const std::vector<Group>& groups, const Figure& figure,
                std::size_t r, std::size_t p, bool bySize) {
    std::vector<Point> points;
    if (figure.axis == Axis::Particles) {
        for (const Group& group : groups) points.push_back({group.x, group.iterations(r, p)});
    } else {
        for (const SetResult& set : sets)
            if (set.iterations[r][p] > 0)
                points.push_back({set.numericalStiffness, set.iterations[r][p], bySize ? set.side : 0});
    }
    return fittedExponent(points);
}

void addFits(Reproduction& out, const std::vector<SetResult>& sets, const std::vector<Group>& groups,
             const Figure& figure) {
    const bool size = figure.axis == Axis::Particles;
    for (const bool bySize : {false, true}) {
        if (size && bySize) break;
        for (std::size_t p = 0; p < kPreconditioners.size(); ++p) {
            ReproductionRow row;
            row.what = {{size ? "particles" : "stiffness", bySize ? "fit, n fixed" : "fit"},
                        {"preconditioner", std::string(enumKey(kPreconditioners[p]))}};
            for (std::size_t r = 0; r < kReadings.size(); ++r)
                row.ours.emplace_back(kExponentKeys[r], exponent(sets, groups, figure, r, p, bySize));
            if (size && figure.scenario == Scenario::SlidingSphere) {
                if (p == kIdentity) row.paper = {{"exponent", 0.512}};
                if (p == kConstrained) row.paper = {{"exponent", 0.436}};
            }
            out.rows.push_back(std::move(row));
        }
    }
}

/// Where nothing slides, CP is A-Block with another way to make it.
void addCostOfConstrained(Reproduction& out, const std::vector<SetResult>& sets) {
    double aBlock = 0, constrained = 0;
    for (const SetResult& set : sets)
        aBlock += set.milliseconds[kABlock], constrained += set.milliseconds[kConstrained];
    out.rows.push_back(
        {.what = {{"particles", "all"}, {"preconditioner", std::string(enumKey(kPreconditioners[kConstrained]))}},
         .ours = {{"time_of_a_block", constrained / aBlock}},
         .paper = {{"time_of_a_block", 1.008}}});
}

std::vector<std::string> notesOf(const Figure& figure, const SetResults& results) {
    std::vector<std::string> notes{
        fmt::format("{} random sets from the thesis' grid of sizes, densities, stiffnesses, dampings and steps (it has "
                    "500), run for a "
                    "second; means over the sets of the mean count of some of their steps. block-jacobi is the thesis' "
                    "A-Block, "
                    "constrained-block its CP. constrained: share of the particles that are.",
                    results.sets.size()),
        "Its tolerance reads \"tol = ck (where k is the 2 time step)\" in the scan, c = 0.01; the 2 is a superscript "
        "that has left its "
        "line. iterations, of_identity, exponent: tol = c k^2. at_tol_ck, at_tol2_ck: the same numbers at tol = c k, "
        "tol^2 = c k. The "
        "thesis' exponents, its 0.7 for CP and its A-Block worse than I come with tol = c k^2, and are lost with tol^2 "
        "= c k, 1 % of b.",
        figure.scenario == Scenario::SlidingSphere
            ? "Ball of 0.3 m, off the middle by 0.03 and 0.05 m, without friction, so that contacts have ndof 2; the "
              "thesis prints neither."
            : "Two corners pinned: CP and A-Block are the same but for their making.",
    };
    if (figure.axis == Axis::Stiffness)
        notes.emplace_back(
            "stiffness: the thesis' (4.8), (k/m)(k k_s + 2 k_d), of the stretch springs; all sizes together. \"fit, n "
            "fixed\": "
            "a common exponent, a factor for each size. The thesis plots, and prints no exponent.");
    if (figure.shown == Shown::Ratios)
        notes.emplace_back(
            "sets_with_more: share of the sets in which it takes more iterations than I. The thesis' values are its "
            "text and "
            "its axes.");
    if (figure.shown == Shown::Ratios && figure.axis == Axis::Particles && figure.scenario == Scenario::TwoCorners)
        notes.emplace_back(
            "This deviates: the axis of the thesis' figure has 0.66 to 0.78 of the iterations of I, ours have 0.54 to "
            "0.62 "
            "(--quick), less the larger the sheet, and less still at the looser readings of the tolerance. Blocks save "
            "more "
            "here. The thesis does not say how the sheet begins; the cause is not found.");
    if (figure.shown == Shown::Ratios && figure.axis == Axis::Stiffness && figure.scenario == Scenario::SlidingSphere)
        notes.emplace_back(
            "The thesis' text has \"a reduction of approximately 70 %\" for CP here, and 30 % for the same runs "
            "against size: "
            "70 % of the count is what agrees.");
    const auto diverged =
        std::count_if(results.sets.begin(), results.sets.end(), [](const SetResult& set) { return set.diverged; });
    if (diverged > 0)
        notes.push_back(fmt::format("{} sets were ended by the guard; their systems up to there count.", diverged));
    if (results.stopped) notes.push_back(fmt::format("Stopped: {} of {} sets.", results.sets.size(), results.planned));
    return notes;
}

Expected<Reproduction> figureOf(const Figure& figure, const ReproduceOptions& options,
                                const ReproduceControl& control) {
    const auto results = runSets(figure.scenario, options, control);
    if (!results) return tl::unexpected(results.error());
    const std::vector<Group> groups = groupsOf(results->sets, figure.axis);
    Reproduction out;
    for (const Group& group : groups)
        for (std::size_t p = figure.shown == Shown::Counts ? kIdentity : kABlock; p < kPreconditioners.size(); ++p)
            out.rows.push_back(rowOf(figure, group, p));
    if (figure.shown == Shown::Counts) addFits(out, results->sets, groups, figure);
    if (figure.shown == Shown::Counts && figure.axis == Axis::Particles && figure.scenario == Scenario::TwoCorners)
        addCostOfConstrained(out, results->sets);
    out.notes = notesOf(figure, *results);
    return out;
}

}  // namespace

Expected<Reproduction> boxermanFigure53(const ReproduceOptions& options, const ReproduceControl& control) {
    return figureOf({Scenario::TwoCorners, Axis::Particles, Shown::Counts}, options, control);
}
Expected<Reproduction> boxermanFigure54(const ReproduceOptions& options, const ReproduceControl& control) {
    return figureOf({Scenario::TwoCorners, Axis::Particles, Shown::Ratios}, options, control);
}
Expected<Reproduction> boxermanFigure55(const ReproduceOptions& options, const ReproduceControl& control) {
    return figureOf({Scenario::TwoCorners, Axis::Stiffness, Shown::Counts}, options, control);
}
Expected<Reproduction> boxermanFigure56(const ReproduceOptions& options, const ReproduceControl& control) {
    return figureOf({Scenario::TwoCorners, Axis::Stiffness, Shown::Ratios}, options, control);
}
Expected<Reproduction> boxermanFigure57(const ReproduceOptions& options, const ReproduceControl& control) {
    return figureOf({Scenario::SlidingSphere, Axis::Particles, Shown::Counts}, options, control);
}
Expected<Reproduction> boxermanFigure58(const ReproduceOptions& options, const ReproduceControl& control) {
    return figureOf({Scenario::SlidingSphere, Axis::Particles, Shown::Ratios}, options, control);
}
Expected<Reproduction> boxermanFigure59(const ReproduceOptions& options, const ReproduceControl& control) {
    return figureOf({Scenario::SlidingSphere, Axis::Stiffness, Shown::Counts}, options, control);
}
Expected<Reproduction> boxermanFigure510(const ReproduceOptions& options, const ReproduceControl& control) {
    return figureOf({Scenario::SlidingSphere, Axis::Stiffness, Shown::Ratios}, options, control);
}

}  // namespace clothlab::simulation
