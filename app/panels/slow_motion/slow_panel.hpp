#pragma once

#include "model/step_note.hpp"
#include "panels/panel_context.hpp"

namespace clothlab::app::panels {

/// Slow motion under the picture: a slider over the iterates of one solve, two methods side by side.
class SlowPanel final : public ClothPanel {
public:
    explicit SlowPanel(const PanelContext& context) : ClothPanel(context) {}
    float build(const Region& centre, float bottom) override;

private:
    std::string words() const;
    void heading(float right);
    void choices(float right);
    void thisStep();
    void slider(float width);
    float sides(float width, bool stacked);
    /// One method: its list and its progress; between x and x + width.
    void side(std::size_t which, float x, float width);
    bool methodCombo(std::size_t which, float width);
    void groupName(const experiments::Contestant& first) const;
    std::vector<std::string> progressLines(std::size_t which) const;
    void advance();
    void plots(ImVec2 size);
    void residualPlot(ImVec2 size);
    /// The error by wavelength: one bar per band and method, and a stroke at its initial value.
    void wavesPlot(ImVec2 size);
    void updateWaves();
    /// Styles of the two methods that are wanted, or of those that are shown.
    std::vector<widgets::Style> stylesWanted() const;
    std::vector<widgets::Style> stylesShown() const;

    /// The source of the amplitudes drawn.
    struct Waves {
        const worker::SlowMotionResult* result = nullptr;
        std::uint64_t request = 0;
        std::size_t frame[2] = {0, 0};
        bool operator==(const Waves&) const = default;
    };
    model::StepNote note_;  ///< the step of the result
    Waves taken_;
    std::vector<double> first_[2], now_[2], last_[2];  ///< mm/s, per band
    float since_ = 0;                                  ///< s, since the last frame while playing
    float height_ = 0;                                 ///< of the panel in the last frame: its lines wrap
};

}  // namespace clothlab::app::panels
