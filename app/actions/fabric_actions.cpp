#include "actions/fabric_actions.hpp"

#include "model/ui_model.hpp"

namespace clothlab::app::actions {

std::vector<Action> fabricActions() {
    std::vector<Action> all{{.name = "fabric.scene",
                             .label = "The scene's fabric",
                             .help = "the scene's own",
                             .run = [](model::UiModel& model) { return model.looks.fabric = {}, true; },
                             .group = "fabric"}};
    for (const EnumEntry& entry : scene::kFabrics) {
        const auto fabric = static_cast<scene::Fabric>(entry.value);
        all.push_back({.name = "fabric." + std::string(entry.key),
                       .label = std::string(entry.label),
                       .help = std::string(entry.key),
                       .run = [fabric](model::UiModel& model) { return model.looks.fabric = fabric, true; },
                       .group = "fabric"});
    }
    return all;
}

}  // namespace clothlab::app::actions
