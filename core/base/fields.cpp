#include "base/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace clothlab {
namespace {

std::string numberText(double v) {
    std::string s = fmt::format("{}", v);
    return s;
}

std::string rangeText(const FieldMeta& m) {
    const bool low = m.min > -1e300, high = m.max < 1e300;
    const std::string unit = m.unit.empty() ? "" : fmt::format(" {}", m.unit);
    if (low && high) return fmt::format("{} .. {}{}", numberText(m.min), numberText(m.max), unit);
    if (low) return fmt::format("at least {}{}", numberText(m.min), unit);
    if (high) return fmt::format("at most {}{}", numberText(m.max), unit);
    return fmt::format("a number{}", unit);
}

Error wrong(const Field& field, std::string_view what) {
    Error e{.message = fmt::format("{}: {}", field.key, what)};
    if (const auto* r = std::get_if<EnumRef>(&field.ref))
        for (const EnumEntry& entry : r->table) e.choices.emplace_back(entry.key);
    else
        e.choices.push_back(validText(field));
    return e;
}

bool inRange(const FieldMeta& m, double v) { return within(v, m.min, m.max); }

}  // namespace

void FieldList::adopt(std::string_view prefix, FieldList& inner, FieldList& innerDefaults) {
    for (std::size_t i = 0; i < inner.fields_.size(); ++i) {
        Field field = inner.fields_[i];
        // A struct nested deeper has bound its own defaults already; both point at equal values.
        field.defaults = innerDefaults.fields_[i].ref;
        if (!prefix.empty()) field.key = fmt::format("{}.{}", prefix, field.key);
        fields_.push_back(std::move(field));
    }
    for (auto& keep : inner.keepAlive_) keepAlive_.push_back(std::move(keep));
    for (auto& keep : innerDefaults.keepAlive_) keepAlive_.push_back(std::move(keep));
}

const Field* FieldList::find(std::string_view key) const {
    const auto it = std::find_if(fields_.begin(), fields_.end(), [&](const Field& f) { return f.key == key; });
    return it == fields_.end() ? nullptr : &*it;
}

std::vector<std::string> FieldList::keys() const {
    std::vector<std::string> out;
    for (const Field& f : fields_) out.push_back(f.key);
    return out;
}

std::vector<std::string> FieldList::similar(std::string_view key) const {
    constexpr std::size_t kLongestTypo = 64;  // beyond that nobody meant one of these, and the search would be long
    if (key.size() > kLongestTypo) return {};
    const std::size_t most = std::max<std::size_t>(3, key.size() / 3);
    std::vector<std::pair<std::size_t, const std::string*>> ranked;
    const auto lastPart = [](std::string_view k) { return k.substr(k.rfind('.') + 1); };
    for (const Field& f : fields_) {
        const std::size_t distance =
            std::min(editDistance(key, f.key, most), editDistance(lastPart(key), lastPart(f.key), most) + 1);
        if (distance <= most) ranked.emplace_back(distance, &f.key);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](auto& x, auto& y) { return x.first < y.first; });
    std::vector<std::string> out;
    for (const auto& [distance, name] : ranked)
        if (out.size() < 4) out.push_back(*name);
    return out;
}

Expected<void> assignNumber(const Field& field, double value, bool isInteger) {
    if (auto* d = std::get_if<double*>(&field.ref)) {
        if (!inRange(field.meta, value))
            return fail(wrong(field, fmt::format("{} is out of range", numberText(value))));
        **d = value;
        return {};
    }
    if (auto* i = std::get_if<int*>(&field.ref)) {
        if (!isInteger) return fail(wrong(field, fmt::format("{} is not a whole number", numberText(value))));
        if (!inRange(field.meta, value))
            return fail(wrong(field, fmt::format("{} is out of range", numberText(value))));
        **i = int(value);
        return {};
    }
    return fail(wrong(field, "a number does not fit here"));
}

Expected<void> assignBool(const Field& field, bool value) {
    auto* b = std::get_if<bool*>(&field.ref);
    if (!b) return fail(wrong(field, fmt::format("'{}' does not fit here", value)));
    **b = value;
    return {};
}

