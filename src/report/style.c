/* style.c: how a report looks, beyond the style of all pages; charts take their colours from it. */
#include "figure/colour.h"
#include "report/part.h"

#include <stdlib.h>

enum { COLOURS = 10, ROOM = 12000 };

static const char style[] =
    "main,header,nav{max-width:64rem}h3{font:600 .95rem system-ui,-apple-system,'Segoe "
    "UI',Roboto,sans-serif;margin:1.4rem 0 .3rem}"
    "header .by{margin:0;font:.85rem system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}"
    "h1{overflow-wrap:anywhere}.how{color:var(--soft);margin:.2rem 0 1rem;max-width:46rem}"
    ".tiles-row{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.6rem,1fr));gap:.7rem;"
    "margin:1.4rem 0;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}"
    ".tiles-row div{background:var(--card);border:1px solid var(--line);border-radius:8px;"
    "padding:.7rem .9rem;display:flex;flex-direction:column-reverse;justify-content:flex-end}"
    ".tiles-row dt{font-size:.78rem;color:var(--soft)}"
    ".tiles-row "
    "dd{margin:0;font-size:1.2rem;white-space:nowrap;font-weight:600;font-variant-numeric:tabular-"
    "nums}"
    "nav{position:sticky;top:0;background:var(--paper);z-index:2;padding-top:.6rem;"
    "padding-bottom:.6rem}section{scroll-margin-top:3rem}"
    /* charts */
    ".charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));"
    "gap:1rem 1.6rem}.charts figure{margin:0;text-align:left;break-inside:avoid}"
    ".charts h3{margin:0 0 .2rem}svg{display:block;width:100%;height:auto}"
    "svg text{font:10.5px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;fill:var(--soft)}"
    "svg .x{text-anchor:middle}svg .y,svg text.rule{text-anchor:end}"
    "svg .name{fill:var(--ink)}"
    "svg path,svg circle{fill:none}.grid{stroke:var(--line);stroke-width:.7}"
    ".axis,.tick{stroke:var(--soft);stroke-width:.9}"
    "path.rule,circle.rule{stroke:var(--soft);stroke-width:1;stroke-dasharray:4 3}"
    ".line{stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}"
    ".dashed{stroke-dasharray:5 4}.dots{stroke-width:5;stroke-linecap:round}"
    ".point{stroke-width:3.4;stroke-linecap:round;stroke-opacity:.72}"
    ".point.none{stroke:var(--mute)}rect{shape-rendering:geometricPrecision}"
    ".map{max-width:46rem;margin-left:auto;margin-right:auto}"
    ".legend{list-style:none;display:flex;flex-wrap:wrap;gap:.1rem 1rem;margin:.3rem 0;padding:0;"
    "font:.82rem system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;justify-content:center}"
    ".legend i{display:inline-block;width:.75rem;height:.75rem;border-radius:50%;"
    "margin-right:.35rem;vertical-align:-1px;-webkit-print-color-adjust:exact;print-color-adjust:"
    "exact}"
    /* images: the gaps of a sheet are painted over in the page's colour */
    ".tiles{position:relative;display:block;flex:1;min-width:0}"
    ".tiles img{display:block;width:100%;height:auto;padding:0;border:0;border-radius:0}"
    ".sharp img{image-rendering:pixelated}"
    ".tiles::after{content:'';position:absolute;inset:0;background:linear-gradient(90deg,"
    "transparent calc(var(--u)*100%),var(--paper) 0) 0 0/var(--w) 100%,linear-gradient("
    "transparent calc(var(--v)*100%),var(--paper) 0) 0 0/100% var(--h);"
    "-webkit-print-color-adjust:exact;print-color-adjust:exact}"
    ".strip{display:flex;align-items:center;gap:.8rem;margin:0 0 .15rem;"
    "font:.84rem system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;break-inside:avoid}"
    ".strip>span:first-child{flex:0 0 5.2rem;text-align:right;color:var(--soft);"
    "font-variant-numeric:tabular-nums}.strip b{color:var(--ink)}"
    ".strip>.two{display:flex;flex-direction:column;justify-content:space-around;"
    "align-self:stretch;flex-basis:6.4rem}"
    ".scale{flex:1;display:flex;justify-content:space-between;color:var(--soft)}"
    /* tables */
    "th,td{white-space:nowrap}th.n,td{text-align:right}td:last-child:not(.bar){text-align:right}"
    "th[scope=row]{border-top:0;border-bottom:1px solid var(--line);font-weight:500}"
    ".bar{background:linear-gradient(90deg,var(--tint) var(--t),var(--card) 0) no-repeat;"
    "-webkit-print-color-adjust:exact;print-color-adjust:exact;min-width:8rem}"
    ":root{--tint:#cfe0f6}@media(prefers-color-scheme:dark){:root{--tint:#274267}}"
    ".heat{width:auto}.heat td{min-width:3.4rem;-webkit-print-color-adjust:exact;"
    "print-color-adjust:exact}.matrix td,.matrix th{text-align:center}.right{font-weight:600}"
    ".errors td:last-child,.settings td,.facts td{text-align:left!important}.settings "
    "td{white-space:normal;min-width:9rem}"
    ".settings td:nth-child(2){overflow-wrap:anywhere}.settings td:last-child,.errors "
    "td:last-child{color:var(--soft)}.facts{width:auto}.facts td{padding-left:1rem}"
    "td.t{text-align:left}.errors{max-width:46rem}code{font:.92em ui-monospace,'DejaVu Sans "
    "Mono',Menlo,monospace}"
    ".command{white-space:pre-wrap;overflow-wrap:anywhere}"
    "@media(max-width:40rem){svg.wide text{font-size:17px}.wide "
    ".point{stroke-width:5.5}body{font-size:16px}h1{font-size:1.7rem}nav{position:static}"
    ".strip{gap:.4rem}.strip>span:first-child{flex-basis:3.9rem;font-size:.7rem;white-space:nowrap}"
    ".strip>.two{flex-basis:4.6rem!important}th,td{padding:.25rem .35rem}.bar{min-width:5rem}"
    "table{font-size:.8rem}}"
    "@media print{body{font-size:14px}nav{display:none}section{break-inside:auto;padding:1rem 0}"
    ".charts{grid-template-columns:1fr 1fr}h2,h3,.how,summary{break-after:avoid}"
    "tr,figure,.how{break-inside:avoid}details{display:block}}";

