/** Slow work on the trees of a comparison, done by diff-worker.js. Does not depend on being in a worker. */
import { loadJson } from '../core/api.js';
import { layoutOf } from '../flame/layout.js';
import { Union, changeOf, scaleOf } from '../profile/diff.js';
import { complete, loadTree } from './loading.js';

/**
 * @typedef {import('./tree-jobs.js').Opened} Opened
 * @typedef {import('./tree-jobs.js').Order} Order
 * @typedef {import('./loading.js').Progress} Progress
 * @typedef {import('../profile/run-file.js').Numbers} Numbers
 * @typedef {import('../flame/layout.js').FrameLayout & {a: Float64Array, b: Float64Array, ownA: Numbers, ownB: Numbers, ctA: Numbers, ctB: Numbers,
 *     only: Uint8Array, scale: number, machine: Uint8Array, totals: {a: number, b: number}}} DiffLayout
 *
 * machine: 1 for a path whose change is the machine's: so is its function's, and it was taken as often as before.
 */

export class DiffJobs {
    /** The trees, with their addresses. @type {[tree: import('../profile/tree.js').Tree, url: string][]} */
    #sides = [];
    /** @type {Union | null} */
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
        const tree = new Union(before, after, new Map(Object.entries(known.after)));
        this.#union = tree;
        this.#machine = new Map(Object.entries(known.machine?.functions ?? {}).map(([column, functions]) => {
            const found = new Set(functions);

            return [column, new Set(tree.names.flatMap((name, fn) => (found.has(name) ? [fn] : [])))];
        }));
        if (tree.common.length === 0) {
            throw new Error('The two sides have no metric in common.');
        }

        return {
            names: tree.names, metrics: tree.common, n: tree.n, runs: Math.max(before.runs, after.runs),
            pruned: { nodes: before.pruned.nodes + after.pruned.nodes, of: before.pruned.of + after.pruned.of, name: before.pruned.name },
            machine: known.machine?.words ?? '',
        };
    }

    /**
     * @param {{metric: string, order: Order, side: 'a' | 'b' | 'max', by: 'own' | 'incl'}} how
     * @param {Progress} progress
     * @returns {Promise<DiffLayout>}
     */
    async layout({ metric, order, side, by }, progress) {
        const tree = this.#union;
        if (tree === null) {
            throw new Error('Nothing has been loaded.');
        }
        for (const [of, url] of this.#sides) {
            await complete(of, url, metric, progress);
        }
        tree.figures([...new Set([metric, 'ct'])]);
        const [ownA, ownB] = [tree.exclusive(`a.${metric}`), tree.exclusive(`b.${metric}`)];
        const [a, b] = [tree.inclusive(`a.${metric}`), tree.inclusive(`b.${metric}`)];
        const [ctA, ctB] = [tree.exclusive('a.ct'), tree.exclusive('b.ct')];
        const change = changeOf({ a, b, ownA, ownB }, by);
        const functions = this.#machine.get(by === 'own' ? `excl_${metric}` : metric);
        const machine = new Uint8Array(tree.n);
        for (let node = 0; node < tree.n; node++) {
            machine[node] = functions?.has(tree.fn[node]) && change(node) !== 0 && ctA[node] === ctB[node] ? 1 : 0;
        }

        return {
            ...layoutOf(tree, `${side}.${metric}`, order), a, b, ownA, ownB, only: tree.only, machine, ctA, ctB,
            // The machine's changes would make the others pale.
            scale: scaleOf((node) => (machine[node] === 1 ? 0 : change(node)), [a, b]),
            totals: { a: a[0], b: b[0] },
        };
    }

    /** @returns {ArrayBufferView[]} not the figures, which each picture makes */
    kept() {
        this.#union?.figures([]);

        return this.#union === null ? [] : [...this.#union.kept(), this.#union.only];
    }
}
