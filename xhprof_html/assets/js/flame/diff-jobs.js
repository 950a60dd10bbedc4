/** Slow work on the trees of a comparison. Runs in a worker (diff-worker.js), but does not depend on it. */
import { loadJson } from '../core/api.js';
import { scaleOf, union } from '../profile/diff.js';
import { mergePaths } from '../profile/merge.js';
import { pictureOf } from './layout.js';
import { complete, loadTree } from './loading.js';

/**
 * @typedef {import('./jobs.js').Opened} Opened
 * @typedef {import('./jobs.js').Order} Order
 * @typedef {import('./loading.js').Progress} Progress
 * @typedef {import('./layout.js').Picture & {a: Float64Array, b: Float64Array, ownA: Float64Array, ownB: Float64Array,
 *     ctA: Float64Array, ctB: Float64Array, only: Uint8Array, change: Float64Array, scale: number, machine: Uint8Array,
 *     totals: {a: number, b: number}}} DiffPicture
 *
 * machine: 1 for a path whose change is the machine's: so is its function's, and it was taken as often as before.
 */

export class DiffJobs {
    /** The trees, with their addresses. @type {[tree: import('../profile/tree.js').Tree, url: string][]} */
    #sides = [];
    /** Names of functions before => after, where they differ. @type {Map<string, string>} */
    #renamed = new Map();
    /** @type {ReturnType<typeof union> | null} */
    #union = null;
    /** @type {Map<string, Set<number>>} per column the functions whose change is the machine's */
    #machine = new Map();

    /**
     * @param {{a: string, b: string, names?: string}} urls names: get=names of the two, '' without names
     * @param {Progress} progress
     * @returns {Promise<Opened & {machine: string}>} machine: words for its changes, '' where they are not known
     */
    async open({ a, b, names = '' }, progress) {
        const before = await loadTree(a, progress, 'the call tree before');
        const after = await loadTree(b, progress, 'the call tree after');
        progress('Comparing the two…');
        /** @type {{ after: Record<string, string>, machine?: { words: string, functions: Record<string, string[]> } }} */
        const known = names === '' ? { after: {} } : await loadJson(names);
        this.#sides = [[before, a], [after, b]];
        this.#renamed = new Map(Object.entries(known.after));
        const { tree, metrics } = this.#laid();
        this.#machine = new Map(Object.entries(known.machine?.functions ?? {}).map(([column, functions]) => {
            const found = new Set(functions);

            return [column, new Set(tree.names.flatMap((name, fn) => (found.has(name) ? [fn] : [])))];
        }));
        if (metrics.length === 0) {
            throw new Error('The two sides have no metric in common.');
        }

        return {
            names: tree.names, metrics, n: tree.n, runs: Math.max(before.runs, after.runs),
            pruned: { nodes: before.pruned.nodes + after.pruned.nodes, of: before.pruned.of + after.pruned.of, name: before.pruned.name },
            machine: known.machine?.words ?? '',
        };
    }

    /**
     * @param {{metric: string, order: Order, side: 'a' | 'b' | 'max', by: 'own' | 'incl'}} how
     * @param {Progress} progress
     * @returns {Promise<DiffPicture>}
     */
    async picture({ metric, order, side, by }, progress) {
        for (const [of, url] of this.#sides) {
            if (await complete(of, url, metric, progress)) {
                this.#union = null;
            }
        }
        const { tree, only } = this.#laid();
        const [ownA, ownB] = [tree.exclusive(`a.${metric}`), tree.exclusive(`b.${metric}`)];
        const [a, b] = [tree.inclusive(`a.${metric}`), tree.inclusive(`b.${metric}`)];
        const change = by === 'own' ? ownB.map((value, node) => value - ownA[node]) : b.map((value, node) => value - a[node]);
        const picture = pictureOf(tree, `${side}.${metric}`, order);
        const [ctA, ctB] = [tree.exclusive('a.ct'), tree.exclusive('b.ct')];
        const functions = this.#machine.get(by === 'own' ? `excl_${metric}` : metric);
        const machine = Uint8Array.from(change, (size, node) => (
            functions !== undefined && size !== 0 && ctA[node] === ctB[node] && functions.has(tree.fn[node]) ? 1 : 0
        ));

        return {
            ...picture, a, b, ownA, ownB, only, change, machine, ctA, ctB,
            // What the machine made would make the others pale.
            scale: scaleOf(change.map((size, node) => (machine[node] === 1 ? 0 : size)), [a, b]),
            totals: { a: a[0], b: b[0] },
        };
    }

    #laid() {
        if (this.#sides.length === 0) {
            throw new Error('Nothing has been loaded.');
        }
        if (this.#union === null) {
            const [before, after] = this.#sides.map(([tree]) => mergePaths(tree));
            this.#union = union(before, after, this.#renamed);
        }

        return this.#union;
    }
}
