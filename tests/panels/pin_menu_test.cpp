#include <gtest/gtest.h>

#include "panel_fixture.hpp"

/// The menu of a particle, and the kind of pin that Ctrl + click makes.
namespace clothlab::app::panels {

using model::PinKind;
using model::toPinHold;

namespace {

using integrators::PinHold;

class PinMenuTest : public PanelTest {
protected:
    /// As Ctrl + right click on a particle does.
    void openFor(Index particle) {
        model.popups.pin = {particle, snapshot.mesh ? snapshot.mesh->revision : 0};
        model.popups.pinAsked = true;
        frames(3);
    }
    void giveMesh(std::uint64_t revision) {
        auto mesh = std::make_shared<worker::MeshTopology>();
        mesh->revision = revision;
        mesh->particles = 25;
        snapshot.mesh = std::move(mesh);
        model.receive(snapshot, true);
        frames(2);
    }
};

TEST_F(PinMenuTest, PinsTheParticleToWhatIsChosen) {
    giveMesh(7);
    for (const EnumEntry& entry : enumTable(PinKind{})) {
        model.editor.outbox.clear();
        model.pinTool.velocity = Vec3(0, 0.5, 0);
        openFor(12);
        EXPECT_EQ(ui->layout().find("pin_menu.unpin"), nullptr) << "it is free";
        click(at("pin_menu." + std::string(entry.key)));
        const auto* pin = posted<worker::PinParticle>();
        ASSERT_TRUE(pin) << entry.key;
        EXPECT_EQ(pin->pin.particle, 12);
        EXPECT_EQ(pin->topologyRevision, 7u);
        EXPECT_FALSE(pin->toggles);
        EXPECT_EQ(pin->pin.hold, toPinHold(PinKind(entry.value))) << entry.key;
        EXPECT_EQ(pin->pin.motion.velocity, Vec3(0, 0.5, 0));
        frames(2);
        EXPECT_EQ(ui->layout().find("pin_menu.point"), nullptr) << "a choice closes it";
    }
}

TEST_F(PinMenuTest, UnpinsAndForgetsAMeshThatIsGone) {
    giveMesh(7);
    snapshot.pins = {3, 12};
    snapshot.pinGuides = {{12, 1, {0, 1, 0}}};
    openFor(12);
    click(at("pin_menu.unpin"));
    const auto* unpin = edited<simulation::edits::Unpin>();
    ASSERT_TRUE(unpin);
    EXPECT_EQ(unpin->particle, 12);
    openFor(12);
    EXPECT_NE(ui->layout().find("pin_menu.point"), nullptr);
    giveMesh(8);
    frames(2);
    EXPECT_EQ(ui->layout().find("pin_menu.point"), nullptr);
}

TEST(PinKinds, AreTheSevenHoldsOfTheAxes) {
    EXPECT_EQ(toPinHold(PinKind::Point), PinHold::point());
    EXPECT_EQ(toPinHold(PinKind::LineY), PinHold::line(Vec3::UnitY()));
    EXPECT_EQ(toPinHold(PinKind::PlaneZ), PinHold::plane(Vec3::UnitZ()));
    EXPECT_EQ(enumTable(PinKind{}).size(), 7u);
}

}  // namespace
}  // namespace clothlab::app::panels
