import { loadJson } from '../core/api.js';
import { pageAddress } from '../core/state.js';

/** Runs in one request: its address has their names. */
const AT_ONCE = 10;

/** Requests in which not one more run was looked at, after which it gives up: each takes a second of the server. */
const PATIENCE = 3;

/**
 * Asks for the first findings of the runs that the server had no time to look at: each has a link marked data-finding, which is hidden
 * until it is known to have one.
 *
 * @param {ParentNode} root
 */
export async function findings(root) {
    /** @type {Map<string, HTMLElement>} */
    const open = new Map();
    for (const link of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-finding]'))) {
        open.set(link.dataset.finding ?? '', link);
    }
    for (let idle = 0; open.size > 0 && idle < PATIENCE;) {
        const names = [...open.keys()].slice(0, AT_ONCE);
        const query = names.map((name) => `pick[]=${encodeURIComponent(name)}`).join('&');
        let known;
        try {
            known = Object.entries((await loadJson(`${pageAddress('api')}?get=findings&${query}`)).runs);
        } catch {
            return; // the list is complete without them
        }
        idle = known.length === 0 ? idle + 1 : 0;
        for (const [name, finding] of known) {
            show(open.get(name), finding);
            open.delete(name);
        }
    }
}

/**
 * @param {HTMLElement | undefined} link
 * @param {any} finding
 */
function show(link, finding) {
    if (link !== undefined && typeof finding?.text === 'string' && finding.text !== '') {
        link.textContent = finding.text;
        link.hidden = false;
    }
}
