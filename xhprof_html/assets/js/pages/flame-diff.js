/** Two sides of a comparison laid over each other, path by path: index.php?run1=A&run2=B&view=flame. */
import { inSentence, sides } from '../core/difference.js';
import { h } from '../core/dom.js';
import { counts, exact, figure } from '../core/format.js';
import { onKey } from '../core/keys.js';
import { state } from '../core/state.js';
import { WorkerClient, absolute } from '../core/worker.js';
import { STATUS, byChoice, changeDetails, changeText, chosenNote, comparisonLinks, shownBy, sidesNote } from '../paths/comparison.js';
import { choice, startIslands } from '../paths/controls.js';
import { byChange } from '../paths/diff-colours.js';
import { negativeNote } from '../paths/frame-table.js';
import { PathsPage } from '../paths/page.js';
import { matchedShare } from '../profile/search.js';

/**
 * @typedef {import('../paths/diff-jobs.js').DiffLayout} DiffLayout
 * @typedef {Awaited<ReturnType<import('../paths/diff-jobs.js').DiffJobs['open']>>} Opened
 * @typedef {'a' | 'b' | 'max'} Side
 */

/** @returns {Side} */
function widthSide() {
    const side = state.get('width');

    return side === 'a' || side === 'max' ? side : 'b';
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
    const by = byChoice('Colour', 'by', 'own', 'Colour by the change of the frame and all below it', 'Colour by the change of the frame itself');
    const shown = () => shownBy('by', 'own');
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
        layout: (metric, order) => worker.call('layout', { metric, order, side: widthSide(), by: shown() }),
        colouring: (picture) => {
            side.show(widthSide());
            by.show(shown());

            return byChange(/** @type {DiffLayout} */ (picture), page.metric, shown(), words, machine());
        },
        details: (node) => changeDetails(layout(), page.metric, node, counts().label, machine()),
        // A comparison in the fleet has one view of call paths.
        menu: (_node, path) => (island.dataset.names === '' ? [] : [null, ...comparisonLinks(path[path.length - 1] ?? '', 'flame', path)]),
        status: () => statusText(page),
        note: (picture) => notes(/** @type {DiffLayout} */ (picture), page),
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
    page.note.after(chosenNote(island));
    onKey('w', 'Width: after, before, the larger of both', () => state.set({ width: { b: 'a', a: 'max', max: null }[widthSide()] }), 'Flame graph');
    void page.open();
}

/**
 * @param {DiffLayout} layout
 * @param {PathsPage} page
 * @returns {string}
 */
function notes(layout, page) {
    const has = (/** @type {number} */ side) => layout.only.includes(side);
    const unseen = { a: has(2) ? ' New frames have no width here.' : '', b: has(1) ? ' Gone frames have no width here.' : '', max: '' }[widthSide()];

    return [sidesNote(layout.only, page.run, unseen), negativeNote(layout, page.metric)].filter((text) => text !== '').join(' ');
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
