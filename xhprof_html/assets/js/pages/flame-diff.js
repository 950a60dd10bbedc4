/** Two sides of a comparison laid over each other, path by path: index.php?run1=A&run2=B&view=flame. */
import { changed, growth, inSentence, sides } from '../core/difference.js';
import { h, nameElement } from '../core/dom.js';
import { counts, exact, figure } from '../core/format.js';
import { onKey } from '../core/keys.js';
import { state } from '../core/state.js';
import { WorkerClient, absolute } from '../core/worker.js';
import { choice, startIslands } from '../paths/controls.js';
import { byChange } from '../paths/diff-colours.js';
import { negativeNote, prunedNote } from '../paths/frame-table.js';
import { PathsPage } from '../paths/page.js';
import { matchedShare } from '../profile/search.js';

/**
 * @typedef {import('../paths/diff-jobs.js').DiffLayout} DiffLayout
 * @typedef {Awaited<ReturnType<import('../paths/diff-jobs.js').DiffJobs['open']>>} Opened
 * @typedef {import('../core/format.js').Unit} Unit
 * @typedef {'a' | 'b' | 'max'} Side
 */

const STATUS = ['', 'gone', 'new'];

/** @returns {Side} */
function widthSide() {
    const side = state.get('width');

    return side === 'a' || side === 'max' ? side : 'b';
}

/**
 * @param {number} a
 * @param {number} b
 * @param {Unit} unit
 * @returns {string} "▲ +12.0 ms (+3.1 %)"
 */
function changeText(a, b, unit) {
    const part = growth(a, b);

    return a === b ? `= ${figure(b, unit)}` : `${changed(a, b, unit)}${part === '' ? '' : ` (${part})`}`;
}

