/** The picture as a file: SVG as drawn, or DOT for Graphviz's own programs. */
import { h } from '../core/dom.js';
import { visible } from '../core/names.js';
import { box } from './boxes.js';

/** Properties that the style sheet gives to the picture; a file has no style sheet. */
const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-size', 'font-weight', 'font-family', 'text-anchor', 'opacity', 'display'];

/** Longest name in a DOT file. */
const LONGEST = 300;

/**
 * @param {Document} page
 * @param {import('./view.js').GraphView} view
 */
export function downloads(page, view) {
    for (const button of page.querySelectorAll('[data-graph-save]')) {
        button.removeAttribute('hidden');
        button.addEventListener('click', () => {
            const isDot = button.getAttribute('data-graph-save') === 'dot';
            if (view.picture !== undefined) {
                save(isDot ? dot(view) : picture(view), isDot ? 'call-graph.dot' : 'call-graph.svg', isDot ? 'text/vnd.graphviz' : 'image/svg+xml');
            }
        });
    }
}

/**
 * @param {string} text
 * @param {string} name
 * @param {string} type
 */
function save(text, name, type) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    h('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/**
 * @param {import('./view.js').GraphView} view
 * @returns {string}
 */
function picture(view) {
    const { root, layout } = /** @type {import('./draw.js').Picture} */ (view.picture);
    // The file contains the parts out of sight too.
    const hidden = [...root.querySelectorAll('[display=none]')];
    hidden.forEach((element) => element.removeAttribute('display'));
    const marks = ['far', 'dust', 'searching', 'lighting'].filter((name) => view.svg.classList.contains(name));
    view.svg.classList.remove(...marks);
    const copy = /** @type {SVGElement} */ (root.cloneNode(true));
    const from = [root, ...root.querySelectorAll('*')];
    const to = [copy, ...copy.querySelectorAll('*')];
    const margin = 20;
    from.forEach((element, at) => {
        const style = getComputedStyle(element);
        const target = to[at];
        for (const name of STYLES) {
            target?.setAttribute(name, style.getPropertyValue(name));
        }
    });
    view.svg.classList.add(...marks);
    hidden.forEach((element) => element.setAttribute('display', 'none'));
    for (const element of copy.querySelectorAll('.hit, .far')) {
        element.remove();
    }
    // Its links work on this site only.
    for (const link of copy.querySelectorAll('a')) {
        link.removeAttribute('href');
    }
    const box = `${-margin} ${-margin} ${Math.ceil(layout.width + 2 * margin)} ${Math.ceil(layout.height + 2 * margin)}`;
    const background = getComputedStyle(document.documentElement).backgroundColor;
    const text = new XMLSerializer().serializeToString(copy);

    return `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">`
        + `<rect x="${-margin}" y="${-margin}" width="100%" height="100%" fill="${background}"/>${text}</svg>\n`;
}

/**
 * Same as the server's DotWriter: dot decodes entities, and unescapes backslashes once in labels, twice in tooltips.
 *
 * @param {string} text
 * @param {boolean} [isTooltip]
 * @returns {string}
 */
export function quoted(text, isTooltip = false) {
    const backslash = isTooltip ? '\\\\\\\\' : '\\\\';

    return `"${text.replaceAll('&', '&amp;').replaceAll('\\', () => backslash).replaceAll('"', '&quot;').replaceAll('\n', '\\n')}"`;
}

/**
 * @param {import('./view.js').GraphView} view
 * @returns {string}
 */
export function dot(view) {
    const { graph } = /** @type {import('./graph-data.js').Choice} */ (view.choice);
    const scale = /** @type {import('./boxes.js').Scale} */ (view.scale);
    const words = (/** @type {{ term: string, value: string, share: string }} */ line) => `${line.term} ${line.value}${line.share === '' ? '' : ` (${line.share})`}`;

    return [
        'digraph call_graph {',
        `graph [rankdir=${view.isAcross ? 'LR' : 'TB'}, ranksep=0.5, nodesep=0.2];`,
        'node [shape=box, style=filled, fillcolor="#faf0e4", fontname="Helvetica", fontsize=10, color="#8a8f98"];',
        'edge [arrowsize=0.6, color="#8a8f98"];',
        ...graph.nodes.map((node, at) => {
            const { lines } = box(node, scale, () => 0);
            const name = visible(node.name, LONGEST);

            return `N${at} [label=${quoted([name, ...lines.map(words)].join('\n'))}, tooltip=${quoted(name, true)}];`;
        }),
        ...graph.edges.map((edge) => `N${edge.from} -> N${edge.to} [penwidth=${(0.6 + 4 * Math.min(1, edge.weight / Math.max(1, Math.abs(graph.total)))).toFixed(2)}`
            + `${edge.critical ? ', color="#b3391f"' : ''}];`),
        '}',
        '',
    ].join('\n');
}
