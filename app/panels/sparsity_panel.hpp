#pragma once

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

    float sinceAsked_ = 0;       ///< s
    std::int64_t askedAt_ = -1;  ///< step shown when the picture followed last
};

}  // namespace clothlab::app::panels
