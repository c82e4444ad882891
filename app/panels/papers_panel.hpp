#pragma once

#include <memory>
#include <optional>
#include <string>

#include "panels/panel_context.hpp"
#include "papers/reproduction.hpp"

namespace clothlab::app::panels {

/// The papers' tables and figures in place of the cloth: a list, and of the chosen one the paper's values beside ours,
/// computed here.
class PapersPanel final : public ClothPanel {
public:
    explicit PapersPanel(const PanelContext& context) : ClothPanel(context) {}
    float build(const Region& centre, float bottom) override;

private:
    void list();
    void entry(const papers::PaperTable& table);
    void chosen(const papers::PaperTable& table);
    void buttons(const papers::PaperTable& table);
    void progress();
    void result(const papers::Reproduction& table);
    void grid(const papers::Reproduction& table, float height);
    void run(const papers::PaperTable& table, bool quick);
    std::string quickText(std::string_view table);

    std::shared_ptr<const papers::Reproduction> shown_;
    papers::ReproductionGrid grid_;            ///< of that
    std::optional<papers::PaperTimes> times_;  ///< none before the first look
};

}  // namespace clothlab::app::panels
