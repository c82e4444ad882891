#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/output.hpp"
#include "experiments/race/race.hpp"
#include "experiments/systems/sparsity.hpp"
#include "lessons/plots.hpp"
#include "model/open_scene.hpp"
#include "model/panel.hpp"
#include "widgets/palette.hpp"

/// Parts of UiModel, one struct per part of the window.
namespace clothlab::app::model {

/// Plots of a motion and its solves (panels/plots).
using lessons::MotionPlot;

/// The column that a window too narrow for both shows.
enum class Column { None, Controls, Plots };

/// As dragged, in points; 0 = by the width of the window.
struct ColumnWidths {
    double left = 0, right = 0;
    bool operator==(const ColumnWidths&) const = default;
};

/// Appearance of the window.
struct Looks {
    scene::OverlayKind overlay = scene::OverlayKind::None;
    std::optional<scene::Fabric> fabric;  ///< none: the scene's own
    bool fitStrain = false;               ///< the scale of the overlay of strains ends where the strains do
    bool wireframe = false;
    bool blind = false;        ///< a lesson's blind test: the differences of cloth and ghost are hidden
    bool ghostBeside = false;  ///< the ghost of a branch is drawn beside the cloth, not over it
    bool showSprings[cloth::kFamilies] = {true, true, false};  ///< stretch, shear, bend in the overlays of springs
    widgets::ThemeKind theme = widgets::ThemeKind::Dark;
    double typeSize = 1;                   ///< of everything drawn, one of kTypeSizes
    bool presenter = false;                ///< no columns, larger type, a few controls under the cloth
    bool controlsOut = false;              ///< in its mode, those that fold away beside a panel or a lesson stay
    std::vector<std::string> keyControls;  ///< keys of settings in the presenter's strip; empty = the default
    Column column = Column::Controls;
    ColumnWidths widths;
    bool usual = false;                         ///< request: reset to the default appearance
    bool interactive = true;                    ///< false in a picture: nothing to press or scroll
    MotionPlot largePlot = MotionPlot::Energy;  ///< in the panel of plots
    int alsoPlot = -1;  ///< a column of simulation::kReportColumns that has a plot of its own; -1 = none
    static constexpr double kMostStepsShown = 300;
    double stepsShown = kMostStepsShown;  ///< by the plots over steps
    bool descentPictures = false;         ///< the descent shows pictures side by side in place of curves
};

/// Open parts of the left column: its sections, and the rest of each.
struct Folds {
    Sections sections;
    bool brush = false, integrator = false, preconditioner = false, solver = false, material = false, contact = false,
         wind = false, scene = false;
    bool allControls = false;  ///< under a lesson
};

/// The camera and requests to it.
struct ViewWishes {
    render::Camera camera;                 ///< as it is
    bool reset = false;                    ///< asked for: that of the scene
    std::optional<render::Camera> wanted;  ///< instead of the one that is
    bool wholeInView = false;              ///< from farther away, until it sees the whole cloth
    Index hovered = -1;                    ///< particle under the pointer on the cloth: to be marked in the matrix
};

/// Requests about files, for the main loop.
struct FileWishes {
    std::string request;     ///< a scene, a saved state or a mesh to open
    bool first = false;      ///< the gallery begins with the files
    bool asked = false;      ///< the files to choose from are to be looked up again
    InputFiles inputs;       ///< that no output may be
    std::string recordings;  ///< folder of the user's recordings
    std::string looks;       ///< a sentence on the remembered appearance and its file, or empty
    std::string toCopy;      ///< into the clipboard, in the next frame
    bool screenshot = false;
};

/// Popups over the window.
struct Popups {
    struct PinTarget {
        Index particle = -1;
        std::uint64_t mesh = 0;  ///< revision that the particle belongs to
    };
    bool open = false;      ///< a list stands open, as of the last frame
    bool close = false;     ///< at the next frame
    bool keys = false;      ///< the help on keys
    PinTarget pin;          ///< the particle that the menu is about
    bool pinAsked = false;  ///< the menu is to be opened in the next frame
    static constexpr std::size_t kSearchBytes = 64;
    std::string search;        ///< over the rows of the left column, shorter than kSearchBytes; empty = none
    bool searchAsked = false;  ///< its field gets the focus in the next frame
    bool rowFocus = false;     ///< a row of the left column has the arrows, Enter, Esc and Delete
};

/// The line over the cloth: the last file error, or where a screenshot went.
struct SaidLine {
    std::string text;
    bool isError = false;
    float seconds = 0;   ///< for which it stays
    std::string action;  ///< that a button behind it runs, or empty
};

/// A program of the user's configuration, and whether the next race includes it.
struct OfferedProgram {
    experiments::Program program;
    bool ticked = false;
};
/// The next race, and the bundle of the last one.
struct RaceState {
    experiments::RaceChoice choice = experiments::RaceChoice::All;  ///< who races next, and which rows are shown
    std::vector<std::string> names;        ///< contestants of the next race; empty = by the choice
    std::vector<double> tolerances;        ///< of the next race; empty = the default
    std::vector<OfferedProgram> programs;  ///< from the configuration; none runs unless the user ticks it
    bool live = false;                     ///< the next race measures while the cloth moves
    std::string folder;                    ///< a bundle is being written there: it wants pictures
    std::vector<std::pair<std::string, std::string>> pictures;  ///< its plots: file name and SVG
    /// The next race follows the user's choice again.
    void forget() { names.clear(), tolerances.clear(); }
};

struct SparsityState {
    experiments::SparsityOf of = experiments::SparsityOf::Matrix;
    factors::Ordering ordering = factors::Ordering::Natural;
    bool byComponents = false;
    std::array<Index, 2> linked{-1, -1};  ///< particles of the block under the pointer: to be marked on the cloth
};

}  // namespace clothlab::app::model
