/** Slow work on the calls of a run over time, done by worker.js. Does not depend on being in a worker. */
import { loadDocuments, loadTree } from '../paths/loading.js';
import { Timeline } from '../profile/timeline.js';
import { levelsOf } from './memory-curve.js';
import { RangeJobs } from './range-jobs.js';

/** @extends {RangeJobs<Timeline>} */
export class TimelineJobs extends RangeJobs {
    /**
     * @param {import('./range-jobs.js').Source} source
     * @param {import('../paths/loading.js').Progress} progress
     * @returns {Promise<import('./range-jobs.js').Opened & import('./tracks.js').Shown>}
     */
    async open({ url }, progress) {
        // All call paths of the timeline, of a large tree too.
        const tree = await loadTree(`${url}&timeline=1`, progress, 'the call tree');
        const run = await loadDocuments(url, 'timeline,operations', progress, 'the timeline');
        progress('Laying out the calls…');
        const timeline = Timeline.of(run.document('timeline'), tree, run.document('operations'));
        const { tracks, threshold, asked, folded } = timeline;
        const memory = timeline.memory();

        return { ...this.start(timeline), tracks, memory: memory === null ? null : levelsOf(memory.t, memory.bytes), threshold, asked, folded };
    }

    /**
     * Finds where the time was.
     *
     * @param {import('../profile/time-parts.js').Kinds} kinds
     */
    async divide(kinds) {
        const { PartsOverTime } = await import('../profile/parts-over-time.js');

        return this.divided(PartsOverTime.ofTimeline(this.opened(), kinds));
    }

    /** @type {RangeJobs<Timeline>['counted']} */
    counted(tree, figures) {
        // main() is no call of the timeline.
        return { ...figures, samples: tree.inclusive('ct')[0] - 1 };
    }

    /** @type {RangeJobs<Timeline>['litFrames']} */
    litFrames(_, litIn) {
        return this.opened().litFrames(litIn);
    }
}
