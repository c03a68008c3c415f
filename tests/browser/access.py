"""access.py: the explorer's page by keyboard, for screen readers, in both themes: what can be checked by a program.

usage: access.py ECCENTRIC, in the directory of the runs (see page.py)"""
from page import load, open_tab, pixels, position, run_tests, slide, url

TABS = ("map", "items", "samples", "grid", "path", "labels")

# text on what lies behind it, as WCAG measures it; text of disabled controls is not asked for
CONTRAST = """(() => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const parse = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return Array.from(canvas.getImageData(0, 0, 1, 1).data);
    };
    const light = (c) => c.slice(0, 3).map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (e) => {
        for (; e; e = e.parentElement) {
            const colour = parse(getComputedStyle(e).backgroundColor);
            if (colour[3] === 255) return colour;
        }
        return [255, 255, 255, 255];
    };
    const seen = [];
    for (const e of document.querySelectorAll('body *')) {
        const own = Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.textContent.trim()) || e.matches('input[type=number], input[type=text]');
        if (!own || e.closest(':disabled, [aria-hidden=true], .hidden-input, option') || e.getClientRects().length === 0) continue;
        const style = getComputedStyle(e), size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
        const [a, b] = [light(parse(style.color)), light(behind(e))], ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        seen.push(ratio);
        if (ratio < (large ? 3 : 4.5)) return [`${e.tagName}.${e.className} ${e.textContent.slice(0, 30)}`, ratio];
    }
    // what controls are drawn with
    const root = getComputedStyle(document.documentElement), paper = light(parse(root.getPropertyValue('--paper')));
    for (const name of ['--accent', '--focus']) {
        const c = light(parse(root.getPropertyValue(name))), ratio = (Math.max(c, paper) + 0.05) / (Math.min(c, paper) + 0.05);
        if (ratio < 3) return [name, ratio];
    }
    return seen.length > 20 ? null : ['too little text', seen.length];
})()"""

NAMES = """Array.from(document.querySelectorAll('button, input, select, textarea, a[href], [role=tab], [tabindex], [role=img]')).filter((e) =>
    !e.closest('[hidden]') && e.tabIndex >= -1 && !e.matches('section, [role=tabpanel]')
    && !(e.labels && e.labels.length && e.labels[0].textContent.trim()) && !e.getAttribute('aria-label') && !e.textContent.trim())
    .map((e) => e.outerHTML.slice(0, 80))"""


def names(b):
    """Every control of every tab has a name; ids are their own; references lead somewhere."""
    load(b, url("one"))
    b.run("explorer.keep()")
    b.run("explorer.goRandom().then(() => explorer.keep())")
    for tab in TABS:
        open_tab(b, tab)
        assert b.run(NAMES) == [], (tab, b.run(NAMES))
    assert b.run("(() => { const ids = Array.from(document.querySelectorAll('[id]'), (e) => e.id); return ids.filter((x, i) => ids.indexOf(x) !== i); })()") == []
    lost = b.run("""['aria-controls', 'aria-labelledby', 'for', 'aria-describedby'].flatMap((name) => Array.from(document.querySelectorAll(`[${name}]`))
        .filter((e) => !document.getElementById(e.getAttribute(name))).map((e) => e.outerHTML.slice(0, 80)))""")
    assert lost == [], lost
    assert b.run("document.documentElement.lang") == "en" and b.run("document.title").startswith("run")
    assert b.run("document.querySelectorAll('h1').length") == 1 and b.run("document.querySelectorAll('main').length") == 1
    # what changes is said: by the status line, the sliders' words and the picture's
    assert b.run("document.getElementById('status').getAttribute('aria-live')") == "polite"
    b.run("explorer.goItem(2)")
    b.wait("document.getElementById('status').textContent.includes('Item 2')", "the status")
    b.run("explorer.idle()")
    assert "Item 2" in b.run("document.querySelector('canvas.decoded').getAttribute('aria-label')")


