#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

#include "cloth/material.hpp"

namespace clothlab::cloth {
namespace {

TEST(Settings, EveryKeyIsDescribed) {
    MaterialSettings material;
    WindSettings wind;
    FieldList list;
    list.nest("material", material);
    list.nest("wind", wind);
    std::vector<std::string> keys = list.keys(), expected;
    for (const char* key :
         {"stretch_stiffness", "shear_stiffness", "bend_stiffness", "stretch_damping", "shear_damping", "bend_damping",
          "membrane", "tension_only", "compression", "bend_model", "bend_linear_branch", "damping_model", "damp_gate",
          "jac_slack", "tear_strain", "density", "volume_density", "particle_mass"})
        expected.push_back(std::string("material.") + key);
    for (const char* key : {"velocity", "gust", "seed", "drag_coefficient", "air_density", "linear_drag"})
        expected.push_back(std::string("wind.") + key);
    std::sort(keys.begin(), keys.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(keys, expected);
    for (const Field& field : list.fields()) {
        EXPECT_GE(field.meta.help.size(), 20u) << field.key;
        EXPECT_FALSE(field.meta.label.empty()) << field.key;
        EXPECT_TRUE(!field.meta.logarithmic || field.meta.sliderMin > 0) << field.key;
        if (const auto* number = std::get_if<double*>(&field.ref)) {
            EXPECT_GE(**number, field.meta.min) << field.key;
            EXPECT_LE(**number, field.meta.max) << field.key;
        }
    }
}

TEST(Settings, NonsenseIsRefused) {
    MaterialSettings material;
    FieldList list;
    list.nest("material", material);
    const MaterialSettings before = material;
    for (const auto& [key, text] : {std::pair{"material.stretch_stiffness", "-1"},
                                    {"material.density", "-0.2"},
                                    {"material.bend_model", "wood"},
                                    {"material.stretch_damping", "nan"}})
        EXPECT_FALSE(assignText(*list.find(key), text)) << key;
    EXPECT_EQ(material, before);
    EXPECT_TRUE(assignText(*list.find("material.bend_model"), "linear-compression"));
    EXPECT_EQ(material.bendModel, BendModel::LinearCompression);
}

}  // namespace
}  // namespace clothlab::cloth
