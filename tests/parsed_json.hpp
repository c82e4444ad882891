#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/json.hpp"

namespace clothlab::tests {

/// JSON that the program has written, as a test looks into it. What is missing, or of another kind, fails the test.
class ParsedJson {
public:
    using Kind = JsonNode::Kind;

    explicit ParsedJson(std::string_view text) {
        auto root = parseJson(text, "the program's JSON");
        if (!root) ADD_FAILURE() << root.error().text() << "\n" << text;
        owner_ = std::make_shared<JsonNode>(root ? std::move(*root) : JsonNode());
        node_ = owner_.get();
    }

    Kind kind() const { return node_->kind; }
    bool contains(std::string_view key) const { return node_->find(key); }
    ParsedJson operator[](std::string_view key) const {
        const JsonNode* found = node_->find(key);
        if (!found) ADD_FAILURE() << "no '" << key << "' in " << text();
        return {owner_, found ? found : &none()};
    }
    ParsedJson operator[](std::size_t k) const {
        if (k >= node_->items.size()) ADD_FAILURE() << "no item " << k << " in " << text();
        return {owner_, k < node_->items.size() ? &node_->items[k] : &none()};
    }
    std::vector<ParsedJson> items() const {
        std::vector<ParsedJson> out;
        for (const JsonNode& item : node_->items) out.push_back({owner_, &item});
        return out;
    }
    std::size_t size() const { return node_->items.size() + node_->entries.size(); }

    template <class T>
    T get() const {
        constexpr Kind kNeeded = std::is_same_v<T, bool>          ? Kind::Boolean
                                 : std::is_arithmetic_v<T>        ? Kind::Number
                                 : std::is_same_v<T, std::string> ? Kind::Text
                                                                  : Kind::Array;
        EXPECT_EQ(kind(), kNeeded) << text();
        if constexpr (kNeeded == Kind::Boolean) {
            return node_->boolean;
        } else if constexpr (kNeeded == Kind::Number) {
            return T(node_->number);
        } else if constexpr (kNeeded == Kind::Text) {
            return node_->text;
        } else {
            T out;
            for (const ParsedJson& item : items()) out.push_back(item.get<typename T::value_type>());
            return out;
        }
    }

    friend bool operator==(const ParsedJson& a, const ParsedJson& b) { return same(*a.node_, *b.node_); }
    template <class T>
    friend bool operator==(const ParsedJson& a, const T& b) {
        if constexpr (std::is_same_v<T, bool>)
            return a.kind() == Kind::Boolean && a.node_->boolean == b;
        else if constexpr (std::is_arithmetic_v<T>)
            return a.kind() == Kind::Number && a.node_->number == double(b);
        else
            return a.kind() == Kind::Text && a.node_->text == b;
    }

    std::string text() const { return text(*node_); }
    friend std::ostream& operator<<(std::ostream& out, const ParsedJson& json) { return out << json.text(); }

private:
    ParsedJson(std::shared_ptr<const JsonNode> owner, const JsonNode* node) : owner_(std::move(owner)), node_(node) {}

    static const JsonNode& none() {
        static const JsonNode kNone;
        return kNone;
    }
    static bool same(const JsonNode& a, const JsonNode& b) {
        const auto sameEntry = [](const auto& x, const auto& y) { return x.key == y.key && same(x.value, y.value); };
        return a.kind == b.kind && a.boolean == b.boolean && a.number == b.number && a.text == b.text &&
               std::ranges::equal(a.items, b.items, same) && std::ranges::equal(a.entries, b.entries, sameEntry);
    }
    static std::string text(const JsonNode& node) {
        if (node.kind == Kind::Null) return "null";
        if (node.kind == Kind::Boolean) return node.boolean ? "true" : "false";
        if (node.kind == Kind::Number) return fmt::format("{}", node.number);
        if (node.kind == Kind::Text) return fmt::format("\"{}\"", node.text);
        std::string out;
        for (const JsonNode& item : node.items) out += text(item) + " ";
        for (const auto& [key, value] : node.entries) out += fmt::format("{}: {} ", key, text(value));
        return fmt::format("[ {}]", out);
    }

    std::shared_ptr<const JsonNode> owner_;
    const JsonNode* node_;
};

}  // namespace clothlab::tests
