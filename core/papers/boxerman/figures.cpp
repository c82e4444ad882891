#include <cmath>
#include <map>
#include <set>

#include "papers/boxerman/boxerman.hpp"

/// [B] figures 5.3 to 5.10: one experiment with two corners pinned and one on a sphere; each is shown against the
/// number of particles and against the numerical stiffness, as counts and as ratios of counts.
namespace clothlab::papers::boxerman {
namespace {

/// The first of a row's numbers is of the strictest reading; those of the others have the names of the readings, their
/// suffixes without the underscore.
std::string columnKey(const char* first, std::size_t reading) {
    return reading == 0 ? first : kReadingSuffixes[reading] + 1;
}

std::string entryName(std::size_t preconditioner) { return std::string(enumKey(kPreconditioners[preconditioner])); }

const char* entryName(Axis axis) { return axis == Axis::Particles ? "particles" : "stiffness"; }

/// The sets of one size, or of one decade of stiffness.
struct Point {
    std::string label;
    double x = 0;
    SetGroup sets;

    double iterations(std::size_t r, std::size_t p) const { return sets.mean(iterationsKey(r, p)); }
};

std::vector<Point> makePoints(const SetGroup& sets, Axis axis) {
    const auto pointKey = [&](const FinishedSet& set) {
        const double stiffness = set.number("numerical_stiffness");
        return int(axis == Axis::Particles ? set.number("side") : std::floor(std::log10(stiffness)));
    };
    std::set<int> keys;
    for (const FinishedSet& set : sets) keys.insert(pointKey(set));
    std::vector<Point> out;
    for (const int key : keys) {
        const double x = axis == Axis::Particles ? double(key) * key : std::pow(10, key);
        out.push_back({axis == Axis::Particles ? fmt::format("{:.0f}", x) : fmt::format("{:g} to {:g}", x, 10 * x), x,
                       sets.where([&](const FinishedSet& set) { return pointKey(set) == key; })});
    }
    return out;
}

ReproductionRow makeRow(const Figure& figure, const Point& point, std::size_t p) {
    ReproductionRow row{.what = {{entryName(figure.axis), point.label}, {"preconditioner", entryName(p)}},
                        .ours = {{"sets", point.sets.count()}, {"constrained", point.sets.mean("constrained")}}};
    for (std::size_t r = 0; r < kReadings.size(); ++r) {
        const double count = point.iterations(r, p);
        if (figure.counts())
            row.ours.emplace_back(columnKey("iterations", r), count);
        else
            row.ours.emplace_back(columnKey("of_identity", r), count / point.iterations(r, kIdentity));
    }
    const auto takesMore = [&](const FinishedSet& set) {
        return set.number(iterationsKey(0, p)) > set.number(iterationsKey(0, kIdentity));
    };
    if (!figure.counts()) row.ours.emplace_back("sets_with_more", point.sets.mean(takesMore));
    return row;
}

struct Sample {
    double x, y;
    int family = 0;  ///< each has a factor of its own
};

/// Exponent of y ~ x^p, by least squares of the logarithms.
double fittedExponent(const std::vector<Sample>& samples) {
    struct Mean {
        double x = 0, y = 0, n = 0;
    };
    std::map<int, Mean> means;
    for (const Sample& s : samples) {
        Mean& m = means[s.family];
        m.x += std::log(s.x), m.y += std::log(s.y), ++m.n;
    }
    double xx = 0, xy = 0;
    for (const Sample& s : samples) {
        const Mean& m = means[s.family];
        const double x = std::log(s.x) - m.x / m.n, y = std::log(s.y) - m.y / m.n;
        xx += x * x, xy += x * y;
    }
    return xx > 0 ? xy / xx : 0;
}

/// Against the particles the slope of the means, as in the figure; against the stiffness that of the sets, taken
/// together or each size for itself.
double exponent(const SetGroup& sets, const std::vector<Point>& points, Axis axis, std::size_t r, std::size_t p,
                bool bySize) {
    std::vector<Sample> samples;
    if (axis == Axis::Particles)
        for (const Point& point : points) samples.push_back({point.x, point.iterations(r, p)});
    else
        for (const FinishedSet& set : sets)
            if (const double iterations = set.number(iterationsKey(r, p)); iterations > 0)
                samples.push_back(
                    {set.number("numerical_stiffness"), iterations, bySize ? int(set.number("side")) : 0});
    return fittedExponent(samples);
}

void addFits(Reproduction& out, const SetGroup& sets, const std::vector<Point>& points, const Figure& figure) {
    for (const bool bySize : {false, true}) {
        if (figure.bySize() && bySize) break;
        for (std::size_t p = 0; p < kPreconditioners.size(); ++p) {
            ReproductionRow row;
            row.what = {{entryName(figure.axis), bySize ? "fit, n fixed" : "fit"}, {"preconditioner", entryName(p)}};
            for (std::size_t r = 0; r < kReadings.size(); ++r)
                row.ours.emplace_back(columnKey("exponent", r), exponent(sets, points, figure.axis, r, p, bySize));
            out.rows.push_back(std::move(row));
        }
    }
}

}  // namespace

Expected<Reproduction> iterationsOfSets(const Figure& figure, Job& job) {
    SetExperiment experiment = setsOfSection531(figure.scenario, job);
    experiment.show = [&](const SetGroup& all, Reproduction& out) {
        const SetGroup sets = all.where([](const FinishedSet& set) { return set.number("systems") > 0; });
        const std::vector<Point> points = makePoints(sets, figure.axis);
        for (const Point& point : points)
            for (std::size_t p = figure.counts() ? kIdentity : kABlock; p < kPreconditioners.size(); ++p)
                out.rows.push_back(makeRow(figure, point, p));
        if (figure.counts()) addFits(out, sets, points, figure);
        // Where nothing slides, CP is A-Block with another way to make it.
        if (figure.counts() && figure.bySize() && !figure.onSphere())
            out.rows.push_back({{{"particles", "all"}, {"preconditioner", entryName(kConstrained)}},
                                {{"time_of_a_block", sets.sum(number(millisecondsKey(kConstrained))) /
                                                         sets.sum(number(millisecondsKey(kABlock)))}}});
        job.tell("sets", sets.count());
        if (const double diverged = sets.sum("diverged"); diverged > 0) job.tell("diverged", diverged);
    };
    return runExperiment(experiment, job);
}

}  // namespace clothlab::papers::boxerman
