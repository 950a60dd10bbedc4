/** Slow work on a run over time, its timeline or its samples, done by worker.js. Does not depend on being in a worker. */
import { grouped } from '../core/format.js';
import { layoutOf, layoutOfFrames } from '../flame/layout.js';
import { loadDocuments, loadTree } from '../paths/loading.js';
import { litNodes, litSum } from '../profile/lit.js';
import { functionsOf } from '../profile/merge.js';
import { Samples } from '../profile/samples.js';
import { Timeline } from '../profile/timeline.js';
import { levelsOf } from './memory-curve.js';

/**
 * @typedef {import('../flame/layout.js').FrameLayout} FrameLayout
 * @typedef {import('../profile/tree.js').Metric} Metric
 * @typedef {import('../profile/timeline.js').Track} Track
 */

/** @typedef {{names: string[], metric: Metric, layout: FrameLayout, count: number, duration: number}} Opened */

export class TimelineJobs {
    /** @type {Timeline | Samples | null} */
    #shown = null;

    /**
     * @param {{url: string}} source
     * @param {import('../paths/loading.js').Progress} progress
     * @returns {Promise<Opened & {tracks: Track[], memory: import('./memory-curve.js').Levels | null, threshold: number, asked: number, folded: number}>}
     */
    async open({ url }, progress) {
        // All call paths of the timeline, of a large tree too.
        const tree = await loadTree(`${url}&timeline=1`, progress, 'the call tree');
        const run = await loadDocuments(url, 'timeline,operations', progress, 'the timeline');
        progress('Laying out the calls…');
        const timeline = Timeline.of(run.document('timeline'), tree, run.document('operations'));
        const { tracks, threshold, asked, folded } = timeline;
        const memory = timeline.memory();

        return { ...this.#open(timeline), tracks, memory: memory === null ? null : levelsOf(memory.t, memory.bytes), threshold, asked, folded };
    }

    /**
     * @param {{url: string}} source
     * @param {import('../paths/loading.js').Progress} progress
     * @returns {Promise<Opened>}
     */
    async openSamples({ url }, progress) {
        const run = await loadDocuments(url, 'stacks', progress, 'the samples');

        return this.#open(Samples.of(run.document('stacks')));
    }

    /**
     * @param {{from: number, to: number, metric: string, order: import('../paths/tree-jobs.js').Order}} range in ns from the start
     * @returns {{layout: FrameLayout, rows: import('../paths/tree-jobs.js').Rows, samples: number}} samples: or calls that were kept
     */
    range({ from, to, metric, order }) {
        const shown = this.#opened();
        const tree = shown.pathsOf(from, to);
        const [layout, rows, ct] = [layoutOf(tree, metric, order), functionsOf(tree, metric), tree.inclusive('ct')];
        if (shown instanceof Timeline) {
            // main() is no call of the timeline.
            return { layout, rows, samples: ct[0] - 1 };
        }

        // "ct" counts the samples that have the function on their stack, not only those where it is innermost.
        return { layout: { ...layout, ct }, rows: { ...rows, ct: functionsOf(tree, 'ct').inclusive }, samples: ct[0] };
    }

    /**
     * Finds the calls of a finding.
     *
     * @param {import('../profile/lit.js').Lit} lit
     * @returns {{frames: Uint8Array, track: Track}} per frame 1 for those; and the times of those that lie in no other one
     */
    lit(lit) {
        const shown = this.#opened();
        const layout = layoutOfFrames(shown.frames());
        const frames = shown instanceof Timeline ? shown.litFrames(lit) : litNodes(shown.names, layout, lit);
        const { outer, calls } = litSum(layout, frames);
        const pick = (/** @type {Float64Array} */ column) => Float64Array.from(outer, (frame) => column[frame]);
        const track = {
            key: 'lit', label: `Lit: ${grouped(calls)}`, t: pick(layout.x), d: pick(layout.width), nested: false,
            text: Uint32Array.from(outer, (frame) => layout.fn[frame]), texts: shown.names, count: calls,
        };

        return { frames, track };
    }

    /** @returns {Timeline | Samples} */
    #opened() {
        if (this.#shown === null) {
            throw new Error('Nothing has been loaded.');
        }

        return this.#shown;
    }

    /**
     * @param {Timeline | Samples} shown
     * @returns {Opened}
     */
    #open(shown) {
        this.#shown = shown;
        const { names, metric, count, duration } = shown;

        return { names, metric, layout: layoutOfFrames(shown.frames()), count, duration };
    }
}
