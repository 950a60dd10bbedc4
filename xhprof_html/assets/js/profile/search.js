/** Matches of a search text in a tree, and their share of the whole. Pure. */
import { score } from '../core/names.js';

/**
 * Every word of the text must match the name, by the rule of the field that finds functions.
 *
 * @param {string[]} names
 * @param {string} text
 * @returns {Uint8Array} per name 1 where it matches; nothing matches an empty text
 */
export function matchNames(names, text) {
    const words = text.split(/\s+/).filter((word) => word !== '');
    const matches = new Uint8Array(names.length);
    for (let index = 0; words.length > 0 && index < names.length; index++) {
        matches[index] = words.every((word) => score(names[index], word) > 0) ? 1 : 0;
    }

    return matches;
}

/**
 * @param {{fn: Int32Array, end: Int32Array}} tree
 * @param {Uint8Array} matches per name
 * @param {Float64Array} values inclusive, per node
 * @param {number} [root] only below this node, itself included
 * @returns {{nodes: number, sum: number}} frames that match, and their cost: each path's figure counts once
 */
export function matchedShare(tree, matches, values, root = 0) {
    let nodes = 0;
    let sum = 0;
    for (let node = root, until = root; node < tree.end[root]; node++) {
        if (matches[tree.fn[node]] === 1) {
            nodes++;
            if (node >= until) {
                sum += values[node];
                until = tree.end[node];
            }
        }
    }

    return { nodes, sum };
}
