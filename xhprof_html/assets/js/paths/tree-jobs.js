/** Slow work on a large tree: loading, merging, laying out, done by tree-worker.js. Does not depend on being in a worker. */
import { layoutOf } from '../flame/layout.js';
import { grafted, partFor } from '../profile/graft.js';
import { calleesOf, callersOf, functionsOf, mergePaths, outermost } from '../profile/merge.js';
import { symbolOf } from '../profile/symbol.js';
import { NO_CHANGES, changesNothing, transform } from '../profile/transform.js';
import { complete, loadDocuments, loadTree } from './loading.js';

/**
 * @typedef {import('../flame/layout.js').FrameLayout} FrameLayout
 * @typedef {import('../profile/tree.js').Metric} Metric
 * @typedef {import('../profile/tree.js').Tree} Tree
 * @typedef {import('./loading.js').Progress} Progress
 * @typedef {'time' | 'heavy'} Order
 *
 * @typedef {{names: string[], metrics: Metric[], n: number, runs: number, pruned: Tree['pruned']}} Opened
 * @typedef {Pick<Opened, 'n' | 'pruned'>} More what has changed since
 * @typedef {ReturnType<typeof functionsOf>} Rows
 */

export class TreeJobs {
    /** @type {Tree | null} */
    #tree = null;
    /** @type {Tree | null} */
    #heavy = null;
    /** Address of the tree. */
    #url = '';

    /**
     * @param {{url: string}} source
     * @param {Progress} progress
     * @returns {Promise<Opened>}
     */
    async open({ url }, progress) {
        const tree = await loadTree(url, progress, 'the call tree');
        this.#tree = tree;
        this.#heavy = null;
        this.#url = url;

        return { names: tree.names, metrics: tree.metrics(), n: tree.n, runs: tree.runs, pruned: tree.pruned };
    }

    /**
     * Loads what was left out below a node, where that is wide enough to be seen.
     *
     * @param {{node: number, n: number, metric: string, order: Order}} what the node of a picture of n nodes without changes
     * @param {Progress} progress
     * @returns {Promise<{run: More, change: import('../profile/graft.js').Change} | null>} null: there is nothing to load
     */
    async more({ node, n, metric, order }, progress) {
        const tree = this.#opened();
        const isOther = n !== tree.n || (order === 'heavy' && this.#merged() !== tree);
        const part = isOther ? '' : partFor(tree, node, tree.widths(metric));
        if (part === '') {
            return null;
        }
        progress('Loading more call paths…');
        const url = `${this.#url}&root=${encodeURIComponent(part)}&version=${encodeURIComponent(tree.version)}`;
        const run = await loadDocuments(url, 'tree', progress, 'more call paths');
        if (this.#tree !== tree) {
            return null;
        }
        const { tree: larger, change } = grafted(tree, node, part, run.document('tree'));
        this.#tree = larger;
        this.#heavy = null;

        return { run: { n: larger.n, pruned: larger.pruned }, change };
    }

    /**
     * @param {{metric: string, order: Order, changes?: import('../profile/transform.js').Changes}} how
     * @param {Progress} progress
     * @returns {Promise<FrameLayout>}
     */
    async layout({ metric, order, changes = NO_CHANGES }, progress) {
        const tree = await this.#with(metric, progress);
        progress('Laying out the frames…');
        const shown = changesNothing(changes)
            ? (order === 'heavy' ? this.#merged() : tree)
            : transform(tree, changes, [...new Set([metric, 'ct'])]);

        return layoutOf(shown, metric, order);
    }

    /**
     * @param {{metric: string}} what
     * @param {Progress} progress
     * @returns {Promise<import('../profile/tree.js').TreeColumns>}
     */
    async columns({ metric }, progress) {
        const tree = await this.#with(metric, progress);
        const { fn, depth, parent, end, levels } = tree;
        const inclusive = tree.inclusive(metric);

        return {
            fn, depth, parent, end, levels, ct: tree.exclusive('ct'), self: tree.exclusive(metric), inclusive, total: inclusive[0],
            origin: tree.rest?.origin ?? null,
        };
    }

    /**
     * @param {{metric: string}} what
     * @param {Progress} progress
     * @returns {Promise<Rows>}
     */
    async functions({ metric }, progress) {
        return functionsOf(await this.#with(metric, progress), metric);
    }

    /**
     * @param {{name: string}} what
     * @returns {ReturnType<typeof symbolOf>}
     */
    symbol({ name }) {
        return symbolOf(this.#opened(), name);
    }

    /**
     * @param {{fn: number, metric: string, order: Order}} what
     * @param {Progress} progress
     * @returns {Promise<{callers: FrameLayout | null, callees: FrameLayout | null, calls: number, inner: number}>} calls: paths on which it is
     *     outermost; inner: nodes of it below those
     */
    async sandwich({ fn, metric, order }, progress) {
        const tree = await this.#with(metric, progress);
        const metrics = [...new Set([metric, 'ct'])];
        const { nodes, inner } = outermost(tree, fn);
        const callers = callersOf(tree, fn, metrics);
        const callees = calleesOf(tree, fn, metrics);

        return {
            callers: callers === null ? null : layoutOf(callers, metric, order),
            callees: callees === null ? null : layoutOf(callees, metric, order),
            calls: nodes.length,
            inner,
        };
    }

    /**
     * @param {string} metric
     * @param {Progress} progress
     * @returns {Promise<Tree>} with its figures
     */
    async #with(metric, progress) {
        const tree = this.#opened();
        if (await complete(tree, this.#url, metric, progress)) {
            this.#heavy = null;
        }

        return tree;
    }

    /** @returns {ArrayBufferView[]} */
    kept() {
        return [this.#tree, this.#heavy].flatMap((tree) => tree?.kept() ?? []);
    }

    #opened() {
        if (this.#tree === null) {
            throw new Error('Nothing has been loaded.');
        }

        return this.#tree;
    }

    #merged() {
        // A run's tree has each path once already; then this is the tree itself.
        this.#heavy ??= mergePaths(this.#opened());

        return this.#heavy;
    }
}
