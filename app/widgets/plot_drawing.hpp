#pragma once

#include "widgets/pen.hpp"
#include "widgets/plot.hpp"
#include "widgets/plot_legend.hpp"

namespace clothlab::app::widgets {

/// One plot on its way to the screen. Frame, axes and words are in plot.cpp, curves in plot_curves.cpp, the legend in
/// plot_legend.cpp, what the pointer reads in plot_readout.cpp, what the user does to it in plot_handling.cpp.
/// Wide on purpose: one drawing of one plot, whose steps share layout, axes and clip.
class PlotDrawing {
public:
    struct Place {
        ImVec2 min, size;
        Pen pen;
    };
    PlotDrawing(const PlotSpec& spec, std::span<const PlotCurve> curves, const Place& place, const UiTheme& theme,
                LayoutMap& layout);
    /// As a widget of ImGui.
    PlotReadout run();
    /// As a picture.
    void draw(bool hovered);

    // --- points: the heading, what a plot has at least, and the room for axis and legend beside their lines
    static constexpr float kHead = 22, kLeastPlot = 36, kAxisGap = 5, kNoAxis = 4;
    static constexpr float legendGap(bool xTicks) { return xTicks ? 8 : 6; }

private:
    static constexpr float kMark = 3.5f;                // points, radius
    static constexpr float kSwatch = 16, kSquare = 13;  // points, with the room behind
    static constexpr float kCaptionRim = 40;            // points that a line of the caption leaves free

    // --- what the user does to it
    struct Item {
        bool hovered = false, active = false, takesWheel = false;
    };
    Item item() const;
    void applyViews();
    void handle(const Item& item);
    void zoom(float notches, ImVec2 mouse);
    void pan(ImVec2 by);
    void showX(const PlotRange& range);
    void showY(const PlotRange& range);
    void showAll();
    bool showsAll() const { return xShown_ && xShown_->min <= whole_.min && xShown_->max >= whole_.max; }
    void menu(const Item& item);
    void drawViewWords();
    bool isHidden(std::size_t curve) const;
    bool inside(ImVec2 at) const { return at.x >= min_.x && at.x <= max_.x && at.y >= min_.y && at.y <= max_.y; }

    // --- frame, axes, words
    void layoutRegions();
    void chooseAxes();
    void placeWords();
    void drawFrame();
    void drawXAxis();
    void drawLevels();
    void drawNotes();
    void drawNoteWords();
    const PlotNote* noteAt(float x) const;
    void drawHeading();
    void drawNote(float left);
    void drawCaption();
    void drawCentred(std::string_view text);

    // --- the legend
    void layoutLegend(float room);
    void drawLegend();
    void drawCurveSwatch(const Pen& pen, std::size_t curve, ImVec2 at) const;
    void handleLegend(const Item& item);
    void handleMore(bool pointedAt);
    float swatchWidth() const;

    bool visible(double x) const { return x >= spec_.xMin - 1e-9 && x <= spec_.xMax + 1e-9; }
    bool drawable(const PlotCurve& curve, std::size_t i) const;
    double stackTop(std::size_t layers, std::size_t sample) const;
    float px(double x) const { return min_.x + float(x_.position(x)) * (max_.x - min_.x); }
    float py(double y) const { return max_.y - float(y_.position(y)) * (max_.y - min_.y); }
    ImVec2 pointOf(const PlotCurve& curve, std::size_t i) const {
        return {px(curve.x[i]), py(spec_.sinks ? std::max(curve.y[i], y_.min) : curve.y[i])};
    }

    // --- what the pointer reads
    void readOut();
    void readNearest(double wanted, ImVec2 mouse);
    void readNearestMark(ImVec2 mouse);
    void readValues(ImVec2 mouse);
    void drawReadout();
    /// Where a cross stands.
    ImVec2 crossAt(double x) const;

    // --- curves
    void drawAreas();
    void drawLines();
    void drawBars();
    void drawMeant();
    void flush(std::size_t curve);
    void marksAlong(std::size_t curve);
    void drawMarks();
    void drawLost();
    void drawNames();
    void findTwins();
    /// How many colours lie on this curve: drawn wider, it is seen beside them.
    std::size_t twinsAbove(std::size_t curve) const;
    std::string nameOf(std::size_t curve, float width) const;
    void markPoint(std::size_t curve, std::string_view kind, std::size_t index, ImVec2 at);
    ImU32 shade(std::size_t curve) const;

    PlotSpec spec_;
    std::span<const PlotCurve> curves_;
    std::vector<PlotCurve> kept_;  ///< where one is hidden: without its values
    std::vector<double> zeros_;
    const UiTheme& theme_;
    LayoutMap& layout_;
    std::string id_, xAxis_, yAxis_;
    PlotRange whole_, usual_, yWhole_;  ///< of x all there is and what is shown of it by itself; of y by itself
    bool allHidden_ = false;
    std::optional<PlotRange> xShown_, yShown_;
    Pen pen_;
    ImVec2 outerMin_, outerMax_, min_, max_;
    float lineHeight_ = 12;
    bool any_ = false;
    Axis x_, y_;
    std::vector<TickLabel> xLabels_, yLabels_;
    PlotReadout readout_;
    Legend legend_;
    std::vector<ImVec2> points_;
    std::vector<std::vector<ImVec2>> lines_;  ///< where the curves of single methods run
    std::vector<std::size_t> twin_;           ///< of each the first that lies on it
};

}  // namespace clothlab::app::widgets
