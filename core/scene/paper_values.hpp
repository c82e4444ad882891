#pragma once

#include <string>
#include <vector>

/// The values of a scene that come from a paper: [paper] of a scene file.
///
///     [paper]
///     source = "Ye, table 2"
///     note = "Two corners are pinned; a ball hits the sheet."       not expressed by values of the scene
///     [paper.printed]
///     cloth.rows = 41
///     material.stretch_stiffness = [60, 600, 6000]                  several: the paper has each of them
///     [paper.read_off]      off a figure, worked out from other numbers, or printed for another experiment
///     cloth.side = 0.245
///
/// The values are the paper's, even if the scene has others. Everything else is ours.
namespace clothlab::scene {

struct Scene;

struct PaperValue {
    std::string key;                  ///< "integrator.dt"
    std::vector<std::string> values;  ///< as TOML text
    bool readOff = false;             ///< the paper does not print it

    bool operator==(const PaperValue&) const = default;
};

struct PaperSource {
    std::string source, note;
    std::vector<PaperValue> values;

    bool operator==(const PaperSource&) const = default;
    explicit operator bool() const { return !source.empty(); }
};

/// A value of the paper with that of the scene, or one of ours.
struct PaperRow {
    enum class From { Printed, ReadOff, Ours };

    From from = From::Ours;
    std::string key, label, unit;
    std::string paper;  ///< "60, 600, 6000"; empty for one of ours
    std::string here;
    bool same = true;  ///< the scene has the paper's value, or one of them
};

/// Those of the paper, in the order of the file, then the scene's own: settings and the first cloth, where they differ
/// from the defaults. Empty if the scene is of no paper.
std::vector<PaperRow> paperRows(const Scene& scene);
/// "Ye, table 2: 8 values printed there, 1 read off, 5 ours"; "..., 2 changed" if the scene has others.
std::string paperSummary(const PaperSource& source, const std::vector<PaperRow>& rows);

}  // namespace clothlab::scene
