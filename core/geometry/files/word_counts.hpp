#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace clothlab::geometry {

/// Counts of words, in the order of first appearance. Of very many different words only the first are listed.
class WordCounts {
public:
    void add(std::string_view word) {
        for (auto& [known, count] : counts_)
            if (known == word) {
                ++count;
                return;
            }
        if (counts_.size() < kMost)
            counts_.emplace_back(word, 1);
        else
            ++others_;
    }
    bool empty() const { return counts_.empty(); }
    std::string_view first() const { return counts_.front().first; }
    /// "ny 16, nv 16, e 1"
    std::string text() const {
        constexpr std::size_t kLongest = 24;
        std::string out;
        for (const auto& [word, count] : counts_)
            out += (out.empty() ? "" : ", ") + shown(word, kLongest) + " " + std::to_string(count);
        return others_ > 0 ? out + ", others " + std::to_string(others_) : out;
    }

private:
    static constexpr std::size_t kMost = 12;
    std::vector<std::pair<std::string_view, std::size_t>> counts_;  // the words lie in the text that is read
    std::size_t others_ = 0;
};

}  // namespace clothlab::geometry
