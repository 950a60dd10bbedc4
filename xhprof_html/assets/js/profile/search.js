/** Matches of a search text in a tree, and their share of the whole. Pure. */
import { score } from '../core/names.js';

/** A text between slashes is a regular expression, of any case with an "i" behind it. */
const PATTERN = /^\/(.+)\/(i?)$/s;

/**
 * @param {string} text
 * @returns {{pattern: RegExp | null, problem: string} | null} null for a text of words; the problem of what is no pattern
 */
export function patternIn(text) {
    const [, source = '', flags = ''] = PATTERN.exec(text.trim()) ?? [];
    if (source === '') {
        return null;
    }
    try {
        return { pattern: new RegExp(source, flags), problem: '' };
    } catch (error) {
        const why = error instanceof Error ? error.message.replace(/^.*: /s, '') : '';

        return { pattern: null, problem: `This is no regular expression: ${why}` };
    }
}

/**
 * A pattern must match the name; otherwise every word of the text must, by the rule of the field that finds functions. Some patterns
 * take forever: pages ask Matching.
 *
 * @param {string[]} names
 * @param {string} text
 * @returns {Uint8Array} per name 1 where it matches; nothing matches an empty text, or what is no pattern
 */
export function matchNames(names, text) {
    const found = patternIn(text);
    if (found !== null) {
        const { pattern } = found;

        return Uint8Array.from(names, (name) => (pattern?.test(name) ? 1 : 0));
    }
    const words = text.split(/\s+/).filter((word) => word !== '');

    return Uint8Array.from(names, (name) => (words.length > 0 && words.every((word) => score(name, word) > 0) ? 1 : 0));
}

/**
 * @param {{fn: ArrayLike<number>, end: Int32Array}} tree
 * @param {Uint8Array} matches per name
 * @param {Float64Array} values inclusive, per node
 * @param {number} [root] only below this node, itself included
 * @returns {{nodes: number, sum: number}} frames that match, and their cost: each path's figure counts once
 */
export function matchedShare({ fn, end }, matches, values, root = 0) {
    let nodes = 0;
    let sum = 0;
    const last = end[root] ?? 0;
    for (let node = root, until = root; node < last; node++) {
        if (matches[fn[node] ?? 0] === 1) {
            nodes++;
            if (node >= until) {
                sum += values[node] ?? 0;
                until = end[node] ?? last;
            }
        }
    }

    return { nodes, sum };
}
