/** The range of time that the timeline has left in the address (x0 and x1, in µs), for views of a run with the times of its calls. */
import { h } from '../core/dom.js';
import { figure } from '../core/format.js';
import { replaced, state } from '../core/state.js';

/** @typedef {{timeline: string, from: number, to: number}} Range address of the timeline; ns from the start of the run */

/**
 * @param {DOMStringMap} data of an island
 * @returns {Range | null} null for the whole run
 */
export function rangeIn({ timeline }) {
    const [from, to] = [Number(state.get('x0')) * 1000, Number(state.get('x1')) * 1000];

    return timeline !== undefined && from >= 0 && to > from ? { timeline, from, to } : null;
}

/**
 * Says above a view that it shows a part of the run only, and leads to the whole.
 *
 * @param {HTMLElement} island
 */
export function showRange(island) {
    const range = rangeIn(island.dataset);
    if (range === null) {
        return;
    }
    const button = h('button', { type: 'button' }, 'Show the whole run');
    button.addEventListener('click', () => {
        location.search = replaced(location.search, { x0: null, x1: null });
    });
    island.before(h(
        'p',
        { class: 'note range-note', role: 'note' },
        h('strong', {}, `Only ${figure(range.from, 'ns')} to ${figure(range.to, 'ns')} of the run`),
        ', as far as the timeline has kept its calls. ',
        button,
    ));
}
