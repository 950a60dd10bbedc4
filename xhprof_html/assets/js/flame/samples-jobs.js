/** Slow work on the samples of a run. Runs in a worker (samples-worker.js), but does not depend on it. */
import { functionsOf } from '../profile/merge.js';
import { Samples } from '../profile/samples.js';
import { pictureOf, pictureOfFrames } from './layout.js';
import { loadDocuments } from './loading.js';

/**
 * @typedef {import('./layout.js').Picture} Picture
 * @typedef {import('../profile/tree.js').Metric} Metric
 * @typedef {import('./jobs.js').Order} Order
 * @typedef {import('./jobs.js').Rows} Rows
 * @typedef {import('./loading.js').Progress} Progress
 */

export class SampleJobs {
    /** @type {Samples | null} */
    #samples = null;

    /**
     * @param {{url: string}} source
     * @param {Progress} progress
     * @returns {Promise<{names: string[], metric: Metric, picture: Picture, count: number, duration: number}>}
     */
    async open({ url }, progress) {
        const run = await loadDocuments(url, 'stacks', progress, 'the samples');
        const samples = Samples.of(run.document('stacks'));
        this.#samples = samples;

        const { names, metric, count, duration } = samples;
        const frames = samples.frames();

        return { names, metric, picture: pictureOfFrames(frames), count, duration };
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

        // "ct" counts the samples that have the function on their stack, not only those where it is innermost.
        return {
            picture: { ...pictureOf(tree, metric, order), ct: samples },
            rows: { ...functionsOf(tree, metric), ct: functionsOf(tree, 'ct').inclusive },
            samples: samples[0],
        };
    }
}
