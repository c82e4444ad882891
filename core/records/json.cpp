#include "records/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace clothlab::records {

/// To the library's own type, which writes numbers so that they read back to the same bits.
struct JsonWriter {
    using Library = nlohmann::ordered_json;

    Library operator()(std::monostate) const { return nullptr; }
    template <class Plain>
    Library operator()(const Plain& value) const {
        return value;
    }
    Library operator()(const Json::Array& values) const {
        Library out = Library::array();
        for (const Json& value : values) out.push_back(std::visit(*this, value.value_));
        return out;
    }
    Library operator()(const Json::Object& members) const {
        Library out = Library::object();
        for (std::size_t k = 0; k < members.keys.size(); ++k)
            out[members.keys[k]] = std::visit(*this, members.values[k].value_);
        return out;
    }
    static Library of(const Json& json) { return std::visit(JsonWriter{}, json.value_); }
};

Json::Json(double value) {
    if (std::isfinite(value)) value_ = value;
}

Json::Json(const Vec3& value) : value_(Array{Json(value[0]), Json(value[1]), Json(value[2])}) {}

Json& Json::operator[](std::string_view key) {
    if (std::holds_alternative<std::monostate>(value_)) value_ = Object{};
    auto& [keys, values] = std::get<Object>(value_);
    const auto at = std::ranges::find(keys, key);
    if (at != keys.end()) return values[at - keys.begin()];
    keys.emplace_back(key);
    return values.emplace_back();
}

void Json::push(Json value) {
    if (std::holds_alternative<std::monostate>(value_)) value_ = Array{};
    std::get<Array>(value_).push_back(std::move(value));
}

void Json::append(Json object) {
    auto& [keys, values] = std::get<Object>(object.value_);
    for (std::size_t k = 0; k < keys.size(); ++k) (*this)[keys[k]] = std::move(values[k]);
}

std::string Json::text(int indent) const {
    return JsonWriter::of(*this).dump(indent, ' ', false, JsonWriter::Library::error_handler_t::replace);
}

std::string hashText(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace clothlab::records
