/** Builds the picture of a laid-out graph as SVG elements. Boxes are links; colours are classes of graph.css. */
import { changed, exactly } from '../core/difference.js';
import { svg } from '../core/dom.js';
import { exact, figure, share } from '../core/format.js';
import { visible } from '../core/names.js';
import { HEIGHT, SHARE_END, WIDTH } from './boxes.js';
import { freePlace, middle } from './geometry.js';

/** @typedef {import('./graph-data.js').Graph} Graph */
/** @typedef {import('./graph-data.js').GraphEdge} GraphEdge */
/** @typedef {import('./geometry.js').Layout} Layout */
/** @typedef {import('./geometry.js').Point} Point */
/** @typedef {import('./boxes.js').Box} Box */
/** @typedef {import('./boxes.js').Scale} Scale */

/**
 * @typedef {object} Drawing
 * @property {SVGElement} root to be put into the moving group
 * @property {SVGElement[]} nodes by index
 * @property {SVGElement[]} edges by index
 * @property {Layout} layout
 */

/**
 * @param {Graph} graph
 * @param {Layout} layout
 * @param {Box[]} boxes
 * @param {Scale} scale
 * @param {(name: string) => string} link to a function's page
 * @returns {Drawing}
 */
export function draw(graph, layout, boxes, scale, link) {
    // Where memory is freed, a part can be more than the whole.
    const whole = Math.max(Math.abs(scale.total), graph.edges[0]?.weight ?? 0);
    const edges = graph.edges.map((edge, at) => line(edge, layout.edges[at] ?? [], at, whole));
    const nodes = graph.nodes.map((node, at) => {
        const position = layout.nodes[at] ?? { x: 0, y: 0 };
        const one = /** @type {Box} */ (boxes[at]);

        return functionBox(one, node, position, at, link(node.name), graph.focus === at);
    });
    const lines = svg('g', { class: 'edges', 'aria-hidden': 'true' });
    // The heaviest on top.
    const vias = graph.vias.map((_, at) => svg('path', { class: 'via', d: curve(layout.edges[edges.length + at] ?? []) }));
    lines.append(...vias, ...[...edges].reverse());
    const root = svg('g', {}, lines, svg('g', { class: 'nodes' }, ...nodes), svg('g', { class: 'edge-labels', 'aria-hidden': 'true' }));

    return { root, nodes, edges, layout };
}

/**
 * @param {Box} box
 * @param {import('./graph-data.js').GraphNode} node
 * @param {Point} position
 * @param {number} at
 * @param {string} href
 * @param {boolean} isFocus
 * @returns {SVGElement}
 */
