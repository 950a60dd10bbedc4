/** What the views of the call paths of two sides share: words, switches, notes, links. */
import { changed, growth } from '../core/difference.js';
import { h, nameElement } from '../core/dom.js';
import { figure } from '../core/format.js';
import { markOfPath } from '../core/path-mark.js';
import { replaced, state } from '../core/state.js';
import { choice } from './controls.js';
import { prunedNote } from './frame-table.js';

/**
 * @typedef {import('../core/format.js').Unit} Unit
 * @typedef {import('./diff-jobs.js').By} By
 */

/** By the side that alone has a path, see Union. */
export const STATUS = ['', 'gone', 'new'];

/**
 * @param {number} a
 * @param {number} b
 * @param {Unit} unit
 * @returns {string} "▲ +12.0 ms (+3.1 %)"
 */
export function changeText(a, b, unit) {
    const part = growth(a, b);

    return a === b ? `= ${figure(b, unit)}` : `${changed(a, b, unit)}${part === '' ? '' : ` (${part})`}`;
}

/**
 * @param {'by' | 'of'} key of the address
 * @param {By} usual
 * @returns {By}
 */
export function shownBy(key, usual) {
    const value = state.get(key);

    return value === 'own' || value === 'incl' ? value : usual;
}

/**
 * Makes the switch between changes of functions themselves, and with what they call.
 *
 * @param {string} label
 * @param {'by' | 'of'} key of the address
 * @param {By} usual
 * @param {string} total says what the one shows
 * @param {string} self says what the other shows
 */
export function byChoice(label, key, usual, total, self) {
    /** @type {[By, string, string]} */
    const incl = ['incl', key === 'by' ? 'Total change' : 'Total', total];
    /** @type {[By, string, string]} */
    const own = ['own', key === 'by' ? 'Self change' : 'Self', self];

    return choice(label, usual === 'incl' ? [incl, own] : [own, incl], (value) => state.set({ [key]: value === usual ? null : value }));
}

/**
 * The figures of a frame of both sides.
 *
 * @param {import('./diff-jobs.js').DiffLayout} layout
 * @param {import('../profile/tree.js').Metric} metric
 * @param {number} node
 * @param {string} counted what is counted: "Calls"
 * @param {string} machine words for a change that is the machine's
 * @param {boolean} [hasSelf] whether it has own figures
 * @returns {import('../flame/view.js').FrameDetails}
 */
export function changeDetails({ a, b, ownA, ownB, ctA, ctB, only, machine: grey }, { unit }, node, counted, machine, hasSelf = true) {
    const both = (/** @type {number} */ x, /** @type {number} */ y, /** @type {Unit} */ of) => `${figure(x, of)} → ${figure(y, of)}`;

    return {
        title: STATUS[only[node]],
        lines: [
            ['Total', both(a[node], b[node], unit)],
            ['Total change', changeText(a[node], b[node], unit)],
            .../** @type {[string, string][]} */ (hasSelf ? [
                ['Self', both(ownA[node], ownB[node], unit)],
                ['Self change', changeText(ownA[node], ownB[node], unit)],
            ] : []),
            [counted, both(ctA[node], ctB[node], 'count')],
            .../** @type {[string, string][]} */ (grey[node] === 1 ? [['Grey', machine]] : []),
        ],
    };
}

/**
 * @param {Uint8Array} only per path, see Union
 * @param {import('./tree-jobs.js').Opened} run
 * @param {string} [unseen] what the picture does not show
 * @returns {string} how many paths are new and gone, and what was added up
 */
export function sidesNote(only, run, unseen = '') {
    const [, gone, added] = only.reduce((counts, side) => {
        counts[side]++;

        return counts;
    }, [0, 0, 0]);

    return `${figure(added, 'count')} new and ${figure(gone, 'count')} gone of ${figure(only.length, 'count')} call paths.${unseen}`
        + `${run.runs > 1 ? ' A side of several runs is their mean, path by path.' : ''} ${prunedNote(run)}`.trimEnd();
}

/**
 * @param {HTMLElement} island
 * @returns {HTMLElement} a link to the page of the selected function, which follows the address
 */
export function chosenNote(island) {
    const chosen = h('p', { class: 'flame-note selected-function' });
    const show = () => {
        const name = state.get('sel');
        const url = `${island.dataset.function ?? ''}&symbol=${encodeURIComponent(name)}`;
        chosen.replaceChildren(...(name === '' ? [] : ['Selected: ', h('a', { href: url }, nameElement(name)), ', with its callers and callees']));
    };
    state.watch(['sel'], show);
    show();

    return chosen;
}

/**
 * Makes links to other views of the same function in the same comparison.
 *
 * @param {string} name
 * @param {'flame' | 'calltree' | 'sandwich'} current view
 * @param {string[]} path names from main() to it; [] where it is no path
 * @returns {import('../core/menu.js').Item[]}
 */
export function comparisonLinks(name, current, path) {
    const own = { sel: name, sel_hash: null, zoom: null, table: null, q: null, by: null, of: null, width: null };
    const root = path.length > 1 ? markOfPath(path) : null;
    /** @type {[string, string, string | null][]} */
    const views = [
        ['flame', 'In the flame graph', root], ['calltree', 'In the call tree', root],
        ['sandwich', 'All callers and callees (sandwich)', null],
    ];

    return views.filter(([view]) => view !== current)
        .map(([view, label, at]) => ({ label, url: `?${replaced(location.search, { ...own, view, root: at })}` }));
}