/* "--k0:#1a5fc8;...", after `before`. */
static size_t put_colours(char *out, size_t size, const char *before,
                          struct ecc_colour (*category)(size_t index))
{
    size_t at = (size_t)snprintf(out, size, "%s", before);
    for (size_t i = 0; i < COLOURS; i++) {
        at += (size_t)snprintf(out + at, size - at, "--k%zu:#%06x;", i,
                               (unsigned)(ecc_colour_pixel(category(i)) & 0xffffff));
    }
    return at;
}

char *ecc_report_style(void)
{
    char *const text = malloc(ROOM);
    if (!text) return NULL;
    size_t at = (size_t)snprintf(text, ROOM, "%s", style);
    at += put_colours(text + at, ROOM - at, ":root{", ecc_colour_category);
    at += put_colours(text + at, ROOM - at, "}@media(prefers-color-scheme:dark){:root{",
                      ecc_colour_category_dark);
    at += (size_t)snprintf(text + at, ROOM - at, "}}");
    for (size_t i = 0; i < COLOURS; i++) {
        at += (size_t)snprintf(text + at, ROOM - at,
                               ".k%zu{stroke:var(--k%zu)}rect.k%zu{fill:var(--k%zu);stroke:none}"
                               "i.k%zu{background:var(--k%zu)}",
                               i, i, i, i, i, i);
    }
    return text;
}