/** @param {HTMLElement} island */
function flameDiff(island) {
    /** @type {WorkerClient<import('../paths/diff-jobs.js').DiffJobs>} */
    const worker = new WorkerClient(new Worker(new URL('../paths/diff-worker.js', import.meta.url), { type: 'module' }));
    const words = sides();
    const side = choice('Width', [
        ['b', words.b, `Widths from ${inSentence(words.b)}: gone frames have none`],
        ['a', words.a, `Widths from ${inSentence(words.a)}: new frames have none`],
        ['max', 'Larger of both', 'The larger self figure of each frame: shows both new and gone frames'],
    ], (value) => state.set({ width: value === 'b' ? null : value }));
    const by = choice('Colour', [
        ['own', 'Self change', 'Colour by the change of the frame itself'],
        ['incl', 'Total change', 'Colour by the change of the frame and all below it'],
    ], (value) => state.set({ by: value === 'own' ? null : value }));
    const shownBy = () => (state.get('by') === 'incl' ? 'incl' : 'own');
    const field = h('input', { type: 'search', placeholder: 'Find a function, or /pattern/', 'aria-label': 'Find functions by name', 'data-key': '/', spellcheck: 'false' });
    field.value = state.get('q');
    field.addEventListener('input', () => state.set({ q: field.value }));
    const layout = () => /** @type {DiffLayout} */ (page.layout);
    const machine = () => /** @type {Opened} */ (page.run).machine;
    /** @type {PathsPage} */
    const page = new PathsPage(island, {
        label: 'Changes of call paths',
        // The field in the head of the page serves, where there is one.
        controls: [side.element, by.element, ...(document.querySelector('[data-find]') === null ? [field] : [])],
        framed: true,
        watched: ['width', 'by'],
        load: (progress) => worker.call('open', { a: absolute(island.dataset.a), b: absolute(island.dataset.b), names: absolute(island.dataset.names) }, progress),
        layout: (metric, order) => worker.call('layout', { metric, order, side: widthSide(), by: shownBy() }),
        colouring: (shown) => {
            side.show(widthSide());
            by.show(shownBy());

            return byChange(/** @type {DiffLayout} */ (shown), page.metric, shownBy(), words, machine());
        },
        details: (node) => {
            const { a, b, ownA, ownB, ctA, ctB, only, machine: grey } = layout();
            const { unit } = page.metric;
            const both = (/** @type {number} */ x, /** @type {number} */ y, /** @type {Unit} */ of) => `${figure(x, of)} → ${figure(y, of)}`;

            return {
                title: STATUS[only[node]],
                lines: [
                    ['Total', both(a[node], b[node], unit)],
                    ['Total change', changeText(a[node], b[node], unit)],
                    ['Self', both(ownA[node], ownB[node], unit)],
                    ['Self change', changeText(ownA[node], ownB[node], unit)],
                    [counts().label, both(ctA[node], ctB[node], 'count')],
                    .../** @type {[string, string][]} */ (grey[node] === 1 ? [['Grey', machine()]] : []),
                ],
            };
        },
        status: () => statusText(page),
        note: (shown) => notes(/** @type {DiffLayout} */ (shown), page),
        // Merged paths of several processes have no order in time.
        usual: island.dataset.merged === undefined ? 'time' : 'heavy',
        heads: [words.a, words.b, 'Change', 'Self change', 'Status'],
        cells: (node) => {
            const { a, b, ownA, ownB, only, machine: grey } = layout();
            const { unit } = page.metric;

            return [
                [figure(a[node], unit), exact(a[node], unit)],
                [figure(b[node], unit), exact(b[node], unit)],
                [changeText(a[node], b[node], unit), exact(b[node] - a[node], unit)],
                [changeText(ownA[node], ownB[node], unit), exact(ownB[node] - ownA[node], unit)],
                grey[node] === 1 ? ['only wall time', machine()] : [STATUS[only[node]], ''],
            ];
        },
    });
    const chosen = h('p', { class: 'flame-note selected-function' });
    page.note.after(chosen);
    const showChosen = () => {
        const name = state.get('sel');
        const url = `${island.dataset.function ?? ''}&symbol=${encodeURIComponent(name)}`;
        chosen.replaceChildren(...(name === '' ? [] : ['Selected: ', h('a', { href: url }, nameElement(name)), ', with its callers and callees']));
    };
    state.watch(['sel'], showChosen);
    showChosen();
    onKey('w', 'Width: after, before, the larger of both', () => state.set({ width: { b: 'a', a: 'max', max: null }[widthSide()] }), 'Flame graph');
    void page.open();
}

/**
 * @param {DiffLayout} layout
 * @param {PathsPage} page
 * @returns {string}
 */
function notes(layout, page) {
    const [, gone, added] = layout.only.reduce((counts, side) => {
        counts[side]++;

        return counts;
    }, [0, 0, 0]);
    const unseen = { a: added > 0 ? ' New frames have no width here.' : '', b: gone > 0 ? ' Gone frames have no width here.' : '', max: '' }[widthSide()];

    return `${figure(added, 'count')} new and ${figure(gone, 'count')} gone of ${figure(layout.fn.length, 'count')} call paths.${unseen}`
        + `${page.run.runs > 1 ? ' A side of several runs is their mean, path by path.' : ''} ${negativeNote(layout, page.metric)} `
        + prunedNote(page.run);
}

/**
 * @param {PathsPage} page
 * @returns {string}
 */
function statusText({ layout, search: { matches }, metric: { unit }, view: { root } }) {
    if (layout === null) {
        return '';
    }
    const { totals, a, b } = /** @type {DiffLayout} */ (layout);
    if (matches === null) {
        return `All: ${changeText(totals.a, totals.b, unit)}`;
    }
    const [before, after] = [a, b].map((inclusive) => matchedShare(layout, matches, inclusive, root));

    return before.nodes === 0 ? 'No frame matches'
        : `${figure(before.nodes, 'count')} ${before.nodes === 1 ? 'frame matches' : 'frames match'}: ${changeText(before.sum, after.sum, unit)}`;
}

startIslands('flame-diff', flameDiff);
