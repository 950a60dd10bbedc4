/** Contents of a function's box: texts cut to its width, figures, colours by class. Needs a canvas to measure, no page. */
import { firstNot } from '../core/bisect.js';
import { changed, exactly, growth, signed } from '../core/difference.js';
import { heat } from '../core/dom.js';
import { exact, figure, partOf, share } from '../core/format.js';
import { boundary, endOf, scopeOf, visible } from '../core/names.js';

/** @typedef {import('./graph-data.js').GraphNode} GraphNode */
/** @typedef {import('../core/format.js').Unit} Unit */

export const WIDTH = 196;
export const HEIGHT = 54;

/** Width of the name without the margins, and of the large one shown from afar. */
const NAME_WIDTH = WIDTH - 20;

/** Right edges of shares, and of values unless a share is long; the least room between the two. */
export const SHARE_END = WIDTH - 10;
const VALUE_END = WIDTH - 72;
const GAP = 8;

/** Characters that stay of a long file and line. */
const LINE = 14;

/** Characters that stay of the end of any long name. */
const TAIL = 8;

/** Change, as a share, from which a box takes the next deeper colour. */
const CHANGE_STEPS = [0.002, 0.01, 0.04, 0.12, 0.3];

/**
 * @typedef {object} Scale the wholes of a graph's figures, and how they are shown
 * @property {string} label of the metric
 * @property {Unit} unit
 * @property {number} total
 * @property {import('../core/format.js').Counted} counted samples are taken in one function, not in one that calls another
 * @property {boolean} byPercent of two runs: colours by the change in percent of the figure before
 * @property {string} machine of two runs: words for changes that are the machine's
 */

/**
 * @typedef {object} Box
 * @property {string} name cut to the width
 * @property {string} far the shortest form of it, for when the box is small
 * @property {{ term: string, value: string, share: string }[]} lines
 * @property {number} valueEnd where values end, before the longest share
 * @property {string} classes
 * @property {string} words the full text, for the tooltip and screen readers
 * @property {string} badge
 */

/**
 * @param {GraphNode} node
 * @param {Scale} scale
 * @param {(text: string, font: string) => number} measure
 * @returns {Box}
 */
export function box(node, scale, measure) {
    const full = visible(node.name, 400);
    const short = visible(node.name.slice(scopeOf(node.name).length), 200) || full;
    const words = [full];
    const calls = (/** @type {number} */ count) => `${exact(count, 'count')} ${count === 1 ? 'call' : 'calls'}`;
    const both = { ...(node.before === undefined ? single(node, scale) : change(node, node.before, scale)) };
    const also = [...(scale.counted.isCalls ? [calls(node.ct)] : []), ...(node.recursive ? ['recursive'] : [])].join(', ');
    words.push(...both.words, ...(also === '' ? [] : [also]));
    if (node.callers > 0) {
        words.push(`${node.callers} more ${node.callers === 1 ? 'call' : 'calls'} to it not drawn`);
    }

    return {
        name: cut(short, NAME_WIDTH - (both.badge === '' ? 0 : 40), '600 12px', measure),
        far: cut(endOf(short) > 0 ? short.slice(endOf(short)).replace(/\}.*$/s, '') : short.replace(/^.*::(?=[^_{]|_[^_])/, ''), NAME_WIDTH, '600 20px', measure),
        lines: both.lines,
        valueEnd: Math.min(VALUE_END, ...both.lines.map((line) => Math.floor(SHARE_END - measure(line.share, '11px') - GAP))),
        classes: both.classes,
        words: words.join('\n'),
        badge: both.badge,
    };
}

/**
 * @param {GraphNode} node
 * @param {Scale} scale
 */
function single(node, { unit, total }) {
    const isMemory = unit === 'bytes';
    const line = (/** @type {string} */ term, /** @type {number} */ value) => ({ term, value: figure(value, unit), share: partOf(value, total) });

    return {
        lines: [line('self', node.excl), line('total', node.incl)],
        classes: `${isMemory ? 'memory' : 'time'} heat-${total > 0 ? heat(node.excl / total) : 0}`,
        words: [
            `total ${exact(node.incl, unit)}, ${share(node.incl, total)}`,
            `self ${exact(node.excl, unit)}, ${share(node.excl, total)}`,
        ],
        badge: '',
    };
}

/**
 * @param {GraphNode} node
 * @param {{ incl: number, excl: number, ct: number }} before
 * @param {Scale} scale
 */
function change(node, before, { unit, total, byPercent, machine }) {
    const isNew = before.ct === 0 && node.ct > 0;
    const isGone = node.ct === 0 && before.ct > 0;
    const line = (/** @type {string} */ term, /** @type {number} */ was, /** @type {number} */ is) => {
        const times = was > 0 ? Math.round(is / was) : 0;
        const factor = times > MOST ? `> ×${exact(MOST, 'count')}` : `×${exact(times, 'count')}`;

        return { term, value: changed(was, is, unit), share: times < MANY ? growth(was, is) : factor };
    };
    const level = (/** @type {'incl' | 'excl'} */ figure) => {
        const [was, is] = [before[figure], node[figure]];
        if (node.machine?.includes(figure)) {
            return 'machine';
        }
        const size = Math.abs(is - was) / Math.max(1, byPercent ? Math.max(Math.abs(was), Math.abs(total) / 1000) : Math.abs(total));
        const steps = CHANGE_STEPS.filter((step) => size >= step * (byPercent ? 3 : 1)).length;

        return is === was || steps === 0 ? 'same' : `${is > was ? 'up' : 'down'}-${steps}`;
    };
    const words = (/** @type {string} */ term, /** @type {'incl' | 'excl'} */ figure) => {
        const [was, is] = [before[figure], node[figure]];
        const why = node.machine?.includes(figure) ? ` (grey: ${machine})` : '';

        return `${term} ${exactly(was, is, unit)}, ${signed(is - was, unit)} ${growth(was, is)}`.trim() + why;
    };

    return {
        lines: [line('self', before.excl, node.excl), line('total', before.incl, node.incl)],
        classes: `own-${level('excl')} all-${level('incl')}${isNew ? ' new' : ''}${isGone ? ' gone' : ''}`,
        words: [
            ...(isNew ? ['new'] : (isGone ? ['gone'] : [])),
            words('total', 'incl'),
            words('self', 'excl'),
        ],
        badge: isNew ? 'new' : (isGone ? 'gone' : ''),
    };
}

/** Ratio from which a change is written as a factor: a percentage would have no room in a box. */
const MANY = 100;
const MOST = 99999;

/**
 * Shortens a name where least is lost: before the file and line of a closure, before the last words of a plain function, at the end of the class, else in
 * the middle.
 *
 * @param {string} text
 * @param {number} width
 * @param {string} font
 * @param {(text: string, font: string) => number} measure
 * @returns {string}
 */
export function cut(text, width, font, measure) {
    if (text.length < 12 || measure(text, font) <= width) {
        return text;
    }
    const end = endOf(text);
    const line = end === 0 ? 0 : text.length - LINE - Number(/[\uDC00-\uDFFF]/.test(text[text.length - LINE] ?? ''));
    const ends = [end, line, text.lastIndexOf('::')].filter((one) => one > 0);
    const at = ends.find((one) => measure(`…${text.slice(one)}`, font) <= width - 16) ?? boundary(text, text.length - TAIL);
    const tail = text.slice(at);
    const head = [...text.slice(0, at)];
    const shortened = (/** @type {number} */ length) => `${head.slice(0, length).join('')}…${tail}`;

    return shortened(firstNot(1, head.length + 1, (length) => measure(shortened(length), font) <= width) - 1);
}
