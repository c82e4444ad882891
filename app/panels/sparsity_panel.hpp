#pragma once

#include "model/step_note.hpp"
#include "panels/panel_context.hpp"

namespace clothlab::app::panels {

/// The blocks of a matrix as a picture beside the cloth, linked with it: a block under the pointer marks its two
/// particles on the cloth, a particle under the pointer its row and column in the picture.
class SparsityPanel final : public ClothPanel {
public:
    explicit SparsityPanel(const PanelContext& context) : ClothPanel(context) {}
    float build(const Region& centre, float bottom) override;

private:
    void heading();
    void picture(float side);
    void pointAt(ImVec2 min, float side);
    void borders(ImVec2 min, float side) const;
    std::string componentsCaption() const;
    void crossHair(ImVec2 min, float side) const;
    void legend();
    void follow();

    float sinceAsked_ = 0;             ///< s
    float legends_ = 70, notes_ = 90;  ///< pixels under the picture, of the frame before
    model::StepNote note_;             ///< the step of the picture
    /// The last request, so that none is repeated.
    struct Asked {
        simulation::StateIdentity shown;
        std::uint64_t settings = 0;
        bool operator==(const Asked&) const = default;
    };
    Asked asked_;
};

}  // namespace clothlab::app::panels
