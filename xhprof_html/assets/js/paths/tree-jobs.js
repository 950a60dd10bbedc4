/** Slow work on a large tree: loading, merging, laying out, done by tree-worker.js. Does not depend on being in a worker. */
import { layoutOf } from '../flame/layout.js';
import { calleesOf, callersOf, functionsOf, mergePaths, outermost } from '../profile/merge.js';
import { symbolOf } from '../profile/symbol.js';
import { NodeParts, partMetrics, partsBelow } from '../profile/time-parts.js';
import { NO_CHANGES, changesNothing, transform } from '../profile/transform.js';
import { complete, loadDocuments, loadTree } from './loading.js';

/**
 * @typedef {import('../flame/layout.js').FrameLayout} FrameLayout
 * @typedef {import('../profile/tree.js').Metric} Metric
 * @typedef {import('../profile/tree.js').Tree} Tree
 * @typedef {import('./loading.js').Progress} Progress
 * @typedef {'time' | 'heavy'} Order
 * @typedef {import('../profile/time-parts.js').Kinds} Kinds
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
    /** How time is split. @type {Kinds | null} */
    #kinds = null;

    /**
     * @param {{url: string, kinds?: Kinds | null}} source
     * @param {Progress} progress
     * @returns {Promise<Opened>}
     */
    async open({ url, kinds = null }, progress) {
        const tree = await loadTree(url, progress, 'the call tree');
        this.#kinds = partMetrics(kinds, tree).length > 0 ? kinds : null;
        this.#tree = tree;
        this.#heavy = null;
        this.#url = url;

        const metrics = tree.metrics();
        metrics.splice(metrics.findIndex(({ unit }) => unit !== 'ns') >>> 0, 0, ...partMetrics(this.#kinds, tree));

        return { names: tree.names, metrics, n: tree.n, runs: tree.runs, pruned: tree.pruned };
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
        if (isOther || tree.rest === null) {
            return null;
        }
        // Only trees that have been cut need it.
        const { grafted, partFor } = await import('../profile/graft.js');
        const part = partFor(tree, node, tree.widths(metric));
        if (part === '') {
            return null;
        }
        progress('Loading more call paths…');
        // What is computed is computed again.
        partMetrics(this.#kinds, tree).forEach(({ k }) => tree.self.delete(k));
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
     * @param {{metric: string, order: Order, changes?: import('../profile/transform.js').Changes, where?: boolean}} how where: whether the
     *     frames know where their time was
     * @param {Progress} progress
     * @returns {Promise<FrameLayout>}
     */
    async layout({ metric, order, changes = NO_CHANGES, where = false }, progress) {
        const tree = await this.#with(metric, progress);
        progress('Laying out the frames…');
        const shown = changesNothing(changes)
            ? (order === 'heavy' ? this.#merged() : tree)
            : transform(tree, changes, this.#needed(metric, where));

        return this.#laidOut(shown, metric, order, where);
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
     * @param {{name: string}} what
     * @returns {import('../core/inspector.js').TimeParts | null} where the time of a function was; null where that is not known
     */
    parts({ name }) {
        const fn = this.#opened().names.indexOf(name);

        return this.#kinds === null || fn < 0 ? null : partsBelow(this.#opened(), this.#kinds, fn);
    }

    /**
     * @param {{fn: number, metric: string, order: Order, where?: boolean}} what where: as of layout(), for the callees
     * @param {Progress} progress
     * @returns {Promise<{callers: FrameLayout | null, callees: FrameLayout | null, calls: number, inner: number}>} calls: paths on which it is
     *     outermost; inner: nodes of it below those
     */
    async sandwich({ fn, metric, order, where = false }, progress) {
        const tree = await this.#with(metric, progress);
        const metrics = this.#needed(metric, where);
        const { nodes, inner } = outermost(tree, fn);
        const callers = callersOf(tree, fn, metrics);
        const callees = calleesOf(tree, fn, metrics);

        return {
            callers: callers === null ? null : layoutOf(callers, metric, order),
            callees: callees === null ? null : this.#laidOut(callees, metric, order, where),
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
        if (this.#kinds !== null && !tree.self.has(metric) && metric.startsWith('time_')) {
            tree.self.set(metric, new NodeParts(tree, this.#kinds).column(metric));
            this.#heavy = null;
        }
        if (await complete(tree, this.#url, metric, progress)) {
            this.#heavy = null;
        }

        return tree;
    }

    /**
     * @param {string} metric
     * @param {boolean} where
     * @returns {string[]} columns
     */
    #needed(metric, where) {
        return [...new Set([metric, 'ct', ...(where && this.#kinds !== null ? ['wt', ...this.#kinds.cpu] : [])])];
    }

    /**
     * @param {Tree} tree
     * @param {string} metric
     * @param {Order} order
     * @param {boolean} where
     * @returns {FrameLayout}
     */
    #laidOut(tree, metric, order, where) {
        const layout = layoutOf(tree, metric, order);

        return where && this.#kinds !== null ? { ...layout, where: new NodeParts(tree, this.#kinds).where() } : layout;
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
