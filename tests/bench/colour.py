"""The visible difference between two colours by CIEDE2000, where 1 is just noticeable."""

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Lab = tuple[float, float, float]
Rgb = tuple[int, int, int]

JUST_NOTICEABLE = 1.0
WHITE = (0.95047, 1.0, 1.08883)


def lab(colour: Rgb) -> Lab:
    """Convert an sRGB colour to CIELAB, for the light D65."""
    red, green, blue = (_linear(channel / 255) for channel in colour)
    x = 0.4124564 * red + 0.3575761 * green + 0.1804375 * blue
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = 0.0193339 * red + 0.1191920 * green + 0.9503041 * blue
    fx, fy, fz = (_perceived(value / white) for value, white in zip((x, y, z), WHITE, strict=True))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(first: Lab, second: Lab) -> float:
    """Return the difference by CIEDE2000 with all weights 1; names are as in its formula."""
    (l1, a1, b1), (l2, a2, b2) = first, second
    mean_chroma = (hypot(a1, b1) + hypot(a2, b2)) / 2
    g = 0.5 * (1 - _saturation(mean_chroma))
    c1, h1 = _polar(a1 * (1 + g), b1)
    c2, h2 = _polar(a2 * (1 + g), b2)
    dl = l2 - l1
    dc = c2 - c1
    dh = _hue_step(c1 * c2, h2 - h1)
    big_dh = 2 * sqrt(c1 * c2) * sin(radians(dh / 2))
    lightness = (l1 + l2) / 2
    chroma = (c1 + c2) / 2
    hue = _mean_hue(c1 * c2, h1, h2)
    s_l = 1 + 0.015 * (lightness - 50) ** 2 / sqrt(20 + (lightness - 50) ** 2)
    s_c = 1 + 0.045 * chroma
    s_h = 1 + 0.015 * chroma * _hue_weight(hue)
    rotation = -sin(radians(60 * exp(-(((hue - 275) / 25) ** 2)))) * 2 * _saturation(chroma)
    light, strong, turned = dl / s_l, dc / s_c, big_dh / s_h
    return sqrt(max(0.0, light**2 + strong**2 + turned**2 + rotation * strong * turned))


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _perceived(value: float) -> float:
    return value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116


def _saturation(chroma: float) -> float:
    return sqrt(chroma**7 / (chroma**7 + 25**7))


def _polar(a: float, b: float) -> tuple[float, float]:
    return hypot(a, b), degrees(atan2(b, a)) % 360


def _hue_step(chromas: float, step: float) -> float:
    if not chromas:
        return 0.0
    return step - 360 if step > 180 else step + 360 if step < -180 else step


def _mean_hue(chromas: float, first: float, second: float) -> float:
    total = first + second
    if not chromas:
        return total
    if abs(first - second) <= 180:
        return total / 2
    return (total + 360) / 2 if total < 360 else (total - 360) / 2


def _hue_weight(hue: float) -> float:
    return (
        1
        - 0.17 * cos(radians(hue - 30))
        + 0.24 * cos(radians(2 * hue))
        + 0.32 * cos(radians(3 * hue + 6))
        - 0.20 * cos(radians(4 * hue - 63))
    )
