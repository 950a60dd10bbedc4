/**
 * What takes long on large trees: loading, merging, laying out. Runs in a worker (worker.js), and knows nothing of it.
 */
import { loadJson } from '../core/api.js';
import { scaleOf, union } from '../profile/diff.js';
import { calleesOf, callersOf, functionsOf, mergePaths, outermost } from '../profile/merge.js';
import { Samples } from '../profile/samples.js';
import { metricOf, Tree } from '../profile/tree.js';
import { pictureOf, pictureOfFrames } from './layout.js';

/**
 * @typedef {import('./layout.js').Picture} Picture
 * @typedef {import('../profile/tree.js').Metric} Metric
 * @typedef {'time' | 'heavy'} Order
 * @typedef {(text: string, part?: number, whole?: number) => void} Progress
 *
 * @typedef {{names: string[], metrics: Metric[], n: number, runs: number, pruned: number}} Opened
 * @typedef {ReturnType<typeof functionsOf>} Rows
 * @typedef {Picture & {a: Float64Array, b: Float64Array, ownA: Float64Array, ownB: Float64Array, ctA: Float64Array,
 *     ctB: Float64Array, only: Uint8Array, change: Float64Array, scale: number, totals: {a: number, b: number}}} DiffPicture
 */

export class Jobs {
    /** @type {Tree | null} */
    #tree = null;
    /** @type {Tree | null} */
    #heavy = null;
    /** @type {ReturnType<typeof union> | null} */
    #union = null;
    /** @type {Samples | null} */
    #samples = null;

    /**
     * @param {{url?: string, data?: any}} source
     * @param {Progress} progress
     * @returns {Promise<Opened>}
     */
    async open({ url, data }, progress) {
        const tree = await load(url, data, progress, 'the call tree');
        this.#tree = tree;
        this.#heavy = null;

        return { names: tree.names, metrics: tree.metrics(), n: tree.n, runs: tree.runs, pruned: tree.pruned };
    }

    /**
     * @param {{metric: string, order: Order}} how
     * @param {Progress} progress
     * @returns {Picture}
     */
    picture({ metric, order }, progress) {
        const tree = this.#opened();
        progress('Laying out the frames…');

        return pictureOf(order === 'heavy' ? this.#merged() : tree, metric, order);
    }

    /**
     * @param {{metric: string}} what
     * @returns {Rows}
     */
    functions({ metric }) {
        return functionsOf(this.#opened(), metric);
    }

    /**
     * @param {{fn: number, metric: string, order: Order}} what
     * @returns {{callers: Picture | null, callees: Picture | null, calls: number, inner: number}} calls: paths on which it is
     *     outermost; inner: nodes of it below those
     */
    sandwich({ fn, metric, order }) {
        const tree = this.#opened();
        const metrics = [...new Set([metric, 'ct'])];
        const { nodes, inner } = outermost(tree, fn);
        const callers = callersOf(tree, fn, metrics);
        const callees = calleesOf(tree, fn, metrics);

        return {
            callers: callers === null ? null : pictureOf(callers, metric, order),
            callees: callees === null ? null : pictureOf(callees, metric, order),
            calls: nodes.length,
            inner,
        };
    }

    /**
     * @param {{a: string, b: string}} urls
     * @param {Progress} progress
     * @returns {Promise<Opened>}
     */
    async openPair({ a, b }, progress) {
        const before = mergePaths(await load(a, undefined, progress, 'the call tree before'));
        const after = mergePaths(await load(b, undefined, progress, 'the call tree after'));
        progress('Laying the two over each other…');
        this.#union = union(before, after);
        const { tree, metrics } = this.#union;
        if (metrics.length === 0) {
            throw new Error('The two sides have no metric in common.');
        }

        return {
            names: tree.names, metrics: metrics.map(metricOf), n: tree.n, runs: Math.max(before.runs, after.runs),
            pruned: before.pruned + after.pruned,
        };
    }

    /**
     * @param {{metric: string, order: Order, side: 'a' | 'b' | 'max', by: 'own' | 'incl'}} how
     * @returns {DiffPicture}
     */
    diffPicture({ metric, order, side, by }) {
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

    /**
     * @param {{url?: string, data?: any}} source
     * @param {Progress} progress
     * @returns {Promise<{names: string[], picture: Picture, count: number, duration: number}>}
     */
    async openSamples({ url, data }, progress) {
        const json = url === undefined ? data : await loadJson(url, { onProgress: reporter(progress, 'the samples') });
        const samples = Samples.fromJson(json);
        this.#samples = samples;

        return { names: samples.names, picture: pictureOfFrames(samples.frames()), count: samples.n, duration: samples.duration };
    }

    /**
     * @param {{from: number, to: number, metric: string, order: Order}} range in ns from the first sample
     * @returns {{picture: Picture, rows: Rows, samples: number}}
     */
    range({ from, to, metric, order }) {
        if (this.#samples === null) {
            throw new Error('Nothing has been loaded.');
        }
        const tree = this.#samples.tree(from, to);
        const samples = tree.inclusive('ct');

        // Nobody asks how often a function was the innermost one, but in how many samples it was met.
        return {
            picture: { ...pictureOf(tree, metric, order), ct: samples },
            rows: { ...functionsOf(tree, metric), ct: functionsOf(tree, 'ct').inclusive },
            samples: samples[0],
        };
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

/**
 * @param {string | undefined} url
 * @param {any} data
 * @param {Progress} progress
 * @param {string} what
 * @returns {Promise<Tree>}
 */
async function load(url, data, progress, what) {
    const json = url === undefined ? data : await loadJson(url, { onProgress: reporter(progress, what) });
    progress('Reading the call tree…');

    return Tree.fromJson(json);
}

/**
 * @param {Progress} progress
 * @param {string} what
 * @returns {(received: number, total: number) => void}
 */
function reporter(progress, what) {
    let told = 0;

    return (received, total) => {
        if (received - told > 262144) {
            told = received;
            progress(`Loading ${what}… ${(received / 1048576).toFixed(1)} MB`, received, total);
        }
    };
}
