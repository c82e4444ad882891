#include "actions/actions_page.hpp"
#include "base/platform.hpp"
#include "commands/commands.hpp"
#include "film/lesson_command.hpp"
#include "film/paper_figures.hpp"
#include "film/plot_command.hpp"
#include "film/render_command.hpp"
#include "window/view_command.hpp"

int main(int argc, char** argv) {
    clothlab::platform::restartWithFixedBlasKernels(argv);
    using namespace clothlab::app;
    return commands::runCommandLine(argc, argv,
                                    {.actions = actions::actionsPage,
                                     .view = window::runView,
                                     .render = film::runRender,
                                     .plot = film::runPlot,
                                     .lessonFilm = film::runLessonFilm,
                                     .paperFigures = film::drawPaperFigures,
                                     .picture = film::drawPicture});
}
