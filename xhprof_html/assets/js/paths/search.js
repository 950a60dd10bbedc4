/** The search of a view of call paths: for the text in the address (`q`). */
import { state } from '../core/state.js';
import { Matching } from '../profile/matching.js';

export class Search {
    /** @type {Uint8Array | null} per function whether it is searched for; null without a search */
    matches = null;
    /** Why nothing is found, '' for no reason. */
    problem = '';
    /** @type {Matching} */
    #matching = new Matching([]);

    /** @param {() => void} show what has been found */
    constructor(show) {
        this.show = show;
    }

    /** @param {string[]} names of the view's functions */
    update(names) {
        if (this.#matching.names !== names) {
            this.#matching = new Matching(names);
        }
        const text = state.get('q');
        const found = this.#matching.now(text);
        if (found !== null) {
            this.#set(found);
            return;
        }
        void this.#matching.find(text).then((later) => {
            if (state.get('q') === text && this.#matching.names === names) {
                this.#set(later);
            }
        });
    }

    /** @param {import('../profile/matching.js').Found} found */
    #set({ matches, problem }) {
        this.matches = matches;
        this.problem = problem;
        this.show();
    }
}
