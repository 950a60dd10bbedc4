/** Slow work on the trees of a comparison, done by diff-worker.js. Does not depend on being in a worker. */
import { loadJson } from '../core/api.js';
import { layoutOf } from '../flame/layout.js';
import { Union, changeOf, finished, scaleOf } from '../profile/diff.js';
import { calleesOf, callersOf, outermost } from '../profile/merge.js';
import { complete, loadTree } from './loading.js';

/**
 * @typedef {import('./tree-jobs.js').Opened} Opened
 * @typedef {import('./tree-jobs.js').Order} Order
 * @typedef {import('./loading.js').Progress} Progress
 * @typedef {import('../profile/diff.js').SideFigures} SideFigures
 * @typedef {import('../profile/diff.js').DiffColumns} DiffColumns
 * @typedef {'own' | 'incl'} By whether a change is that of a function itself
 * @typedef {import('../flame/layout.js').FrameLayout & SideFigures & {scale: number}} DiffLayout
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
    /** The same for changes that may be chance. @type {Map<string, Set<number>>} */
    #chance = new Map();

    /**
     * @param {{a: string, b: string, names?: string}} urls names: get=names of the two, '' without names
     * @param {Progress} progress
     * @returns {Promise<Opened & {machine: string}>} machine: words for its changes, '' where they are not known
     */
    async open({ a, b, names = '' }, progress) {
        const before = await loadTree(a, progress, 'the call tree before');
        const after = await loadTree(b, progress, 'the call tree after');
        progress('Comparing the two…');
        /** @type {{ after: Record<string, string>, machine?: { words: string, functions: Record<string, string[]> }, chance?: Record<string, string[]> }} */
        const known = names === '' ? { after: {} } : await loadJson(names);
        this.#sides = [[before, a], [after, b]];
        const tree = new Union(before, after, new Map(Object.entries(known.after)));
        this.#union = tree;
        const numbered = (/** @type {Record<string, string[]>} */ columns) => new Map(Object.entries(columns).map(([column, functions]) => {
            const found = new Set(functions);

            return [column, new Set(tree.names.flatMap((name, fn) => (found.has(name) ? [fn] : [])))];
        }));
        this.#machine = numbered(known.machine?.functions ?? {});
        this.#chance = numbered(known.chance ?? {});
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
     * @param {{metric: string, order: Order, side: 'a' | 'b' | 'max', by: By}} how
     * @param {Progress} progress
     * @returns {Promise<DiffLayout>}
     */
    async layout({ metric, order, side, by }, progress) {
        const tree = await this.#with(metric, progress);

        return this.#laidOut(tree, tree.only, { metric, order, side, by });
    }

    /**
     * The figures of both sides per call path, for the table whose rows open.
     *
     * @param {{metric: string, by: By}} what
     * @param {Progress} progress
     * @returns {Promise<DiffColumns>}
     */
    async columns({ metric, by }, progress) {
        const tree = await this.#with(metric, progress);
        const figures = this.#figures(tree, tree.only, metric, by);
        const { fn, depth, parent, end, levels } = tree;

        return {
            ...figures, fn, depth, parent, end, levels, ct: figures.ctB, self: figures.ownB, inclusive: figures.b,
            total: Math.max(figures.totals.a, figures.totals.b),
        };
    }

    /**
     * @param {{metric: string, by: By}} what
     * @param {Progress} progress
     * @returns {Promise<ReturnType<Union['functions']> & {machine: Uint8Array, chance: Uint8Array, totals: {a: number, b: number}}>}
     */
    async functions({ metric, by }, progress) {
        const tree = await this.#with(metric, progress);
        const rows = tree.functions(metric, by);
        const machine = this.#machine.get(columnOf(metric, by));

        return {
            ...rows,
            machine: Uint8Array.from(rows.fn, (fn) => (machine?.has(fn) ? 1 : 0)),
            chance: Uint8Array.from(rows.fn, (fn) => (this.#chance.get(columnOf(metric, by))?.has(fn) ? 1 : 0)),
            totals: { a: tree.inclusive(`a.${metric}`)[0], b: tree.inclusive(`b.${metric}`)[0] },
        };
    }

    /**
     * A function between its callers and callees, of both sides. Callers have no own figures: their change is that of the function on
     * the paths through them.
     *
     * @param {{fn: number, metric: string, order: Order, by: By}} what by: of the callees
     * @param {Progress} progress
     * @returns {Promise<{callers: DiffLayout | null, callees: DiffLayout | null, calls: number, inner: number}>}
     */
    async sandwich({ fn, metric, order, by }, progress) {
        const tree = await this.#with(metric, progress);
        const columns = tree.columnsFor(metric);
        const { nodes, inner } = outermost(tree, fn);
        const drawn = (/** @type {import('../profile/tree.js').Tree | null} */ merged, /** @type {By} */ of, /** @type {number} */ caused) => (merged === null
            ? null : this.#laidOut(merged, finished(merged, metric), { metric, order, side: 'max', by: of }, caused));

        return {
            callers: drawn(callersOf(tree, fn, columns), 'incl', fn), callees: drawn(calleesOf(tree, fn, columns), by, -1), calls: nodes.length, inner,
        };
    }

    /**
     * @param {string} metric
     * @param {Progress} progress
     * @returns {Promise<Union>} with its figures
     */
    async #with(metric, progress) {
        const tree = this.#union;
        if (tree === null) {
            throw new Error('Nothing has been loaded.');
        }
        for (const [of, url] of this.#sides) {
            await complete(of, url, metric, progress);
        }
        tree.figures([...new Set([metric, 'ct'])]);
        tree.mark();

        return tree;
    }

    /**
     * @param {import('../profile/tree.js').Tree} tree the union, or one merged of it
     * @param {Uint8Array} only
     * @param {string} metric
     * @param {By} by
     * @param {number} [caused] the function whose change all nodes show; -1: each its own
     * @returns {SideFigures}
     */
    #figures(tree, only, metric, by, caused = -1) {
        const [ownA, ownB] = [tree.exclusive(`a.${metric}`), tree.exclusive(`b.${metric}`)];
        const [a, b] = [tree.inclusive(`a.${metric}`), tree.inclusive(`b.${metric}`)];
        // The calls of a function between its callers are at the outer ends of its paths.
        const counted = (/** @type {string} */ side) => (caused < 0 ? tree.exclusive(`${side}.ct`) : tree.inclusive(`${side}.ct`));
        const [ctA, ctB] = [counted('a'), counted('b')];
        const change = changeOf({ a, b, ownA, ownB }, by);
        const functions = this.#machine.get(columnOf(metric, by));
        const maybe = this.#chance.get(columnOf(metric, by));
        const machine = new Uint8Array(tree.n);
        const chance = new Uint8Array(tree.n);
        for (let node = 0; node < tree.n; node++) {
            machine[node] = functions?.has(caused < 0 ? tree.fn[node] : caused) && change(node) !== 0 && ctA[node] === ctB[node] ? 1 : 0;
            chance[node] = maybe?.has(tree.fn[node]) && only[node] === 0 ? 1 : 0;
        }

        return { a, b, ownA, ownB, ctA, ctB, only, machine, chance, totals: { a: a[0], b: b[0] } };
    }

    /**
     * @param {import('../profile/tree.js').Tree} tree
     * @param {Uint8Array} only
     * @param {{metric: string, order: Order, side: 'a' | 'b' | 'max', by: By}} how
     * @param {number} [caused] see #figures()
     * @returns {DiffLayout}
     */
    #laidOut(tree, only, { metric, order, side, by }, caused = -1) {
        const figures = this.#figures(tree, only, metric, by, caused);
        const { a, b, machine } = figures;
        const change = changeOf(figures, by);

        return {
            ...layoutOf(tree, `${side}.${metric}`, order), ...figures,
            // The machine's changes would make the others pale.
            scale: scaleOf((node) => (machine[node] === 1 ? 0 : change(node)), [a, b]),
        };
    }

    /** @returns {ArrayBufferView[]} not the figures, which each picture makes */
    kept() {
        this.#union?.figures([]);

        return this.#union === null ? [] : [...this.#union.kept(), this.#union.only];
    }
}

/**
 * @param {string} metric
 * @param {By} by
 * @returns {string} the column of get=diff
 */
function columnOf(metric, by) {
    return by === 'own' ? `excl_${metric}` : metric;
}
