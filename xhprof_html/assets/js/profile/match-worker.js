/** Searches names off the page's thread: see Matching. */
import { serve } from '../core/worker.js';
import { matchNames } from './search.js';

const jobs = {
    /**
     * @param {{ names: string[], text: string }} what
     * @returns {Uint8Array}
     */
    match: ({ names, text }) => matchNames(names, text),
    kept: () => [],
};

/** @typedef {typeof jobs} MatchJobs */

serve(jobs);
