/** The finding in the address (`lit`), whose calls a picture shows. */
import { state } from '../core/state.js';

/** @typedef {import('../profile/lit.js').Lit} Lit */

/**
 * @param {HTMLElement} island
 * @returns {Lit | null} null where none is asked for, or the run has not the one that is
 */
export function litIn(island) {
    const { lit = '' } = island.dataset;
    /** @type {Lit[]} */
    const all = lit === '' ? [] : [JSON.parse(lit)].flat();

    return all.find(({ id }) => id === state.get('lit')) ?? null;
}
