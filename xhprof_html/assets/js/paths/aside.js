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
 * @param {import('../core/worker.js').WorkerClient<import('./tree-jobs.js').TreeJobs>} worker has the tree
 * @param {Promise<boolean>} opened whether it has been loaded
 * @param {() => string[]} names of the tree's functions, once it has been
 */
export function startAside(element, island, worker, opened, names) {
    const { symbol, sandwich, function: page } = island.dataset;
    const ofTree = async (/** @type {string} */ name) => {
        if (!await opened) {
            throw new Error('The call tree could not be loaded.');
        }

        return names().includes(name) ? worker.call('symbol', { name }) : null;
    };
    // The server does not add up the largest trees, which are here.
    const withParts = async (/** @type {import('../core/inspector.js').SymbolData} */ data) => (
        data.where || island.dataset.kinds === undefined || !await opened ? data : { ...data, where: await worker.call('parts', { name: data.name }) }
    );
    inspector(element, async (name, signal) => {
        if (symbol === undefined) {
            const data = await ofTree(name);
            if (data === null) {
                throw new Error('This picture has no such function.');
            }

            return { ...data, links: page === undefined ? {} : { 'Function page': `${page}&symbol=${encodeURIComponent(name)}` } };
        }
        try {
            return await withParts(await loadJson(`${symbol}&symbol=${encodeURIComponent(name)}`, { signal }));
        } catch (error) {
            // The tree has functions that the profile has not: see symbolOf().
            const data = await ofTree(name);
            if (data === null) {
                throw error;
            }

            return { ...data, links: { Sandwich: `${sandwich ?? '?view=sandwich'}&sel=${encodeURIComponent(name)}` } };
        }
    });
}
