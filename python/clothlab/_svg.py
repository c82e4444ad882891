"""Curves as a picture, without a library for plots."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

# Okabe and Ito's colours, which colour-blind people can tell apart.
_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 420, 70, 250, 20, 50


class _Axis:
    """From values to a length in the picture."""

    def __init__(self, values: Iterable[float], log: bool, start: float, end: float):
        self.log, self.start, self.end = log, start, end
        seen = [value for value in values if math.isfinite(value) and (value > 0 or not log)] or [1.0]
        low, high = min(seen), max(seen)
        if log:
            low, high = math.floor(math.log10(low)), math.ceil(math.log10(high))
        self.low, self.high = low, high if high > low else low + 1

    def place(self, value: float) -> float:
        at = math.log10(value) if self.log else value
        return self.start + (at - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        if self.log:
            low, high = int(self.low), int(self.high)
            return [(10.0**k, f"1e{k}") for k in range(low, high + 1, max(1, (high - low) // 6))]
        step = 10.0 ** math.floor(math.log10((self.high - self.low) / 4))
        step *= next(m for m in (1, 2, 5, 10) if (self.high - self.low) / (m * step) <= 6)
        first = math.ceil(self.low / step)
        return [(k * step, f"{k * step:g}") for k in range(first, math.floor(self.high / step + 1e-9) + 1)]


def chart(curves: Sequence[tuple[str, Sequence[float], Sequence[float]]], x_label: str, y_label: str, log_x: bool = False,
          log_y: bool = False) -> str:
    """Curves of (name, x, y) as a document of SVG."""
    x_axis = _Axis((v for _, xs, _ in curves for v in xs), log_x, _LEFT, _WIDTH - _RIGHT)
    y_axis = _Axis((v for _, _, ys in curves for v in ys), log_y, _HEIGHT - _BOTTOM, _TOP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif" '
           f'font-size="12"><rect width="100%" height="100%" fill="white"/>']
    for value, text in x_axis.ticks():
        at = x_axis.place(value)
        out.append(f'<path d="M{at:.1f} {_TOP}V{_HEIGHT - _BOTTOM}" stroke="#ddd"/>'
                   f'<text x="{at:.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{text}</text>')
    for value, text in y_axis.ticks():
        at = y_axis.place(value)
        out.append(f'<path d="M{_LEFT} {at:.1f}H{_WIDTH - _RIGHT}" stroke="#ddd"/>'
                   f'<text x="{_LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{text}</text>')
    out.append(f'<text x="{(_LEFT + _WIDTH - _RIGHT) / 2}" y="{_HEIGHT - 12}" text-anchor="middle">{escape(x_label)}</text>'
               f'<text transform="translate(16 {(_TOP + _HEIGHT - _BOTTOM) / 2}) rotate(-90)" '
               f'text-anchor="middle">{escape(y_label)}</text>')
    for k, (name, xs, ys) in enumerate(curves):
        color, dash = _COLORS[k % len(_COLORS)], ' stroke-dasharray="6 3"' if k // len(_COLORS) % 2 else ""
        points = [(x, y) for x, y in zip(xs, ys)
                  if math.isfinite(x) and math.isfinite(y) and (x > 0 or not log_x) and (y > 0 or not log_y)]
        path = " ".join(f"{x_axis.place(x):.1f},{y_axis.place(y):.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.5"{dash}/>')
        if k < 22:
            at = _TOP + 8 + 17 * k
            out.append(f'<path d="M{_WIDTH - _RIGHT + 12} {at}h22" stroke="{color}" stroke-width="2"{dash}/>'
                       f'<text x="{_WIDTH - _RIGHT + 40}" y="{at + 4}">{escape(name)}</text>')
    return "\n".join(out) + "</svg>\n"
