/**
 * Parts of a page that take the server long. Each is marked data-lazy with the address of the same page with that part, and is
 * requested after everything else has loaded. Without JavaScript they hold a link.
 */
import { busy, loadPart } from './api.js';

/** @param {Document} page */
export function lazySections(page) {
    for (const section of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll('section[data-lazy][aria-labelledby]'))) {
        void fill(section);
    }
}

/** @param {HTMLElement} section */
async function fill(section) {
    const wait = busy(section, 'Reading the call tree…');
    const label = section.getAttribute('aria-labelledby') ?? '';
    try {
        const { part } = await loadPart(section.dataset.lazy ?? '', `section[aria-labelledby="${CSS.escape(label)}"]`);
        section.replaceWith(part);
        part.dispatchEvent(new Event('xhprof-results', { bubbles: true }));
    } catch {
        // The link stays; the page it opens shows the error.
    } finally {
        wait.done();
    }
}
