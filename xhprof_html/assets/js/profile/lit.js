/** The calls that a finding is about, in a call tree or in the frames of a picture. Pure. */
import { markedNodes } from './tree.js';

/**
 * As XHProf\Web\Run\RunFindings has them: calls of functions, also by the beginnings of their names, where `below` is '' or a function
 * that made them; and call paths, by their marks.
 *
 * @typedef {{id: string, functions: string[], below: string, prefixes: string[], paths: string[]}} Lit
 * @typedef {(tree: Parameters<typeof markedNodes>[1]) => Uint8Array} LitIn per node 1 for the calls of a finding
 */

/**
 * @param {string[]} names of functions
 * @param {Parameters<typeof markedNodes>[1]} tree nodes in preorder
 * @param {Lit} lit
 * @returns {Uint8Array} per node 1 where it is one of these calls
 */
export function litNodes(names, tree, { functions, below, prefixes, paths }) {
    const { fn, depth } = tree;
    const found = markedNodes(names, tree, paths);
    const known = new Set(functions);
    const isIn = Uint8Array.from(names, (name) => (known.has(name) || prefixes.some((prefix) => name.startsWith(prefix)) ? 1 : 0));
    const maker = names.indexOf(below);
    // The level of the outermost open call of the maker.
    let level = below === '' ? -1 : Infinity;
    for (let node = 0; node < fn.length; node++) {
        if (depth[node] <= level) {
            level = fn[node] === maker ? depth[node] : Infinity;
        }
        if (isIn[fn[node]] === 1 && depth[node] > level) {
            found[node] = 1;
        }
    }

    return found;
}

/**
 * @param {{end: Int32Array, width: Float64Array, ct: import('./run-file.js').Numbers}} frames
 * @param {Uint8Array} lit per frame
 * @returns {{frames: number, calls: number, sum: number, outer: number[]}} frames: how many are lit, with their calls; sum: the figure of
 *     those that lie in no other one, which are outer
 */
export function litSum({ end, width, ct }, lit) {
    const outer = [];
    let [frames, calls, sum, until] = [0, 0, 0, 0];
    for (let frame = 0; frame < lit.length; frame++) {
        if (lit[frame] === 1) {
            frames++;
            calls += ct[frame];
            if (frame >= until) {
                sum += width[frame];
                until = end[frame];
                outer.push(frame);
            }
        }
    }

    return { frames, calls, sum, outer };
}
