/** Slow work on the timeline of a run. Runs in a worker (worker.js), but does not depend on it. */
import { pictureOf, pictureOfFrames } from '../flame/layout.js';
import { loadDocuments, loadTree } from '../flame/loading.js';
import { functionsOf } from '../profile/merge.js';
import { Timeline } from '../profile/timeline.js';
import { levelsOf } from './memory-curve.js';

/**
 * @typedef {import('../flame/layout.js').Picture} Picture
 * @typedef {import('../profile/tree.js').Metric} Metric
 * @typedef {import('../profile/timeline.js').Track} Track
 */

export class TimelineJobs {
    /** @type {Timeline | null} */
    #timeline = null;

    /**
     * @param {{url: string}} source
     * @param {import('../flame/loading.js').Progress} progress
     * @returns {Promise<{names: string[], metric: Metric, picture: Picture, count: number, duration: number, tracks: Track[],
     *     memory: import('./memory-curve.js').Levels | null, threshold: number, asked: number, folded: number}>}
     */
    async open({ url }, progress) {
        // All call paths of the timeline, of a large tree too.
        const tree = await loadTree(`${url}&timeline=1`, progress, 'the call tree');
        const run = await loadDocuments(url, 'timeline,operations', progress, 'the timeline');
        progress('Laying out the calls…');
        const timeline = Timeline.of(run.document('timeline'), tree, run.document('operations'));
        this.#timeline = timeline;
        const { names, metric, count, duration, tracks, threshold, asked, folded } = timeline;

        const memory = timeline.memory();

        return {
            names, metric, picture: pictureOfFrames(timeline.frames()), count, duration, tracks,
            memory: memory === null ? null : levelsOf(memory.t, memory.bytes), threshold, asked, folded,
        };
    }

    /**
     * @param {{from: number, to: number, metric: string, order: import('../flame/jobs.js').Order}} range in ns from the start
     * @returns {{picture: Picture, rows: import('../flame/jobs.js').Rows, samples: number}} samples: calls that were kept
     */
    range({ from, to, metric, order }) {
        if (this.#timeline === null) {
            throw new Error('Nothing has been loaded.');
        }
        const tree = this.#timeline.pathsOf(from, to);

        // main() is no call of the timeline.
        return { picture: pictureOf(tree, metric, order), rows: functionsOf(tree, metric), samples: tree.inclusive('ct')[0] - 1 };
    }
}
