/** The selected function beside a view of call paths. */
import { loadJson } from '../core/api.js';
import { h } from '../core/dom.js';
import { inspector } from '../core/inspector.js';

/** @returns {HTMLElement} empty until startAside(); flame.css hides it while nothing is selected */
export function aside() {
    return h('aside', { class: 'inspector', 'aria-label': 'Selected function' });
}

/**
 * @param {HTMLElement} element of aside()
 * @param {HTMLElement} island
 * @param {import('./engine.js').Engine<import('./jobs.js').Jobs>} engine has the tree
 * @param {() => Promise<string[]>} names of the tree's functions, once it has been loaded
 */
export function startAside(element, island, engine, names) {
    inspector(element, async (name, signal) => {
        try {
            return await loadJson(`${island.dataset.symbol ?? ''}&symbol=${encodeURIComponent(name)}`, { signal });
        } catch (error) {
            // The tree has functions that the profile has not: see symbolOf().
            const data = (await names()).includes(name) ? await engine.ask('symbol', { name }) : null;
            if (data === null) {
                throw error;
            }

            return { ...data, links: { Sandwich: `${island.dataset.sandwich ?? '?view=sandwich'}&sel=${encodeURIComponent(name)}` } };
        }
    });
}
