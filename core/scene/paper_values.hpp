#pragma once

#include <string>
#include <vector>

/// Which values of a scene are a paper's: [paper] of a scene file.
///
///     [paper]
///     source = "Ye, table 2"
///     note = "Two corners are pinned; a ball hits the sheet."       what is no value of the scene
///     [paper.printed]
///     cloth.rows = 41
///     material.stretch_stiffness = [60, 600, 6000]                  several: the paper has each of them
///     [paper.read_off]      off a figure, worked out from other numbers, or printed for another experiment
///     cloth.side = 0.245
///
/// The values are the paper's, also where the scene has another one. All else is ours.
namespace clothlab::scene {

struct Scene;

struct PaperValue {
    std::string key;                  ///< "integrator.dt"
    std::vector<std::string> values;  ///< as TOML has them
    bool readOff = false;             ///< the paper does not print it

    bool operator==(const PaperValue&) const = default;
};

struct PaperSource {
    std::string source, note;
    std::vector<PaperValue> values;

    bool operator==(const PaperSource&) const = default;
    explicit operator bool() const { return !source.empty(); }
};

/// A value of the paper beside that of the scene, or one that is ours.
struct PaperRow {
    enum class From { Printed, ReadOff, Ours };

    From from = From::Ours;
    std::string key, label, unit;
    std::string paper;  ///< "60, 600, 6000"; empty of one that is ours
    std::string here;
    bool same = true;  ///< the scene has the paper's value, or one of them
};

/// Those of the paper, in the order of the file, then what the scene sets beside them: settings and the first cloth,
/// where they differ from the defaults. Empty where the scene is of no paper.
std::vector<PaperRow> paperRows(const Scene& scene);
/// "Ye, table 2: 8 values printed there, 1 read off, 5 ours"; "..., 2 changed" where the scene has others.
std::string paperSummary(const PaperSource& source, const std::vector<PaperRow>& rows);

}  // namespace clothlab::scene
