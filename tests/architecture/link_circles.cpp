#include "architecture/link_circles.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace clothlab::architecture {
namespace {

using Links = std::map<std::string, std::vector<std::string>>;

Links read(std::string_view lines) {
    Links links;
    std::istringstream in{std::string(lines)};
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string library, arrow;
        if (!(words >> library >> arrow)) continue;
        for (std::string word; words >> word;) links[library].push_back(word);
        links.try_emplace(library);
    }
    return links;
}

/// Depth-first search from a library: one that is reached again on the way down closes a circle.
class Search {
public:
    explicit Search(const Links& links) : links_(links) {
        for (const auto& [library, linked] : links) visit(library);
    }
    std::vector<std::string> found;

private:
    void visit(const std::string& library) {
        const auto there = links_.find(library);
        if (there == links_.end()) return;
        if (const auto met = std::ranges::find(way_, library); met != way_.end()) {
            std::string circle;
            for (auto at = met; at != way_.end(); ++at) circle += *at + " <- ";
            found.push_back(circle + library);
            return;
        }
        if (!done_.insert(library).second) return;
        way_.push_back(library);
        for (const std::string& linked : there->second) visit(linked);
        way_.pop_back();
    }

    const Links& links_;
    std::set<std::string> done_;
    std::vector<std::string> way_;
};

}  // namespace

std::vector<std::string> linkCircles(std::string_view lines) { return Search(read(lines)).found; }

}  // namespace clothlab::architecture
