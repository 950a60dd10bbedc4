/** What is asked of a run over time, by its calls or by its samples. Does not depend on being in a worker. */
import { grouped } from '../core/format.js';
import { layoutOf, layoutOfFrames } from '../flame/layout.js';
import { functionsOf } from '../profile/merge.js';

/**
 * @typedef {import('../flame/layout.js').FrameLayout} FrameLayout
 * @typedef {import('../profile/tree.js').Metric} Metric
 * @typedef {import('../profile/timeline.js').Track} Track
 * @typedef {import('../profile/parts-over-time.js').PartsOverTime} PartsOverTime
 * @typedef {import('../profile/timeline.js').Timeline | import('../profile/samples.js').Samples} OverTime
 *
 * @typedef {{url: string}} Source
 * @typedef {{names: string[], metric: Metric, layout: FrameLayout, count: number, duration: number}} Opened
 */

/** @template {OverTime} T */
export class RangeJobs {
    /** @type {T | null} */
    #shown = null;
    /** Where the time was. @type {PartsOverTime | null} */
    #parts = null;

    /**
     * @param {{from: number, to: number, metric: string, order: import('../paths/tree-jobs.js').Order}} range in ns from the start
     * @returns {{layout: FrameLayout, rows: import('../paths/tree-jobs.js').Rows, samples: number}} samples: or calls that were kept
     */
    range({ from, to, metric, order }) {
        const tree = this.opened().pathsOf(from, to);
        const laidOut = layoutOf(tree, metric, order);
        const layout = this.#parts === null ? laidOut : { ...laidOut, where: this.#parts.whereOf(laidOut) };

        return this.counted(tree, { layout, rows: functionsOf(tree, metric) });
    }

    /**
     * Finds where the time of a range was.
     *
     * @param {{from: number, to: number, count: number}} range in ns from the start, in so many buckets
     * @returns {Float64Array} ns, of each bucket one for each part
     */
    parts({ from, to, count }) {
        return this.#parts?.buckets(from, to, count) ?? new Float64Array(0);
    }

    /**
     * @param {{name: string, from: number, to: number}} of a function, in a range of time
     * @returns {import('../core/inspector.js').TimeParts} where its time was, with its callees
     */
    partsOf({ name, from, to }) {
        return this.#parts?.below(this.opened().names.indexOf(name), from, to) ?? { by: '', parts: [] };
    }

    /**
     * Finds the calls of a finding.
     *
     * @param {import('../profile/lit.js').Lit} lit
     * @returns {Promise<{frames: Uint8Array, track: Track}>} per frame 1 for those; and the times of those that lie in no other one
     */
    async lit(lit) {
        const { litNodes, litSum } = await import('../profile/lit.js');
        const shown = this.opened();
        const layout = layoutOfFrames(shown.frames());
        const frames = this.litFrames(layout, (tree) => litNodes(shown.names, tree, lit));
        const { outer, calls } = litSum(layout, frames);
        const pick = (/** @type {Float64Array} */ column) => Float64Array.from(outer, (frame) => column[frame]);
        const track = {
            key: 'lit', label: `Lit: ${grouped(calls)}`, t: pick(layout.x), d: pick(layout.width), nested: false,
            text: Uint32Array.from(outer, (frame) => layout.fn[frame]), texts: shown.names, count: calls,
        };

        return { frames, track };
    }

    /**
     * @param {import('../profile/tree.js').Tree} tree
     * @param {{layout: FrameLayout, rows: import('../paths/tree-jobs.js').Rows}} figures
     * @returns {ReturnType<RangeJobs<T>['range']>} with what is counted
     */
    counted(tree, figures) {
        return { ...figures, samples: tree.inclusive('ct')[0] };
    }

    /**
     * @param {FrameLayout} layout
     * @param {import('../profile/lit.js').LitIn} litIn
     * @returns {Uint8Array} per frame 1 for the calls of a finding
     */
    litFrames(layout, litIn) {
        return litIn(layout);
    }

    /** @returns {T} */
    opened() {
        if (this.#shown === null) {
            throw new Error('Nothing has been loaded.');
        }

        return this.#shown;
    }

    /**
     * @param {T} shown
     * @returns {Opened}
     */
    start(shown) {
        this.#shown = shown;
        const { names, metric, count, duration } = shown;

        return { names, metric, layout: layoutOfFrames(shown.frames()), count, duration };
    }

    /**
     * @param {PartsOverTime | null} parts null where the run has not what is split
     * @returns {import('../profile/time-parts.js').Where | null} of the frames
     */
    divided(parts) {
        this.#parts = parts;

        return parts?.where() ?? null;
    }
}
