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
        for (const Json::Member& member : members) out[member.key] = std::visit(*this, member.value.value_);
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
    auto& members = std::get<Object>(value_);
    const auto at = std::ranges::find(members, key, &Member::key);
    if (at != members.end()) return at->value;
    members.push_back({std::string(key), Json()});
    return members.back().value;
}

void Json::push(Json value) {
    if (std::holds_alternative<std::monostate>(value_)) value_ = Array{};
    std::get<Array>(value_).push_back(std::move(value));
}

void Json::append(Json object) {
    for (Member& member : std::get<Object>(object.value_)) (*this)[member.key] = std::move(member.value);
}

std::string Json::text(int indent) const {
    return JsonWriter::of(*this).dump(indent, ' ', false, JsonWriter::Library::error_handler_t::replace);
}

std::string hashText(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace clothlab::records
