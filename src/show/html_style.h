/* html_style.h: how pages look: one style sheet, inline, so that a page can be mailed. */
#ifndef ECC_SHOW_HTML_STYLE_H
#define ECC_SHOW_HTML_STYLE_H

/* Light and dark; figures keep the white they were drawn on. */
static const char html_style[] =
    ":root{--paper:#fbfaf7;--ink:#1d2129;--soft:#5d6470;--line:#dcd9d0;--card:#fff;--accent:#"
    "1f4e8c;"
    "--good:#1d7a46;--bad:#b3392f;--warn:#946200;--mute:#6b7280;color-scheme:light dark}"
    "@media(prefers-color-scheme:dark){:root{--paper:#15171b;--ink:#e6e4df;--soft:#a2a8b3;"
    "--line:#33373f;--card:#1d2026;--accent:#8db8f2;--good:#6fcf97;--bad:#f08a80;--warn:#e5b454;"
    "--mute:#9aa1ad}}"
    "*{box-sizing:border-box}html{scroll-behavior:smooth}"
    "body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.6 Charter,'Bitstream "
    "Charter','Source Serif 4',Georgia,serif}"
    "main,header,nav{max-width:60rem;margin:0 auto;padding:0 1.4rem}"
    "header{padding-top:3.2rem}h1{font-size:2.2rem;line-height:1.15;margin:0 0 .3rem}"
    "h2{font-size:1.4rem;margin:0 0 .4rem}.by{color:var(--soft);margin:0 0 1.2rem}"
    ".about{border-left:4px solid var(--accent);padding:.2rem 0 .2rem 1rem;margin:1.2rem 0}"
    ".small,nav,table,summary,figcaption,.chips{font-family:system-ui,-apple-system,'Segoe "
    "UI',Roboto,sans-serif}"
    ".small{font-size:.82rem;color:var(--soft)}"
    ".chips{display:flex;flex-wrap:wrap;gap:.5rem;margin:1.2rem 0}"
    ".chip{border:1px solid currentColor;border-radius:1rem;padding:.15rem .8rem;font-size:.88rem}"
    ".chip b{font-variant-numeric:tabular-nums}"
    "nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem;font-size:.88rem;padding-bottom:1rem;"
    "border-bottom:1px solid var(--line)}"
    "a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}"
    "section{padding:2rem 0 1.4rem;border-bottom:1px solid var(--line)}"
    "figure{margin:1.3rem 0;text-align:center}"
    "figure img{max-width:100%;height:auto;background:#fff;border:1px solid var(--line);"
    "border-radius:6px;padding:10px}"
    ".row{display:flex;flex-wrap:wrap;gap:1rem;justify-content:center}.row figure{margin:.4rem 0}"
    "figcaption{font-size:.85rem;color:var(--soft);margin-top:.4rem}"
    ".scroll{overflow-x:auto;margin:1.1rem 0}"
    "table{border-collapse:collapse;font-size:.86rem;width:100%;background:var(--card);"
    "font-variant-numeric:tabular-nums}"
    "caption{text-align:left;font-weight:600;padding:.3rem 0}"
    "th{text-align:left;border-bottom:2px solid var(--ink);border-top:2px solid var(--ink);"
    "padding:.35rem .6rem;font-weight:600}"
    "td{padding:.3rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}"
    ".missing{border:1px dashed var(--warn);border-radius:6px;padding:.5rem .9rem;margin:.8rem 0;"
    "font-size:.92rem}"
    "details{margin:.8rem 0}summary{cursor:pointer;font-size:.85rem;color:var(--accent)}"
    "pre{font:12.5px/1.5 ui-monospace,'DejaVu Sans Mono',Menlo,monospace;background:var(--card);"
    "border:1px solid var(--line);border-radius:6px;padding:.8rem;overflow-x:auto}"
    "@media print{body{background:#fff}section{break-inside:avoid}details{display:none}}";

#endif
