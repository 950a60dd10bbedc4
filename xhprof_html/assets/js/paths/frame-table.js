/** The table of the widest frames in sight, and notes on what widths and frames leave out. */
import { buttonFor, h, nameElement } from '../core/dom.js';
import { exact, figure, labelInSentence, share } from '../core/format.js';

/**
 * @typedef {import('../flame/layout.js').FrameLayout} FrameLayout
 * @typedef {import('../profile/tree.js').Metric} Metric
 */

/** Most frames of a table. */
const ROWS = 100;

/**
 * @typedef {{node: number, cells: [text: string, title: string][]}} FrameRow
 *
 * @param {HTMLElement} element
 * @param {object} what
 * @param {string} what.caption
 * @param {string[]} what.heads of the columns behind the first
 * @param {FrameRow[]} what.rows
 * @param {(node: number) => {name: string, indent: number}} what.nameOf
 * @param {(node: number) => void} what.choose
 */
export function table(element, { caption, heads, rows, nameOf, choose }) {
    element.replaceChildren(h(
        'table',
        { class: 'data' },
        h('caption', { class: 'count' }, caption),
        h('thead', {}, h('tr', {}, h('th', { scope: 'col', class: 'text' }, 'Frame'), ...heads.map((head) => h('th', { scope: 'col', class: 'num' }, head)))),
        h('tbody', {}, ...rows.map(({ node, cells }) => {
            const { name, indent } = nameOf(node);
            const first = h('th', { scope: 'row', class: 'text' }, buttonFor(() => choose(node), { class: 'plain' }, nameElement(name)));
            first.style.paddingLeft = `${8 + Math.min(indent, 30) * 8}px`;

            return h('tr', {}, first, ...cells.map(([text, title]) => h('td', { class: 'num', title }, text)));
        })),
    ));
}

/**
 * @param {import('../flame/view.js').FlameView} view
 * @returns {number[]} the widest frames in sight below the zoomed one, itself included, in preorder
 */
export function widestInSight({ layout, root, from, to }) {
    if (layout === null) {
        return [];
    }
    const { x, width, end } = layout;
    /** @type {number[]} */
    let widest = [];
    let least = 0;
    for (let node = root; node < end[root];) {
        if (width[node] <= least || x[node] >= to || x[node] + width[node] <= from) {
            node = end[node];
            continue;
        }
        widest.push(node++);
        if (widest.length >= 8 * ROWS) {
            widest = top(widest, width);
            least = width[widest[ROWS - 1]];
        }
    }

    return top(widest, width).sort((a, b) => a - b);
}

/**
 * @param {number[]} nodes
 * @param {Float64Array} width
 */
function top(nodes, width) {
    return nodes.sort((a, b) => width[b] - width[a] || a - b).slice(0, ROWS);
}

/**
 * @param {FrameLayout} layout
 * @param {Metric} metric
 * @param {number} node
 * @returns {FrameRow['cells']} under headsOf(); the last has no head where samples are counted
 */
export function cellsOf(layout, { unit }, node) {
    const cell = (/** @type {number} */ value, /** @type {Metric['unit']} */ of) => /** @type {[string, string]} */ ([figure(value, of), exact(value, of)]);
    const calls = layout.ct[node];

    return [
        cell(layout.inclusive[node], unit),
        [share(layout.inclusive[node], layout.total), ''],
        cell(layout.self[node], unit),
        cell(calls, 'count'),
        calls > 0 ? cell(layout.inclusive[node] / calls, unit) : ['', ''],
    ];
}

/**
 * @param {import('../core/format.js').Counted} counted
 * @returns {string[]} above cellsOf()
 */
export function headsOf(counted) {
    return ['Total', 'Share', 'Self', counted.label, ...(counted.isCalls ? ['Total per call'] : [])];
}

/**
 * @param {FrameLayout} layout
 * @param {Metric} metric
 * @returns {string} the figures that widths leave out, '' for none
 */
export function negativeNote(layout, metric) {
    const { unit } = metric;
    const { nodes, sum } = layout.negative;

    return nodes === 0 ? '' : `${figure(nodes, 'count')} ${nodes === 1 ? 'frame' : 'frames'} freed more than they allocated, `
        + `${figure(-sum, unit)} in total: figures include this, widths do not (${labelInSentence(metric)} of the run: ${figure(layout.total, unit)}).`;
}

/**
 * @param {Pick<import('./tree-jobs.js').Opened, 'pruned'>} run
 * @returns {string} how many of its call paths are here, '' for all
 */
export function shownPaths({ pruned: { nodes, of } }) {
    return nodes === 0 ? '' : `${figure(of - nodes, 'count')} of ${figure(of, 'count')} call paths (${share(of - nodes, of)}) are shown`;
}

/**
 * @param {Pick<import('./tree-jobs.js').Opened, 'pruned'>} run
 * @param {string} [more] how a reader gets the others
 * @returns {string} which paths are added up, and why; '' for none
 */
export function prunedNote(run, more = '') {
    return run.pruned.nodes === 0 ? '' : `${shownPaths(run)}: a browser cannot hold more. `
        + `The smallest are merged in frames named “(small paths)”.${more && ` ${more}`}`;
}
