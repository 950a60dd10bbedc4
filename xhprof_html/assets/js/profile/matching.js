/** Searches names for words or a regular expression, for which it takes no more than a moment. */
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
    #ask(text) {
        const worker = new Worker(new URL('../profile/match-worker.js', import.meta.url), { type: 'module' });

        return new Promise((resolve) => {
            const end = (/** @type {Uint8Array} */ matches, /** @type {string} */ problem) => {
                clearTimeout(timer);
                worker.terminate();
                resolve({ matches, problem });
            };
            const none = new Uint8Array(this.names.length);
            const timer = setTimeout(() => end(none, 'This regular expression takes too long'), LONGEST);
            worker.addEventListener('message', ({ data }) => end(data, ''));
            worker.addEventListener('error', () => end(none, 'The search has failed'));
            worker.postMessage({ names: this.names, text });
        });
    }
}
