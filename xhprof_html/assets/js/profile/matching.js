/** Searches names for words or a regular expression, for which it takes no more than a moment. */
import { WorkerClient } from '../core/worker.js';
import { matchNames, patternIn } from './search.js';

/** Time that a pattern may take, in ms. */
const LONGEST = 1500;

/** @typedef {{matches: Uint8Array | null, problem: string}} Found matches: per name, null without a search; problem: why there are none */

export class Matching {
    /** @param {string[]} names */
    constructor(names) {
        this.names = names;
    }

    /**
     * Words are found at once.
     *
     * @param {string} text
     * @returns {Found | null} null where the text is a pattern: ask find()
     */
    now(text) {
        const pattern = patternIn(text);
        if (pattern === null) {
            return { matches: text.trim() === '' ? null : matchNames(this.names, text), problem: '' };
        }

        return pattern.problem === '' ? null : { matches: new Uint8Array(this.names.length), problem: pattern.problem };
    }

    /**
     * @param {string} text
     * @returns {Promise<Found>}
     */
    find(text) {
        const found = this.now(text);

        return found === null ? this.#ask(text) : Promise.resolve(found);
    }

    /**
     * @param {string} text a pattern
     * @returns {Promise<Found>}
     */
    async #ask(text) {
        /** @type {WorkerClient<import('./match-worker.js').MatchJobs>} */
        const worker = new WorkerClient(new Worker(new URL('../profile/match-worker.js', import.meta.url), { type: 'module' }));
        const timer = setTimeout(() => worker.stop(), LONGEST);
        try {
            return { matches: await worker.call('match', { names: this.names, text }), problem: '' };
        } catch (error) {
            const isLate = error instanceof DOMException;

            return { matches: new Uint8Array(this.names.length), problem: isLate ? 'This regular expression takes too long' : 'The search has failed' };
        } finally {
            clearTimeout(timer);
            worker.stop();
        }
    }
}