Expected<void> assignString(const Field& field, std::string_view value) {
    if (auto* s = std::get_if<std::string*>(&field.ref)) {
        if (value.size() > kTextBytes) return fail(wrong(field, fmt::format("{} bytes of text", value.size())));
        **s = value;
        return {};
    }
    if (auto* e = std::get_if<EnumRef>(&field.ref)) {
        for (const EnumEntry& entry : e->table)
            if (entry.key == value) {
                e->assign(entry.value);
                return {};
            }
        const char* const elsewhere = field.meta.open ? "; a plug-in that is not loaded may have it (--plugin)" : "";
        return fail(wrong(field, fmt::format("unknown choice '{}'{}", shown(value), elsewhere)));
    }
    if (auto* i = std::get_if<int*>(&field.ref); i && !field.meta.autoWord.empty() && value == field.meta.autoWord) {
        **i = 0;
        return {};
    }
    if (auto* d = std::get_if<double*>(&field.ref))
        for (const NamedNumber& named : field.meta.words)
            if (named.word == value) {
                **d = named.value;
                return {};
            }
    return fail(wrong(field, fmt::format("'{}' does not fit here", shown(value))));
}

Expected<void> assignVector(const Field& field, const Vec3& value) {
    auto* v = std::get_if<Vec3*>(&field.ref);
    if (!v) return fail(wrong(field, "an array does not fit here"));
    for (int c = 0; c < 3; ++c)
        if (!inRange(field.meta, value[c]))
            return fail(wrong(field, fmt::format("component {} is out of range", numberText(value[c]))));
    **v = value;
    return {};
}

Expected<void> assignText(const Field& field, std::string_view text) {
    if (std::holds_alternative<bool*>(field.ref)) {
        if (text == "true") return assignBool(field, true);
        if (text == "false") return assignBool(field, false);
        return fail(wrong(field, fmt::format("'{}' is neither true nor false", shown(text))));
    }
    if (std::holds_alternative<Vec3*>(field.ref)) {
        std::string inner(text);
        std::erase_if(inner, [](char c) { return c == '[' || c == ']'; });
        const std::size_t commas = std::size_t(std::count(inner.begin(), inner.end(), ','));
        Vec3 v = Vec3::Zero();
        bool good = commas == 2;
        for (std::size_t c = 0; good && c < 3; ++c) {
            const auto number = parseNumber(splitText(inner, ',')[c]);
            good = number.has_value();
            if (good) v[Eigen::Index(c)] = *number;
        }
        if (!good) return fail(wrong(field, fmt::format("'{}' is not three numbers", shown(text))));
        return assignVector(field, v);
    }
    const bool numeric = std::holds_alternative<double*>(field.ref) || std::holds_alternative<int*>(field.ref);
    if (const auto number = numeric ? parseNumber(text) : std::nullopt)
        return assignNumber(field, *number, *number == std::floor(*number));
    return assignString(field, text);
}

std::string valueText(const FieldRef& ref) {
    struct Visitor {
        std::string operator()(const bool* b) const { return *b ? "true" : "false"; }
        std::string operator()(const int* i) const { return fmt::format("{}", *i); }
        std::string operator()(const double* d) const { return numberText(*d); }
        std::string operator()(const Vec3* v) const {
            return fmt::format("[{}, {}, {}]", numberText((*v)[0]), numberText((*v)[1]), numberText((*v)[2]));
        }
        std::string operator()(const std::string* s) const { return *s; }
        std::string operator()(const EnumRef& e) const {
            for (const EnumEntry& entry : e.table)
                if (entry.value == e.value()) return std::string(entry.key);
            return {};
        }
    };
    return std::visit(Visitor{}, ref);
}

bool equalValues(const FieldRef& a, const FieldRef& b) {
    return a.index() == b.index() && valueText(a) == valueText(b);
}

void copyValue(const FieldRef& from, const FieldRef& to) {
    std::visit(
        [&](const auto& source) {
            using T = std::decay_t<decltype(source)>;
            if constexpr (std::is_same_v<T, EnumRef>) {
                std::get<EnumRef>(to).assign(source.value());
            } else {
                *std::get<T>(to) = *source;
            }
        },
        from);
}

std::string validText(const Field& field) {
    struct Visitor {
        const Field& field;
        std::string operator()(bool*) const { return "true, false"; }
        std::string operator()(int*) const {
            std::string range = rangeText(field.meta);
            return field.meta.autoWord.empty() ? range : fmt::format("{}, or {}", field.meta.autoWord, range);
        }
        std::string operator()(double*) const {
            std::string out = rangeText(field.meta);
            for (const NamedNumber& named : field.meta.words) out += fmt::format(", \"{}\"", named.word);
            return out;
        }
        std::string operator()(Vec3*) const { return fmt::format("three numbers, each {}", rangeText(field.meta)); }
        std::string operator()(std::string*) const { return fmt::format("text of at most {} bytes", kTextBytes); }
        std::string operator()(const EnumRef& e) const {
            std::string out;
            for (const EnumEntry& entry : e.table) out += (out.empty() ? "" : ", ") + std::string(entry.key);
            return out;
        }
    };
    return std::visit(Visitor{field}, field.ref);
}

}  // namespace clothlab
