#pragma once

#include "panels/panel_context.hpp"
#include "widgets/gallery.hpp"

namespace clothlab::app::panels {

/// The built-in scenes with their pictures, in place of the cloth: a click or Enter opens one. In the playground the
/// only titles, without the scenes whose colours show computed data.
class GalleryPanel final : public ClothPanel {
public:
    explicit GalleryPanel(const PanelContext& context);
    float build(const Region& centre, float bottom) override;

private:
    void heading(widgets::FloatingPanel& panel);
    std::vector<widgets::GalleryCard> cards() const;

    widgets::Gallery gallery_;
};

}  // namespace clothlab::app::panels
