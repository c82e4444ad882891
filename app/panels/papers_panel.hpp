#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "panels/claims_view.hpp"
#include "panels/panel_context.hpp"
#include "panels/paper_plot.hpp"
#include "panels/paper_values_view.hpp"

namespace clothlab::app::panels {

/// The papers' tables and figures in place of the cloth: a list, and for the chosen one the paper's values beside ours,
/// computed here.
class PapersPanel final : public ClothPanel {
public:
    explicit PapersPanel(const PanelContext& context) : ClothPanel(context), claims_(context), values_(context) {}
    float build(const Region& centre, float bottom) override;

private:
    void list();
    void pages();
    void page(const char* name, const char* title, const std::string& help);
    void entry(const papers::PaperTable& table);
    void chosen(const papers::PaperTable& table);
    void buttons(const papers::PaperTable& table);
    void resultButtons(const papers::PaperTable& table);
    void progress();
    void result(const papers::PaperTable& table, const model::PapersState::SharedTable& kept);
    void grid(const papers::Reproduction& table, float height);
    void figures(const model::PapersState::SharedTable& kept, float height);
    void picture(const papers::PatternPicture& picture);
    void run(const papers::PaperTable& table, bool quick);
    const papers::PaperTime* findTime(std::string_view table);
    /// Null if the files of the papers cannot be read.
    const papers::TableText* findText(std::string_view table);
    /// Its name, if the files of the papers cannot be read.
    std::string displayTitle(std::string_view table);
    std::string quickText(std::string_view table);
    /// "Quick: ... As in the paper: ...", with the duration of both.
    std::string lasts(const papers::PaperTable& table);

    model::PapersState::SharedTable shown_;
    papers::ReproductionGrid grid_;            ///< of `shown_`
    std::optional<papers::PaperTimes> times_;  ///< none before the first use
    std::optional<Expected<papers::PaperTexts>> texts_;
    ClaimsView claims_;
    PaperValuesView values_;
    std::vector<std::string> headings_, notes_;  ///< of what is shown
    std::vector<std::unique_ptr<PaperPlot>> plots_;
};

}  // namespace clothlab::app::panels
