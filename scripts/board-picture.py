#!/usr/bin/env python3
"""Draws the board of deploy/grafana/parley.json with the data of a Prometheus, without Grafana: a picture for documents.

Usage: scripts/board-picture.py PROMETHEUS_URL MINUTES FILE.svg      the last minutes, as http://127.0.0.1:9091 10 board.svg

Each panel shows the queries of the board. Queries without data are listed: those of a broker mode that is not used have none.
"""

import json
import math
import pathlib
import sys
import time
import urllib.parse
import urllib.request
from xml.sax.saxutils import escape

BOARD = pathlib.Path(__file__).parent.parent / "deploy/grafana/parley.json"
COLORS = ["#3274d9", "#e0752d", "#37872d", "#a352cc", "#c4162a", "#8f8f00", "#1f9e9e", "#7d64a8"]
COLUMN, ROW, PANEL_WIDTH, PANEL_HEIGHT = 400, 230, 380, 210
LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT = 52, 30, 316, 120
STEPS = 150


def series(prometheus, expression, start, end):
    step = max((end - start) / STEPS, 1)
    query = urllib.parse.urlencode({
        # Grafana takes four times the interval of the scrapes, which is 10 s.
        "query": expression.replace("$__rate_interval", "40s"), "start": start, "end": end, "step": step})
    with urllib.request.urlopen(f"{prometheus}/api/v1/query_range?{query}", timeout=30) as answer:
        found = json.load(answer)["data"]["result"]
    return [(line["metric"], [(float(at), float(value)) for at, value in line["values"]
                              if math.isfinite(float(value))]) for line in found]


def legend(format, metric):
    if not format or format == "__auto":
        return ", ".join(f"{name}={value}" for name, value in metric.items() if name != "__name__") or metric.get("__name__", "")
    for name, value in metric.items():
        format = format.replace("{{" + name + "}}", value)
    return format


def label(value, unit):
    if unit == "percentunit":
        return f"{value * 100:.3g} %"
    if unit == "s":
        return f"{value * 1000:.3g} ms" if value < 1 else f"{value:.3g} s"
    text = f"{value / 1000:.3g} k" if value >= 1000 else f"{value:.3g}"
    return text + "/s" if unit == "ops" else text


def nice(highest):
    """Returns the top of an axis: 1, 2 or 5 times a power of ten."""
    power = 1e-6
    while True:
        for factor in (1, 2, 5):
            if factor * power >= highest:
                return factor * power
        power *= 10


def draw(panel, lines, start, end):
    unit = panel["fieldConfig"]["defaults"].get("unit")
    top = nice(max((value for _, points in lines for _, value in points), default=0) or 1)
    x = lambda at: LEFT + (at - start) / (end - start) * PLOT_WIDTH
    y = lambda value: TOP + PLOT_HEIGHT - value / top * PLOT_HEIGHT
    svg = [f'<text x="10" y="18" class="title">{escape(panel["title"])}</text>']
    for quarter in range(0, 5, 2):
        value = top * quarter / 4
        svg.append(f'<path class="grid" d="M{LEFT} {y(value):.1f}h{PLOT_WIDTH}"/>'
                   f'<text x="{LEFT - 5}" y="{y(value) + 4:.1f}" class="axis" text-anchor="end">{label(value, unit)}</text>')
    for part in range(3):
        at = start + (end - start) * part / 2
        svg.append(f'<text x="{x(at):.1f}" y="{TOP + PLOT_HEIGHT + 14}" class="axis" '
                   f'text-anchor="{("start", "middle", "end")[part]}">{(at - start) / 60:.0f} min</text>')
    for number, (name, points) in enumerate(lines):
        color = COLORS[number % len(COLORS)]
        gap = 3 * (end - start) / STEPS
        path = "".join(f"{'L' if n and at - points[n - 1][0] < gap else 'M'}{x(at):.1f} {y(value):.1f}"
                       for n, (at, value) in enumerate(points))
        svg.append(f'<path class="line" stroke="{color}" d="{path}"/>')
    across = down = 0
    for number, (name, _) in enumerate(lines):
        width = 16 + 5.4 * len(name)
        if across and across + width > PANEL_WIDTH - 20:
            across, down = 0, down + 14
        if down > 28:
            break
        svg.append(f'<rect x="{10 + across:.0f}" y="{TOP + PLOT_HEIGHT + 22 + down}" width="8" height="3" '
                   f'fill="{COLORS[number % len(COLORS)]}"/>'
                   f'<text x="{21 + across:.0f}" y="{TOP + PLOT_HEIGHT + 27 + down}" class="axis">{escape(name)}</text>')
        across += width
    return "".join(svg)


def main(prometheus, minutes, file):
    end = time.time()
    start = end - float(minutes) * 60
    panels = json.loads(BOARD.read_text())["panels"]
    body, empty = [], []
    for number, panel in enumerate(panels):
        lines = []
        for target in panel["targets"]:
            found = series(prometheus, target["expr"], start, end)
            lines += [(legend(target.get("legendFormat"), metric), points) for metric, points in found]
            if not found:
                empty.append(f'{panel["title"]} {target["expr"]}')
        left, above = number % 3 * COLUMN + 10, number // 3 * ROW + 10
        body.append(f'<g transform="translate({left} {above})"><rect class="panel" width="{PANEL_WIDTH}" '
                    f'height="{PANEL_HEIGHT}" rx="3"/>{draw(panel, lines, start, end)}</g>\n')
    rows = (len(panels) + 2) // 3
    pathlib.Path(file).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {3 * COLUMN} {rows * ROW + 10}" font-family="sans-serif">\n'
        "<style>.panel{fill:#fff;stroke:#d8d9dd}.title{font-size:13px;font-weight:600;fill:#222}.axis{font-size:10px;fill:#555}"
        ".grid{stroke:#e6e6ea}.line{fill:none;stroke-width:1.3}</style>\n"
        f'<rect width="100%" height="100%" fill="#f4f5f5"/>\n{"".join(body)}</svg>\n')
    if empty:
        print("no data: " + "; ".join(empty))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
