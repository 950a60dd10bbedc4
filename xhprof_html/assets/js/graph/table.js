/** The calls of the picture as a table below it, for readers who cannot see or use the picture. */
import { changed, exactly, growth, signed, tone } from '../core/difference.js';
import { bar, h, nameElement } from '../core/dom.js';
import { counts, exact, figure, partOf } from '../core/format.js';

/** @typedef {import('./graph-data.js').GraphEdge} GraphEdge */

/**
 * @param {Document} page
 * @param {import('./view.js').GraphView} view
 */
export function fillTable(page, view) {
    const body = page.querySelector('[data-graph-calls] tbody');
    const { choice, scale } = view;
    if (body === null || choice === undefined || scale === undefined) {
        return;
    }
    const { nodes, edges } = choice.graph;
    const change = (/** @type {GraphEdge} */ edge) => Math.abs(edge.now - (edge.before ?? 0));
    const sorted = view.isComparison ? [...edges].sort((a, b) => change(b) - change(a)) : edges;
    const name = (/** @type {number} */ at) => h('td', { class: 'text' }, h('a', { href: view.link(nodes[at]?.name ?? '') }, nameElement(nodes[at]?.name ?? '')));
    body.replaceChildren(...sorted.map((edge) => {
        const callee = name(edge.to);
        if (edge.critical) {
            callee.append(' ', h('span', { class: 'badge', title: 'On the path of the heaviest calls' }, 'critical path'));
        }

        return h('tr', {}, name(edge.from), callee, ...(edge.before === undefined ? single(edge, scale) : both(edge, edge.before, scale)));
    }));
    const count = page.querySelector('[data-graph-count]');
    if (count !== null) {
        count.textContent = String(edges.length);
    }
    const functions = page.querySelector('[data-graph-functions]');
    if (functions !== null) {
        functions.textContent = String(nodes.length);
    }
    const head = page.querySelector('[data-graph-calls] th[aria-sort]');
    if (head !== null) {
        head.textContent = view.isComparison ? `${scale.label}, change` : `${scale.label}, total`;
    }
}

/**
 * @param {GraphEdge} edge
 * @param {import('./boxes.js').Scale} scale
 * @returns {(HTMLElement | null)[]}
 */
function single(edge, { unit, total }) {
    const words = partOf(edge.now, total);

    return [
        counts().isCalls ? h('td', { class: 'num' }, exact(edge.ct, 'count')) : null,
        h(
            'td',
            { class: 'num main', title: exact(edge.now, unit) },
            ...(words !== '' && edge.now > 0 ? [bar(edge.now / total, unit === 'bytes' ? 'memory' : 'time')] : []),
            h('span', { class: 'v' }, figure(edge.now, unit)),
            words === '' ? null : h('span', { class: 'p' }, words),
        ),
    ];
}

/**
 * @param {GraphEdge} edge
 * @param {number} before
 * @param {import('./boxes.js').Scale} scale
 * @returns {(HTMLElement | null)[]}
 */
function both(edge, before, { unit, machine }) {
    return [
        counts().isCalls ? h('td', { class: 'num' }, signed(edge.ct - (edge.ctBefore ?? 0), 'count')) : null,
        h(
            'td',
            { class: `num main delta ${tone(before, edge.now, edge.machine)}`, title: `${exactly(before, edge.now, unit)}${edge.machine ? `: ${machine}` : ''}` },
            h('span', { class: 'v' }, changed(before, edge.now, unit)),
            h('span', { class: 'p' }, growth(before, edge.now)),
        ),
    ];
}
