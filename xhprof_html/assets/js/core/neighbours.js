/** "[" and "]" go to the run before and after this one, in the order of the list that was last open. */
import { onKey } from './keys.js';
import { replaced, valueIn } from './state.js';

const KEY = 'xhprof-runs';

/** Most runs that are remembered: the list has pages. */
const MAX_RUNS = 1000;

/** Keys of a run's address that do not apply to another run. */
const OWN = { run: null, source: null, wts: null, page: null };

/** @param {Document} page */
export function neighbourKeys(page) {
    const links = [...page.querySelectorAll('table.runs tbody th a[href*="run="]')]
        .map((link) => (link.getAttribute('href') ?? '').split('?', 2)[1] ?? '')
        .filter((query) => valueIn(query, 'view') === '' && valueIn(query, 'run') !== '');
    if (links.length > 0) {
        const runs = links.slice(0, MAX_RUNS);
        try {
            sessionStorage.setItem(KEY, JSON.stringify(runs));
        } catch {
            // Storage is full or forbidden: then there are no neighbours.
        }
        return;
    }
    const run = valueIn(location.search, 'run');
    if (run === '' || run.includes(',')) {
        return;
    }
    const list = remembered();
    const at = list.findIndex((query) => valueIn(query, 'run') === run && valueIn(query, 'source') === (valueIn(location.search, 'source') || 'xhprof'));
    const open = (/** @type {number} */ step) => {
        const next = list[at + step];
        if (at < 0 || next === undefined) {
            return false;
        }
        const kept = { ...OWN, run: valueIn(next, 'run'), source: valueIn(next, 'source') };
        location.assign(`${location.pathname}?${replaced(location.search, kept)}`);

        return true;
    };
    if (at >= 0) {
        onKey('[', 'Previous run of the list', () => open(-1), 'Views');
        onKey(']', 'Next run of the list', () => open(1), 'Views');
    }
}

/** @returns {string[]} query strings of runs */
function remembered() {
    try {
        const list = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');

        return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
    } catch {
        return [];
    }
}
