"""kinds.py: the explorer's page of coloured images with attributes, and of a table.

usage: kinds.py ECCENTRIC, in the directory of the runs (see page.py)"""
import subprocess

import numpy as np
from page import choose, eccentric, load, open_tab, position, run_tests, saved, slide, url


def colours(b, selector="canvas.decoded", number=0):
    """[height, width, 3]"""
    width, height, data = b.run(f"""(() => {{ const c = document.querySelectorAll({selector!r})[{number}];
        return [c.width, c.height, Array.from(c.getContext('2d').getImageData(0, 0, c.width, c.height).data)]; }})()""")
    return np.array(data, np.uint8).reshape(height, width, 4)[..., :3]


def decode(b, run, number=0):
    """What `eccentric decode` makes of the page's own latent."""
    open("latent.npy", "wb").write(saved(b, "[data-save=latent]", number)[1])
    subprocess.run([eccentric, "decode", run, "latent.npy", "--out", "kinds.npy", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return np.load("kinds.npy")[0]


def faces(b):
    """Colours are decode's; a slider towards an attribute gives more of it; the map shows who has it."""
    load(b, url("faces"))
    b.run("explorer.goItem(3)")
    b.run("explorer.idle()")
    expected = np.rint(np.clip(decode(b, "faces-run"), 0, 1) * 255).transpose(1, 2, 0)
    assert np.abs(colours(b).astype(int) - expected).max() <= 1
    assert "Rather Red" in b.run("document.querySelector('select[aria-label=\"Colour by\"]').textContent")
    open_tab(b, "labels")
    assert b.run("document.getElementById('tab-labels').textContent") == "Attributes"
    names = b.run("Array.from(document.querySelectorAll('.targets tbody th'), (e) => e.firstChild.textContent)")
    assert set(names[:2]) == {"Bright", "Rather Red"}, names[:4]
    measured = {}
    for name, measure in (("Bright", lambda x: x.mean() / 5), ("Rather Red", lambda x: (x[..., 0] - x[..., 1]).mean())):
        values = []
        for amount in (0, 1):
            b.run("document.getElementById('mean').click()")
            b.run(f"(() => {{ const s = document.getElementById('target-{names.index(name)}'); s.value = {amount}; s.dispatchEvent(new Event('input')); }})()")
            b.run("explorer.idle()")
            values.append(measure(colours(b).astype(float)))
        measured[name] = values
        assert values[1] > values[0] + 2, measured
        assert b.run(f"document.getElementById('target-{names.index(name)}').getAttribute('aria-valuetext')").startswith("+1.00"), name
    # coloured by attribute: the legend brings those who have it to the front
    open_tab(b, "map")
    choose(b, 'select[aria-label="Colour by"]', "attribute.1")
    assert b.run("Array.from(document.querySelectorAll('.legend button'), (e) => e.textContent)") == ["others", "Rather Red"]
    before = colours(b, "canvas.map")
    b.run("document.querySelectorAll('.legend button')[1].click()")
    b.run("explorer.idle()")
    assert b.run("document.querySelectorAll('.legend button')[1].getAttribute('aria-pressed')") == "true"
    assert (colours(b, "canvas.map") != before).sum() > 300, "the others grow faint"


def near(values, expected, b, run=0):
    """Values are shown with the digits that count: a hundredth of a deviation."""
    deviation = np.array(b.run(f"explorer.about.runs[{run}].table.deviation"))
    assert np.all(np.abs(values - expected) <= 0.0051 * deviation.clip(1e-4) * 2), (values, expected)


def lines(b):
    """The lines of the decoded row that are in sight: [name, value, change or the item's own]."""
    return b.run("Array.from(document.querySelectorAll('table.row tbody tr'), (r) => Array.from(r.cells, (c) => c.textContent).slice(0, 3))")


def number(text):
    return float(text.replace("−", "-"))


def wide(b):
    """4, 30, 500 and 7,000 columns: few elements, the right order, names to find; sliders say what they change."""
    for name, columns in (("table", 4), ("table30", 30), ("table500", 500), ("table7000", 7000)):
        load(b, url(name))
        assert b.run("explorer.about.runs[0].table.columns.length") == columns
        assert b.run("document.getElementsByTagName('*').length") < 4000, "only what is in sight is there"
        # where nothing differs from the mean, the order by difference is that of the file
        if columns > 40 and all(line[2] == "0" for line in lines(b)):
            assert [line[0] for line in lines(b)[:3]] == ["measure 0", "measure 1", "measure 2"], lines(b)[:3]
        # the column that the first slider changes most has the value that its line says
        name, value, change = b.run("""(() => { const e = document.querySelector('.effect');
            return [e.firstChild.textContent, e.querySelectorAll('.heat button')[4].textContent, e.lastChild.textContent]; })()""")
        slide(b, 0, 1)
        b.run(f"(() => {{ const s = document.querySelector('.row-controls input'); s.value = {name!r}; s.dispatchEvent(new Event('input')); }})()")
        shown = [number(line[1]) for line in lines(b) if line[0] == name][0]
        assert abs(shown - number(value)) <= 0.2 * abs(number(change)), (name, shown, value, change)
        # the largest differences come first
        b.run("(() => { const s = document.querySelector('.row-controls input'); s.value = ''; s.dispatchEvent(new Event('input')); })()")
        choose(b, "select[aria-label='Order of the columns']", "change")
        deviation = dict(b.run("explorer.about.runs[0].table.columns.map((c) => [c.name, c.deviation])"))
        sizes = [abs(number(line[2])) / deviation[line[0]] for line in lines(b)[:4]]
        assert all(x >= y - 0.11 for x, y in zip(sizes, sizes[1:])), lines(b)[:4]
        # a name finds its column
        wanted = b.run(f"explorer.about.runs[0].table.columns[{columns - 1}].name")
        b.run(f"(() => {{ const s = document.querySelector('.row-controls input'); s.value = {wanted!r}; s.dispatchEvent(new Event('input')); }})()")
        assert wanted in [line[0] for line in lines(b)] and len(lines(b)) <= 2, lines(b)
        # beside an item, its own values
        b.run("explorer.goItem(3)")
        b.run("explorer.idle()")
        own = b.run("(() => { const c = explorer.about.runs[0].table.columns.at(-1), x = new Float32Array(explorer.view.origin.pixels); return c.mean + c.deviation * x[c.first]; })()")
        assert abs(number([line[2] for line in lines(b) if line[0] == wanted][0]) - own) <= 0.001 + 0.001 * abs(own), (lines(b), own)
        # all of them can be scrolled to
        b.run("(() => { const s = document.querySelector('.row-controls input'); s.value = ''; s.dispatchEvent(new Event('input')); })()")
        choose(b, "select[aria-label='Order of the columns']", "file")
        b.run("document.querySelector('.scroll').scrollTop = 1e7")
        b.wait(f"Array.from(document.querySelectorAll('table.row tbody tr')).at(-1).cells[0].textContent === {wanted!r}", "the last column")
        browse(b, wanted, columns)


def browse(b, wanted, columns):
    """Items in the order of a column and of how unusual they are; the map in its colours; samples, grids and paths have names."""
    open_tab(b, "items")
    b.run(f"(() => {{ const s = document.querySelector('#panel-items input[type=search]'); s.value = {wanted!r}; s.dispatchEvent(new Event('input')); }})()")
    b.run("explorer.idle()")
    heads = "Array.from(document.querySelectorAll('#panel-items thead th'), (e) => e.textContent)"
    at = b.run(heads).index(wanted)
    b.run(f"document.querySelectorAll('#panel-items thead th')[{at}].firstChild.click()")
    b.run("explorer.idle()")
    at = b.run(heads).index(wanted + " ↓")
    values = [number(v) for v in b.run(f"Array.from(document.querySelectorAll('#panel-items tbody tr'), (e) => e.cells[{at}].textContent)")]
    assert len(values) > 50 and values == sorted(values, reverse=True), values
    choose(b, "select[aria-label='Order of the items']", "t2")
    at = b.run(heads).index("T² ↓")
    values = [float(v) for v in b.run(f"Array.from(document.querySelectorAll('#panel-items tbody tr'), (e) => e.cells[{at}].textContent)")]
    assert values == sorted(values, reverse=True), values
    cut = "Array.from(document.querySelectorAll('#panel-items tbody td'), (e) => e.scrollWidth > e.clientWidth ? e.textContent : '').filter(Boolean)"
    assert not b.run(cut), b.run(cut)
    open_tab(b, "map")
    if columns > 60:
        choose(b, "input[aria-label='Colour by column']", wanted)
    else:
        choose(b, 'select[aria-label="Colour by"]', f"cells.{columns - 1}")
    assert b.run("document.querySelector('.legend').textContent").startswith(f"{wanted}: ≤ "), b.run("document.querySelector('.legend').textContent")
    b.run("explorer.keep().then(() => explorer.goItem(7)).then(() => explorer.keep())")
    for tab, names in (("samples", "thead th"), ("grid", ".card > span > span"), ("path", ".effect-name")):
        open_tab(b, tab)
        found = b.run(f"Array.from(document.querySelectorAll('#panel-{tab} {names}'), (e) => e.textContent)")
        known = set(b.run("explorer.about.runs[0].table.columns.map((c) => c.name)"))
        assert len(known & set(found)) >= min(columns, 3), (tab, found[:9])
        if tab == "grid" and columns > 30:  # "measure 251" and "measure 252" cannot be told apart by how they begin
            ends = [e for e in b.run("Array.from(document.querySelectorAll('#panel-grid .card > span > span'), (e) => [e.lastChild.textContent, e.lastChild.scrollWidth > e.lastChild.clientWidth])")]
            assert all(end[0] and not end[1] for end in ends), ends[:9]
    assert b.run("document.getElementsByTagName('*').length") < 9000


def table(b):
    """A row in its columns' own units is decode's; there is nothing of images."""
    load(b, url("table"))
    slide(b, 0, 1.5)
    slide(b, 1, -0.5)
    shown = b.run("Array.from(document.querySelectorAll('table.row tbody tr'), (r) => [r.cells[0].textContent, r.cells[1].textContent])")
    assert [name for name, _ in shown] == ["height", "width", "mass", "sum"], shown
    values = [float(v.replace("−", "-")) for _, v in shown]
    near(values, decode(b, "table-run"), b)
    assert b.run("document.querySelectorAll('[data-save=png]').length") == 0 and b.run("document.querySelector('label[for=file]').hidden")
    for tab in ("items", "samples", "grid", "path", "labels", "map"):
        open_tab(b, tab)
    open_tab(b, "grid")
    heads = "Array.from(document.querySelectorAll('.grid-{0} span'), (e) => e.textContent)"
    assert b.run(heads.format("columns")) == ["−p1", "+p1"] and b.run(heads.format("rows")) == ["−p2", "+p2"], "each component goes one way"
    open_tab(b, "items")
    b.run("document.querySelectorAll('#panel-items .picture')[9].click()")
    b.wait("explorer.view.origin.item === 9", "item 9")
    assert any(position(b))


def tables(b):
    """Two runs that standardise the same table differently: each row is that run's own."""
    load(b, url("tables"))
    b.run("explorer.goItem(5)")
    b.run("explorer.idle()")
    for r, run in enumerate(("table-run", "shifted-run")):
        shown = b.run(f"Array.from(document.querySelectorAll('table.row')[{r}].tBodies[0].rows, (row) => row.cells[1].textContent)")
        values = [float(v.replace("−", "-")) for v in shown]
        near(values, decode(b, run, r), b, r)


def homes(b):
    """Dates, levels and gaps are shown as such; what the decoder fills in is marked; rows have the numbers of the file."""
    load(b, url("homes"))
    head, *file = [line.split(",") for line in open("homes.csv").read().splitlines()]
    assert b.run("explorer.about.items.numbers") == ["price"]
    open_tab(b, "items")
    cells = b.run("Array.from(document.querySelectorAll('#panel-items tbody tr'), (r) => Array.from(r.cells, (c) => c.textContent))")
    heads = b.run("Array.from(document.querySelectorAll('#panel-items thead th'), (e) => e.textContent)")
    heads[0] = "row"
    for line in cells[:30]:
        row = dict(zip(heads, line))
        own = dict(zip(head, file[int(row["row"]) - 1]))
        for name in set(heads) & set(head) - {"price"}:
            assert row[name] == (own[name] or "missing") or abs(float(row[name]) - float(own[name])) < 0.051, (name, row, own)
        assert abs(float(row["price"]) - float(own["price"])) < 1, (row, own)
    # above its limits T2 or Q is marked, and only there
    limits = b.run("explorer.about.items.limits")
    for name in ("t2", "q"):
        choose(b, "select[aria-label='Order of the items']", name)
        at = 2 if name == "t2" else 3
        for value, marked in b.run(f"Array.from(document.querySelectorAll('#panel-items tbody tr'), (r) => [r.cells[{at}].textContent, r.cells[{at}].classList.contains('above')])"):
            assert marked == (float(value) > limits[name][0]) or abs(float(value) / limits[name][0] - 1) < 0.01, (name, value, limits)
    # beside a row with a gap, the decoded value is marked as filled in
    gap = next(i for i, line in enumerate(cells) if int(line[0]) % 7 == 4)
    b.run(f"explorer.goItem({gap})")
    b.run("explorer.idle()")
    shown = {r[0]: r[1:] for r in b.run("Array.from(document.querySelectorAll('table.row tbody tr'), (r) => [r.cells[0].textContent, r.cells[2].textContent, r.cells[1].classList.contains('imputed')])")}
    assert shown["heating"] == ["missing", True] and shown["sold"] == [file[int(cells[gap][0]) - 1][2], False], shown
    assert f"Row {cells[gap][0]}" in b.run("document.getElementById('origin').textContent")
    # on the map, too: gaps are not the smallest value, and the eleventh class is not the first
    open_tab(b, "map")
    assert b.run("document.querySelector('.legend').textContent").startswith("price: ≤ ")
    columns = b.run("explorer.about.runs[0].table.columns.map((c) => c.name)")
    choose(b, 'select[aria-label="Colour by"]', f"cells.{columns.index('heating')}")
    assert b.run("document.querySelector('.legend').textContent").endswith("missing")
    choose(b, 'select[aria-label="Colour by"]', f"cells.{columns.index('town')}")
    marks = b.run("Array.from(document.querySelectorAll('.legend .dot'), (e) => [e.className, e.style.getPropertyValue('--tone')].join())")
    assert len(marks) == 13 and len(set(marks)) == 13, marks


run_tests(faces, table, tables, homes, wide)
