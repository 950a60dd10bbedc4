/** A tree made simpler: one function's calls only, functions taken out, recursion merged. Pure. */
import { fromMerger, mergedBelow, outermost } from './merge.js';

/**
 * @typedef {object} Changes
 * @property {string} only the function whose calls are kept, merged, with what is below them; '' for all
 * @property {string[]} hide functions taken out: what they cost themselves is their callers', their callees are called by those
 * @property {boolean} fold whether a call of a function that is running already is added to the running one
 */

/** @type {Changes} */
export const NO_CHANGES = { only: '', hide: [], fold: false };

/**
 * @param {Changes} changes
 * @returns {boolean}
 */
export function changesNothing({ only, hide, fold }) {
    return only === '' && hide.length === 0 && !fold;
}

/**
 * All figures add up to what they did before. The first frame is never taken out.
 *
 * @param {import('./tree.js').Tree} tree
 * @param {Changes} changes functions that the tree does not have change nothing
 * @param {string[]} metrics columns that the new tree is to have
 * @returns {import('./tree.js').Tree} the tree itself where nothing changes
 */
export function transform(tree, { only, hide, fold }, metrics) {
    const { names, fn } = tree;
    const single = only === '' ? -1 : fn.find((one) => names[one] === only) ?? -1;
    const wanted = new Set(hide.filter((name) => name !== only));
    const hidden = Uint8Array.from(names, (name) => (wanted.has(name) ? 1 : 0));
    if (single < 0 && !fold && !hidden.includes(1)) {
        return tree;
    }
    const roots = single < 0 ? [0] : outermost(tree, single).nodes;

    return fromMerger(names, mergedBelow(tree, roots, metrics, hidden, fold), metrics, tree.known);
}
