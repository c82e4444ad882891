#include "model/sources.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "integrators/methods/catalogue.hpp"
#include "panel_fixture.hpp"
#include "preconditioners/catalogue.hpp"
#include "solvers/catalogue.hpp"

// Each method names the page that explains it, and the lists of the window show that page.
namespace clothlab::app::panels {

using model::sourceText;

namespace {

/// The section must be a heading of that page; the test `architecture` checks the citations of papers.
void expectOnItsPage(std::string_view key, std::string_view source) {
    static const std::regex form(R"(methods §(\d+(\.\d+)*) \(([a-z-]+\.md)\)(; .+)?)");
    std::match_results<std::string_view::const_iterator> found;
    ASSERT_TRUE(std::regex_match(source.begin(), source.end(), found, form)) << key << ": " << source;
    std::ifstream page(CLOTHLAB_SOURCE_DIR "/docs/methods/" + found[3].str());
    std::stringstream text;
    text << page.rdbuf();
    EXPECT_NE(text.str().find("\n## " + found[1].str() + " "), std::string::npos) << key << ": " << source;
    EXPECT_TRUE(sourceText(source).starts_with("docs/methods/" + found[3].str() + " §" + found[1].str()))
        << sourceText(source);
    EXPECT_EQ(sourceText(source).find('['), std::string::npos) << "authors' names, not keys: " << sourceText(source);
}

TEST(Sources, EveryMethodNamesASectionThatIsThere) {
    for (const auto& entry : integrators::catalogue()) expectOnItsPage(entry.key, entry.source);
    for (const auto& entry : preconditioners::catalogue()) expectOnItsPage(entry.key, entry.source);
    for (const auto& entry : solvers::catalogue()) expectOnItsPage(entry.key, entry.source);
    EXPECT_EQ(sourceText("methods §5.5 (integrators.md); [B] (4.13), [Y] §6"),
              "docs/methods/integrators.md §5.5; Boxerman (4.13), Ye and others §6");
    EXPECT_EQ(sourceText("a paper of one's own"), "a paper of one's own") << "a method from elsewhere";
}

TEST_F(PanelTest, TheListsOfMethodsNameTheirPages) {
    for (const char* list : {"integrator.kind", "solver.kind", "preconditioner.kind"}) {
        frames(2);
        click(at(list));
        frames(2);
        const std::string entry = fmt::format("{}/{}", list,
                                              list == std::string("integrator.kind") ? "bdf2"
                                              : list == std::string("solver.kind")   ? "mpcg"
                                                                                     : "jacobi");
        moveTo(at(entry));
        frames(40);
        EXPECT_NE(ui->layout().find("tooltip:" + entry), nullptr);
        EXPECT_NE(ui->layout().wordsAt("tooltip:" + entry).find("docs/methods/"), std::string::npos) << entry;
        press(widgets::Key::Escape);
    }
}

}  // namespace
}  // namespace clothlab::app::panels
