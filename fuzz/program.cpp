#include "experiments/race/program.hpp"

#include "experiments/race/program_run.hpp"
#include "messages.hpp"

using namespace clothlab;

/// The output of a user's program (times or a solution) and the list of such programs, selected by the first byte.
/// Accepted times and counts are not negative; a solution has the requested size; an accepted command has a place for
/// the folder.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto text = fuzz::asText(data + 1, size - 1);
    if (data[0] % 3 == 0) {
        const auto answer = experiments::readAnswer(text, "fuzz.json");
        if (!answer) return fuzz::checkMessage(answer.error(), text), 0;
        fuzz::require(answer->setUpSeconds >= 0 && answer->solveSeconds >= 0 && answer->iterations >= 0 &&
                          answer->residual.value_or(0) >= 0,
                      "nothing is negative");
    } else if (data[0] % 3 == 1) {
        constexpr Index kParticles = 2;
        const auto x = experiments::readSolution(text, "fuzz.npy", kParticles);
        if (!x) return fuzz::checkMessage(x.error(), text, false), 0;
        fuzz::require(x->size() == kParticles, "a solution has the size of its system");
    } else {
        const auto programs = experiments::programsIn(text, "fuzz.json");
        if (!programs) return fuzz::checkMessage(programs.error(), text), 0;
        for (const experiments::Program& program : *programs) {
            fuzz::require(!program.name.empty(), "a program has a name");
            fuzz::require(experiments::commandFor(program, "/tmp/x").find("{dir}") == std::string::npos,
                          "the folder takes its place");
        }
    }
    return 0;
}