def focus(b):
    """Tab reaches every control in the order of the page, and where it is can be seen."""
    load(b, url("one"))
    b.run("document.activeElement.blur()")
    expected = b.run("""Array.from(document.querySelectorAll('a[href], button, input, select, textarea, [tabindex]')).filter((e) =>
        e.tabIndex >= 0 && !e.disabled && e.getClientRects().length > 0 && !(e.type === 'radio' && !e.checked))
        .map((e, i) => { e.dataset.order = i; return e.outerHTML.slice(0, 60); })""")
    before, visited = None, []
    for _ in range(len(expected)):
        b.key("Tab")
        order, seen, what = b.run("""(() => {
            const e = document.activeElement, shown = e.matches('.choice input') ? e.nextElementSibling
                : e.matches('.hidden-input') ? document.querySelector(`label[for=${e.id}]`) : e, style = getComputedStyle(shown), box = shown.getBoundingClientRect();
            const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
            return [Number(e.dataset.order ?? -1), outlined && box.width > 4 && box.right > 0 && box.left < innerWidth, e.outerHTML.slice(0, 80)];
        })()""")
        assert seen, "not to be seen: " + what
        visited.append(order)
    assert visited == list(range(len(expected))), [expected[i] for i in range(len(expected)) if i not in visited] or visited


def keys(b):
    """The page can be used without a mouse."""
    load(b, url("one"))
    slide(b, 0, 1)
    link = b.run("explorer.flushLink()")
    b.run("document.activeElement.blur()")
    b.key("Tab")
    assert b.run("document.activeElement.className") == "skip"
    b.key("Enter")
    b.wait("document.activeElement.id === 'components'", "the sliders")
    # the link to the sliders does not take the view back to its start
    b.run("new Promise((done) => setTimeout(done, 200))")
    assert b.run("location.href") == link and position(b)[0] == 1, (b.run("location.href"), position(b))
    slide(b, 0, 0)
    b.key("Tab")
    b.key("Tab")
    assert b.run("document.activeElement.id") == "slider-0", b.run("document.activeElement.outerHTML")
    # tabs
    b.run("document.getElementById('tab-map').focus()")
    b.key("ArrowRight")
    assert b.run("document.activeElement.id") == "tab-items" and b.run("!document.getElementById('panel-items').hidden")
    for key, tab in (("End", "labels"), ("Home", "map"), ("ArrowLeft", "labels"), ("ArrowRight", "map")):
        b.key(key)
        assert b.run("document.activeElement.id") == "tab-" + tab, (key, b.run("document.activeElement.id"))
    # the map
    b.run("document.querySelector('canvas.map').focus()")
    b.key("ArrowRight")
    b.key("ArrowUp")
    assert position(b)[0] > 0 and position(b)[1] > 0
    b.run("explorer.idle()")
    before = pixels(b, "canvas.map")
    b.key("+")
    b.run("explorer.idle()")
    assert (pixels(b, "canvas.map") != before).any()
    b.key("Enter")
    b.wait("explorer.view.origin.kind === 'item'", "the nearest item")
    # keeping, mean, and keys that belong to a field
    b.key("k")
    b.wait("document.getElementById('status').textContent === 'Kept as 1'", "that it is kept")
    b.key("m")
    assert not any(position(b))
    open_tab(b, "grid")
    b.run("document.querySelector('#panel-grid input[type=text]').focus()")
    b.key("r")
    assert b.run("explorer.view.origin.kind") == "mean"


def contrast(b):
    """Light and dark, every tab: text has 4.5 to 1 against what is behind it."""
    for dark in (False, True):
        b.dark(dark)
        load(b, url("one"))
        b.run("explorer.keep()")
        b.run("explorer.goItem(3)")
        for tab in TABS:
            open_tab(b, tab)
            found = b.run(CONTRAST)
            assert found is None, ("dark" if dark else "light", tab, found)
    load(b, url("two"))
    assert b.run(CONTRAST) is None, b.run(CONTRAST)


def motion(b):
    """Who wants less motion gets none."""
    b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    load(b, url("one"))
    assert b.run("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    moving = b.run("""Array.from(document.querySelectorAll('*')).filter((e) => { const s = getComputedStyle(e);
        return s.animationName !== 'none' || s.transitionDuration.split(',').some((t) => parseFloat(t) > 0); }).length""")
    assert moving == 0, moving


def zoomed_text(b):
    """A page enlarged to four times (320 pixels wide) does not scroll sideways, and nothing is cut off that can be pressed."""
    b.size(320, 700, 1, True)
    load(b, url("two"))
    for tab in TABS:
        open_tab(b, tab)
        assert b.run("document.documentElement.scrollWidth") <= 320, (tab, b.run("document.documentElement.scrollWidth"))


run_tests(names, focus, keys, contrast, motion, zoomed_text)
