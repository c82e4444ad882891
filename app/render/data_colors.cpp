#include "render/data_colors.hpp"

#include <algorithm>
#include <cmath>

#include "cloth/forces.hpp"
#include "worker/snapshots/component_tones.hpp"

namespace clothlab::app::render {
namespace {

constexpr Rgb kSlack{40, 46, 54};  ///< darker than any of the scale
constexpr Rgb kImplicit{86, 180, 233}, kExplicit{230, 159, 0}, kInactive{116, 126, 140};
constexpr Rgb kSliding{0, 179, 138}, kLine{240, 228, 66}, kStuck{216, 132, 196};

/// Apart from each other, from grey and white, and from the red of errors, for all kinds of eyes.
constexpr Rgb kTones[worker::kComponentTones] = {{0, 184, 251},  {229, 156, 0},  {20, 171, 127},  {211, 126, 194},
                                                 {244, 233, 34}, {68, 112, 164}, {176, 214, 115}, {151, 97, 232},
                                                 {175, 112, 58}, {238, 190, 172}};
constexpr Rgb kAlone{120, 128, 139}, kFixed{255, 255, 255};

/// A colour map as a polynomial of degree 6 a channel, t in 0..1.
Rgb polynomial(const float (&c)[7][3], float t) {
    std::uint8_t out[3];
    for (int k = 0; k < 3; ++k) {
        float sum = c[6][k];
        for (int i = 5; i >= 0; --i) sum = sum * t + c[i][k];
        out[k] = std::uint8_t(std::lround(255 * std::clamp(sum, 0.0f, 1.0f)));
    }
    return {out[0], out[1], out[2]};
}

}  // namespace

Rgb viridis(float t) {
    // Polynomial fit of matplotlib's viridis table, within 1 % per channel.
    constexpr float kFit[7][3] = {{0.2777273f, 0.0054073f, 0.3340998f},   {0.1050930f, 1.4046135f, 1.3845902f},
                                  {-0.3308618f, 0.2148476f, 0.0950952f},  {-4.6342305f, -5.7991010f, -19.3324410f},
                                  {6.2282700f, 14.1799334f, 56.6905526f}, {4.7763850f, -13.7451454f, -65.3530326f},
                                  {-5.4354559f, 4.6458526f, 26.3124352f}};
    t = std::isfinite(t) ? std::clamp(t, 0.0f, 1.0f) : 1.0f;
    return polynomial(kFit, t);
}

Rgb strainColor(float strain, float end) {
    // Polynomial fit of matplotlib's inferno table, without its black end.
    constexpr float kFit[7][3] = {{0.0002189f, 0.0016510f, -0.0194809f},     {0.1065134f, 0.5639564f, 3.9327124f},
                                  {11.6024931f, -3.9728540f, -15.9423941f},  {-41.7039961f, 17.4363989f, 44.3541452f},
                                  {77.1629357f, -33.4023589f, -81.8073093f}, {-71.3194282f, 32.6260643f, 73.2095199f},
                                  {25.1311262f, -12.2426690f, -23.0703250f}};
    constexpr float kFrom = 0.25f, kTo = 0.98f;
    if (strain < -1e-4f) return kSlack;
    const float share = std::isfinite(strain) ? std::clamp(strain / end, 0.0f, 1.0f) : 1.0f;
    return polynomial(kFit, kFrom + (kTo - kFrom) * share);
}

Rgb springStateColor(std::uint8_t flags) {
    if ((flags & cloth::kSpringActive) == 0) return kInactive;
    return (flags & cloth::kSpringImplicit) != 0 ? kImplicit : kExplicit;
}

Rgb ndofColor(int ndof) { return ndof >= 2 ? kSliding : ndof == 1 ? kLine : kStuck; }

Rgb selfContactColor(contact::SelfContactKind kind) {
    using enum contact::SelfContactKind;
    return kind == Near ? kSliding : kind == Stopped ? kLine : kind == Restrained ? kStuck : kAlone;
}

std::span<const Rgb> componentTones() { return kTones; }

Rgb slackColor() { return kSlack; }

Rgb nothingColor() { return kInactive; }

Rgb aloneColor() { return kAlone; }

Rgb fixedColor() { return kFixed; }

}  // namespace clothlab::app::render
