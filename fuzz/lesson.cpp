#include "lessons/lesson.hpp"
#include "messages.hpp"

using namespace clothlab;

/// A lesson file, without the scenes that it names. Accepted claims can be evaluated and shown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::asText(data, size);
    const auto anything = [](const lessons::Quantity&, int) { return std::string(); };
    const auto lesson = lessons::readLessonText(text, "fuzz.md", anything);
    if (!lesson) {
        fuzz::checkMessage(lesson.error(), text);
        return 0;
    }
    fuzz::require(!lesson->steps.empty() && !lesson->title.empty(), "a lesson has a title and steps");
    for (const lessons::LessonStep& step : lesson->steps)
        for (const lessons::Claim& claim : step.claims) {
            const auto again =
                lessons::Claim::parse(claim.text(), [](const lessons::Quantity&) { return std::string(); });
            fuzz::require(again.has_value(), "a claim's text is a claim", claim.text());
            const lessons::Lookup one = [](const lessons::Quantity&) { return 1.0; };
            fuzz::require(again->holds(one) == claim.holds(one), "and the same one", claim.text());
            fuzz::require(!claim.filledIn(one).empty(), "it can be shown", claim.text());
        }
    return 0;
}
