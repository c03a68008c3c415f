// main.js: starts the page: header, starting point, tabs, keys.
import {getJson, precisionWords} from './api.js';
import * as state from './state.js';
import {about, view} from './state.js';
import {make, isTable, hasDecoder} from './paint.js';
import {buildStage, frames, speed, goMean, goRandom, goItem, itemOrigin, openFile} from './stage.js';
import {buildSliders, FIRST, shown, show as showSliders, stripsIdle} from './sliders.js';
import {buildMap, mapIdle, itemLabels} from './map.js';
import {buildItems, itemsIdle} from './items.js';
import {buildSamples, samplesIdle} from './samples.js';
import {buildGrid, gridIdle} from './grid.js';
import {buildPath, pathIdle, keep} from './path.js';
import {buildLabels, labelsIdle} from './labels.js';
import {loadNames} from './items_data.js';
import {hashOfView, readLink, remember} from './link.js';

const $ = (id) => document.getElementById(id);

/* ---- The header ---- */

function buildHeader() {
    const [run, other] = about.runs;
    document.title = `${about.runs.map((r) => r.name).join(', ')} · eccentric explorer`;
    $('title').replaceChildren(...(other ? [run.name, make('small', {textContent: ' and '}), other.name] : [run.name]));
    const facts = [
        ['latents', about.d], ['eccentricity', run.eccentricity?.toFixed(3)], ['trace', run.trace?.toFixed(2)],
        ['effective rank', run.effective_rank?.toFixed(1)],
    ];
    if (hasDecoder()) facts.push(['regularizer', `${run.regularizer}, λ ${run.lambda}`]);
    else $('facts').after(make('p', {className: 'hint', id: 'alone', textContent: 'Latents without a model: there is no decoder, so sliders, samples, grid, path and labels are left out.'}));
    if (hasDecoder() && !run.finished) facts.push([run.training ? 'still training' : 'unfinished', `step ${run.step}${run.steps ? ` of ${run.steps}` : ''}`]);
    if (about.alignment) facts.push(['aligned', `${about.alignment.angle_aligned.toFixed(0)}° (raw ${about.alignment.angle_raw.toFixed(0)}°), ${about.alignment.verdict}`]);
    $('facts').replaceChildren(...facts.map(([term, text]) => make('div', {}, make('dt', {textContent: term}), make('dd', {textContent: text}))));
    document.documentElement.classList.toggle('photos', isTable() || about.width >= 48);
    document.documentElement.classList.toggle('table', isTable());
    document.documentElement.classList.toggle('alone', !hasDecoder());
    for (const element of document.querySelectorAll('.only-images')) element.hidden = isTable();
    for (const element of document.querySelectorAll('[data-needs=decoder]')) element.hidden ||= !hasDecoder();
}

/* ---- Tabs ---- */

const tabs = [];

function addTab(id, text, build) {
    const panel = make('div', {id: `panel-${id}`, role: 'tabpanel', tabIndex: -1, hidden: true, 'aria-labelledby': `tab-${id}`});
    const tab = make('button', {id: `tab-${id}`, role: 'tab', textContent: text, tabIndex: -1, 'aria-selected': 'false', 'aria-controls': `panel-${id}`});
    tab.addEventListener('click', () => choose(id));
    $('tabs').append(tab);
    $('panels').append(panel);
    tabs.push({id, tab, panel, refresh: build(panel)});
}

function choose(id) {
    const chosen = tabs.find((t) => t.id === id);
    if (!chosen) return;
    for (const t of tabs) {
        t.panel.hidden = t !== chosen;
        t.tab.setAttribute('aria-selected', String(t === chosen));
        t.tab.tabIndex = t === chosen ? 0 : -1;
    }
    if (typeof chosen.refresh === 'function') chosen.refresh();
}