function functionBox(box, node, position, at, href, isFocus) {
    const group = svg('a', {
        href,
        class: `node ${box.classes}${isFocus ? ' focus' : ''}`,
        tabindex: -1,
        'data-node': at,
        'data-function': node.name,
        transform: `translate(${round(position.x - WIDTH / 2)} ${round(position.y - HEIGHT / 2)})`,
    });
    const text = (/** @type {string} */ kind, /** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ content) =>
        svg('text', { class: kind, x, y }, content);
    group.append(
        svg('title', {}, box.words),
        svg('rect', { class: 'box', width: WIDTH, height: HEIGHT, rx: 3 }),
        text('name', 10, 18, box.name),
        text('far', WIDTH / 2, HEIGHT / 2 + 7, box.far),
    );
    box.lines.forEach((line, row) => {
        const y = 33 + 14 * row;
        group.append(text('term', 10, y, line.term), text('value', box.valueEnd, y, line.value), text('part', SHARE_END, y, line.share));
    });
    if (box.badge !== '') {
        group.append(
            svg('rect', { class: 'mark', x: WIDTH - 44, y: 6, width: 36, height: 15, rx: 3 }),
            text('mark', WIDTH - 26, 17, box.badge),
        );
    }
    if (node.recursive) {
        group.append(svg('path', { class: 'loop', d: `M${WIDTH - 26} 0 c-4 -14 18 -14 14 -1 m-3.4 -3 l3.4 3.4 l3 -3.8` }));
    }
    if (node.callers > 0) {
        group.append(text('stub', 2, -4, `+${node.callers} ${node.callers === 1 ? 'caller' : 'callers'}`));
    }

    return group;
}

/**
 * @param {GraphEdge} edge
 * @param {Point[]} points
 * @param {number} at
 * @param {number} whole weight of the widest
 * @returns {SVGElement}
 */
function line(edge, points, at, whole) {
    const part = whole === 0 ? 0 : Math.min(1, edge.weight / whole);
    const width = 1 + 5 * Math.sqrt(part);
    const tip = arrow(points, 5 + width * 1.2);
    const before = edge.before;
    const tone = before === undefined || edge.now === before || edge.machine === true ? '' : (edge.now > before ? ' up' : ' down');
    const group = svg('g', { class: `edge${edge.critical ? ' critical' : ''}${tone}`, 'data-edge': at });
    const d = curve(tip.line);
    group.append(
        svg('path', { class: 'line', d, 'stroke-width': round(width) }),
        svg('path', { class: 'tip', d: tip.head }),
        svg('path', { class: 'hit', d }),
    );

    return group;
}

/**
 * Text of a line that the pointer is at, or whose end it is at.
 *
 * @param {GraphEdge} edge
 * @param {Graph} graph
 * @param {Scale} scale
 * @returns {string[]} the short form and the full one
 */
export function lineTexts(edge, graph, { unit, total, counted, machine }) {
    const names = `${visible(graph.nodes[edge.from]?.name ?? '', 200)} → ${visible(graph.nodes[edge.to]?.name ?? '', 200)}`;
    const calls = `${exact(edge.ct, 'count')} ${edge.ct === 1 ? 'call' : 'calls'}`;
    if (edge.before !== undefined) {
        return [changed(edge.before, edge.now, unit), `${names}\n${exactly(edge.before, edge.now, unit)}${counted.isCalls ? `\n${calls}, ${exact(edge.ctBefore ?? 0, 'count')} before` : ''}${edge.machine === true ? `\n${machine}` : ''}`];
    }

    const also = counted.isCalls ? [calls] : [];

    return [
        [figure(edge.now, unit), share(edge.now, total), ...also].join(' · '),
        [names, `${exact(edge.now, unit)}, ${share(edge.now, total)}`, ...also].join('\n'),
    ];
}

/**
 * Labels of lines, each as near to its line as boxes and other labels leave room.
 *
 * @param {{ points: Point[], words: string }[]} lines
 * @param {Point[]} nodes middles of the boxes
 * @param {(text: string, font: string) => number} measure
 * @returns {SVGElement[]}
 */
export function lineLabels(lines, nodes, measure) {
    const taken = nodes.map(({ x, y }) => ({ x, y, width: WIDTH, height: HEIGHT }));

    return lines.map(({ points, words }) => {
        const size = { width: measure(words, '11px') + 12, height: 19 };
        const place = freePlace(middle(points), size, taken);
        taken.push({ ...place, ...size });

        return svg(
            'g',
            { class: 'edge-label', transform: `translate(${point(place)})` },
            svg('rect', { x: round(-size.width / 2), y: -10, width: round(size.width), height: 19, rx: 3 }),
            svg('text', { y: 4 }, words),
        );
    });
}

/**
 * Shortens the line so that the tip of its arrow ends where the line did.
 *
 * @param {Point[]} points
 * @param {number} size
 * @returns {{ line: Point[], head: string }}
 */
function arrow(points, size) {
    const end = points.at(-1);
    const back = points.at(-2);
    if (end === undefined || back === undefined) {
        return { line: points, head: '' };
    }
    const length = Math.hypot(end.x - back.x, end.y - back.y) || 1;
    const step = { x: (end.x - back.x) / length, y: (end.y - back.y) / length };
    const base = { x: end.x - step.x * size, y: end.y - step.y * size };
    const half = size * 0.42;
    const head = `M${point(end)}L${point({ x: base.x - step.y * half, y: base.y + step.x * half })}`
        + `L${point({ x: base.x + step.y * half, y: base.y - step.x * half })}Z`;

    return { line: [...points.slice(0, -1), { x: end.x - step.x * size * 0.8, y: end.y - step.y * size * 0.8 }], head };
}

/**
 * @param {Point[]} points
 * @returns {string}
 */
function curve(points) {
    const [first, ...rest] = points;

    return first === undefined ? '' : `M${point(first)}C${rest.map(point).join(' ')}`;
}

/**
 * @param {Point} at
 * @returns {string}
 */
function point({ x, y }) {
    return `${round(x)} ${round(y)}`;
}

/**
 * @param {number} value
 * @returns {number}
 */
function round(value) {
    return Math.round(value * 10) / 10;
}
