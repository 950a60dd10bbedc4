/** The function selected in a comparison: its figures before and after, and the changes of its calls. */
import { changed, exactly, growth, sides, tone } from '../core/difference.js';
import { buttonFor, h, nameElement } from '../core/dom.js';
import { counts, figure } from '../core/format.js';
import { visible } from '../core/names.js';
import { state } from '../core/state.js';

/** @typedef {import('./graph-data.js').GraphEdge} GraphEdge */

/** Most calls that are shown. */
const SHOWN = 10;

/**
 * @param {HTMLElement} element
 * @param {import('./view.js').GraphView} view
 */
export function comparisonPanel(element, view) {
    const { choice, scale } = view;
    const at = view.indexOf(state.get('sel'));
    const node = choice?.graph.nodes[at];
    if (choice === undefined || scale === undefined || node?.before === undefined) {
        element.replaceChildren(h('p', { class: 'hint' }, 'Select a function to see its change, and that of its callers and callees.'));
        return;
    }
    const { before } = node;
    const { unit } = scale;
    const { machine } = node;
    const row = (/** @type {string} */ term, /** @type {number} */ was, /** @type {number} */ is, /** @type {import('../core/format.js').Unit} */ of, isMachine = false) => h(
        'tr',
        { title: exactly(was, is, of) },
        h('th', { scope: 'row' }, term),
        h('td', { class: 'num' }, figure(was, of)),
        h('td', { class: 'num' }, figure(is, of)),
        changeElement(was, is, of, 'td', isMachine),
    );
    const { edges, nodes } = choice.graph;
    element.replaceChildren(
        h('h2', {}, nameElement(node.name)),
        h(
            'table',
            { class: 'changed' },
            h('thead', {}, h('tr', {}, ...['', sides().a, sides().b, 'Change'].map((text) => h(text === '' ? 'td' : 'th', text === '' ? {} : { scope: 'col' }, text)))),
            h(
                'tbody',
                {},
                row('Total', before.incl, node.incl, unit, machine?.includes('incl')),
                row('Self', before.excl, node.excl, unit, machine?.includes('excl')),
                counts().isCalls ? row(counts().label, before.ct, node.ct, 'count') : null,
            ),
        ),
        ...(machine === undefined ? [] : [h('p', { class: 'hint' }, `Grey: ${scale.machine}.`)]),
        h('p', { class: 'inspector-links' }, h('a', { href: view.link(node.name) }, 'Function page')),
        calls('Callers drawn', edges.filter((edge) => edge.to === at), (edge) => nodes[edge.from]?.name ?? '', unit),
        calls('Callees drawn', edges.filter((edge) => edge.from === at), (edge) => nodes[edge.to]?.name ?? '', unit),
    );
}

/**
 * @param {string} title
 * @param {GraphEdge[]} edges
 * @param {(edge: GraphEdge) => string} name of its other end
 * @param {import('../core/format.js').Unit} unit
 * @returns {HTMLElement}
 */
function calls(title, edges, name, unit) {
    const sorted = [...edges].sort((a, b) => Math.abs(b.now - (b.before ?? 0)) - Math.abs(a.now - (a.before ?? 0)));

    return h(
        'section',
        {},
        h('h3', {}, `${title} `, h('span', { class: 'n' }, String(edges.length))),
        h('ul', { class: 'neighbours' }, ...sorted.slice(0, SHOWN).map((edge) => h('li', {}, buttonFor(() => state.set({ sel: name(edge) }), { title: visible(name(edge), 500) }, nameElement(name(edge), { limit: 120, short: true, breaks: false }), changeElement(edge.before ?? 0, edge.now, unit, 'span', edge.machine))))),
    );
}

/**
 * @template {'td' | 'span'} T
 * @param {number} was
 * @param {number} is
 * @param {import('../core/format.js').Unit} unit
 * @param {T} tag
 * @param {boolean} [isMachine] whether the change is the machine's
 */
function changeElement(was, is, unit, tag, isMachine) {
    return h(
        tag,
        { class: `num delta ${tone(was, is, isMachine)}`, title: exactly(was, is, unit) },
        h('span', { class: 'v' }, changed(was, is, unit)),
        h('small', {}, ` ${growth(was, is)}`),
    );
}