function buildTabs() {
    let ready = Promise.resolve();
    if (about.items) addTab('map', 'Map', (panel) => { ready = buildMap(panel); });
    if (about.items) addTab('items', 'Items', buildItems);
    if (hasDecoder()) {
        addTab('samples', 'Samples', buildSamples);
        addTab('grid', 'Grid', buildGrid);
        addTab('path', 'Path', buildPath);
    }
    if (hasDecoder() && about.targets > 0) addTab('labels', about.items.labelled ? 'Labels' : 'Attributes', buildLabels);
    $('tabs').addEventListener('keydown', (event) => {
        const at = tabs.findIndex((t) => t.tab === document.activeElement), count = tabs.length;
        const to = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1}[event.key];
        if (to === undefined) return;
        const next = tabs[(to + count) % count];
        event.preventDefault();
        choose(next.id);
        next.tab.focus();
    });
    choose(tabs[0].id);
    const chosen = () => tabs.find((t) => !t.panel.hidden).id, first = tabs[0].id;
    remember('tab', () => chosen() === first ? null : chosen(), (id) => { if ((id ?? first) !== chosen()) choose(id ?? first); });
    if (hasDecoder()) remember('sliders', () => shown() > FIRST ? shown() : null, (text) => showSliders(Math.max(Number.parseInt(text, 10) || 0, FIRST)));
    return ready;
}

/* ---- Links ---- */

let hashTimer = null, ownHash = '';

function writeHash() {
    hashTimer = null;
    ownHash = `#${hashOfView()}`;
    try {
        history.replaceState(null, '', ownHash === '#' ? location.pathname : ownHash);
    } catch {
        // a preview that shows the page without an address of its own
    }
}

async function restore() {
    const link = readLink(location.hash);
    link.restore();
    if (link.item !== null) {
        const [position, origin] = await itemOrigin(link.item, itemLabels());
        state.moveTo(link.position ?? position, origin);
    } else if (link.position) {
        state.moveTo(link.position, {kind: 'link'});
    } else {
        goMean();
    }
}

/* ---- Keys ---- */

function onKey(event) {
    const typing = event.target.matches('input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select');
    const command = event.ctrlKey || event.metaKey;
    if (command && !event.altKey && event.key.toLowerCase() === 'z' && !typing) {
        event.preventDefault();
        return event.shiftKey ? state.redo() : state.undo();
    }
    if (command || event.altKey || typing) return;
    const work = {m: goMean, ...hasDecoder() ? {r: goRandom, k: keep} : {}}[event.key];
    if (!work) return;
    Promise.resolve(work()).catch(state.sayError);
}

async function main() {
    Object.assign(about, await getJson('about'));
    about.precision = await precisionWords();
    state.start();
    await loadNames();
    buildHeader();
    buildStage();
    if (hasDecoder()) buildSliders();
    const mapped = buildTabs();
    $('keep').addEventListener('click', () => keep().catch(state.sayError));
    addEventListener('keydown', onKey);
    // the address belongs to the view: following this link must not change it
    document.querySelector('.skip').addEventListener('click', (event) => {
        event.preventDefault();
        $('components').focus();
    });
    state.onMove(() => {
        clearTimeout(hashTimer);
        hashTimer = setTimeout(writeHash, 300);
    });
    await restore();
    state.forget();
    addEventListener('hashchange', () => { if (location.hash !== ownHash) restore().catch(state.sayError); });
    await mapped;
    document.documentElement.dataset.ready = 'true';
}

/* For tests and the browser's console. */
globalThis.explorer = {
    about, view, speed, frames, state, goMean, goRandom, goItem, openFile, keep, choose,
    async idle() {
        for (let i = 0; i < 2; i++) {
            await state.allTold();
            await frames.idle();
            await stripsIdle();
            if (about.items) await mapIdle();
            await Promise.all([itemsIdle(), samplesIdle(), gridIdle(), pathIdle(), labelsIdle()]);
        }
    },
    flushLink() {
        clearTimeout(hashTimer);
        writeHash();
        return location.href;
    },
};

main().catch((error) => {
    state.sayError(error);
    clearTimeout(state.say.timer);
});
