/** Slow work on a run's samples, done by samples-worker.js. Does not depend on being in a worker. */
import { loadDocuments } from '../paths/loading.js';
import { functionsOf } from '../profile/merge.js';
import { Samples } from '../profile/samples.js';
import { RangeJobs } from './range-jobs.js';

/** @extends {RangeJobs<Samples>} */
export class SampleJobs extends RangeJobs {
    /**
     * @param {import('./range-jobs.js').Source} source
     * @param {import('../paths/loading.js').Progress} progress
     * @returns {Promise<import('./range-jobs.js').Opened>}
     */
    async open({ url }, progress) {
        const run = await loadDocuments(url, 'stacks', progress, 'the samples');

        return this.start(Samples.of(run.document('stacks')));
    }

    /**
     * Finds where the time was.
     *
     * @param {import('../profile/time-parts.js').Kinds} kinds
     */
    async divide(kinds) {
        const { PartsOverTime } = await import('../profile/parts-over-time.js');

        return this.divided(PartsOverTime.ofSamples(this.opened(), kinds));
    }

    /** @type {RangeJobs<Samples>['counted']} */
    counted(tree, { layout, rows }) {
        const ct = tree.inclusive('ct');

        // "ct" counts the samples that have the function on their stack, not only those where it is innermost.
        return { layout: { ...layout, ct }, rows: { ...rows, ct: functionsOf(tree, 'ct').inclusive }, samples: ct[0] };
    }
}
