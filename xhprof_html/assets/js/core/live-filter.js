import { loadPart } from './api.js';

/** Time without a keystroke after which a request is sent, in ms. */
const PAUSE = 150;

/**
 * Makes forms marked data-live replace the results while the user types. The server filters, so that the
 * rows are the same as without JavaScript; the address follows, so that it can be shared. The event
 * xhprof-results, which bubbles from the new results, reports them.
 *
 * @param {Document} page
 */
export function liveFilters(page) {
    for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (page.querySelectorAll('form[data-live]'))) {
        watch(form);
    }
}

/** @param {HTMLFormElement} form */
function watch(form) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let shown = addressOf(form);
    /** @type {AbortController | undefined} */
    let running;

    const refresh = async () => {
        const address = addressOf(form);
        if (address === shown) {
            return;
        }
        shown = address;
        running?.abort();
        const controller = new AbortController();
        running = controller;
        try {
            await replaceResults(address, controller.signal);
        } catch {
            // A newer request took over, or the server does not answer: then an ordinary load shows why.
            if (!controller.signal.aborted) {
                location.assign(address);
            }
        }
    };
    form.addEventListener('input', () => {
        clearTimeout(timer);
        timer = setTimeout(refresh, PAUSE);
    });
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        clearTimeout(timer);
        void refresh();
    });
}

/**
 * @param {HTMLFormElement} form
 * @returns {string} the URL that sending the form would open, without empty fields
 */
function addressOf(form) {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
        if (typeof value === 'string' && value !== '') {
            query.append(name, value);
        }
    }

    return `${form.getAttribute('action') ?? ''}?${query}`;
}

/**
 * @param {string} address
 * @param {AbortSignal} signal
 */
async function replaceResults(address, signal) {
    const current = document.querySelector('[data-results]');
    current?.setAttribute('aria-busy', 'true');
    const { part } = await loadPart(address, '[data-results]', signal);
    current?.replaceWith(part);
    part.dispatchEvent(new Event('xhprof-results', { bubbles: true }));
    history.replaceState(null, '', address);
}
