/** Slow work on the trees of a comparison. Runs in a worker (diff-worker.js), but does not depend on it. */
import { loadJson } from '../core/api.js';
import { scaleOf, union } from '../profile/diff.js';
import { mergePaths } from '../profile/merge.js';
import { pictureOf } from './layout.js';
import { load } from './loading.js';

/**
 * @typedef {import('./jobs.js').Opened} Opened
 * @typedef {import('./jobs.js').Order} Order
 * @typedef {import('./loading.js').Progress} Progress
 * @typedef {import('./layout.js').Picture & {a: Float64Array, b: Float64Array, ownA: Float64Array, ownB: Float64Array,
 *     ctA: Float64Array, ctB: Float64Array, only: Uint8Array, change: Float64Array, scale: number,
 *     totals: {a: number, b: number}}} DiffPicture
 */

export class DiffJobs {
    /** @type {ReturnType<typeof union> | null} */
    #union = null;

    /**
     * @param {{a: string, b: string, names?: string}} urls names: '' where no names differ
     * @param {Progress} progress
     * @returns {Promise<Opened>}
     */
    async open({ a, b, names = '' }, progress) {
        const before = mergePaths(await load(a, undefined, progress, 'the call tree before'));
        const after = mergePaths(await load(b, undefined, progress, 'the call tree after'));
        progress('Comparing the two…');
        /** @type {Record<string, string>} */
        const renamed = names === '' ? {} : (await loadJson(names)).after;
        this.#union = union(before, after, new Map(Object.entries(renamed)));
        const { tree, metrics } = this.#union;
        if (metrics.length === 0) {
            throw new Error('The two sides have no metric in common.');
        }

        return {
            names: tree.names, metrics, n: tree.n, runs: Math.max(before.runs, after.runs),
            pruned: { nodes: before.pruned.nodes + after.pruned.nodes, of: before.pruned.of + after.pruned.of, name: before.pruned.name },
        };
    }

    /**
     * @param {{metric: string, order: Order, side: 'a' | 'b' | 'max', by: 'own' | 'incl'}} how
     * @returns {DiffPicture}
     */
    picture({ metric, order, side, by }) {
        if (this.#union === null) {
            throw new Error('Nothing has been loaded.');
        }
        const { tree, only } = this.#union;
        const [ownA, ownB] = [tree.exclusive(`a.${metric}`), tree.exclusive(`b.${metric}`)];
        const [a, b] = [tree.inclusive(`a.${metric}`), tree.inclusive(`b.${metric}`)];
        const change = by === 'own' ? ownB.map((value, node) => value - ownA[node]) : b.map((value, node) => value - a[node]);
        const picture = pictureOf(tree, `${side}.${metric}`, order);

        return {
            ...picture, a, b, ownA, ownB, only, change,
            ctA: tree.exclusive('a.ct'),
            ctB: tree.exclusive('b.ct'),
            scale: scaleOf(change, [a, b]),
            totals: { a: a[0], b: b[0] },
        };
    }
}
