/**
 * Parts of a page that take the server long: marked data-lazy with the address of the same page with that part, they are asked
 * for when everything else is there. Without JavaScript they hold a link.
 */
import { busy } from './api.js';

/** @param {Document} page */
export function lazySections(page) {
    for (const section of page.querySelectorAll('section[data-lazy][aria-labelledby]')) {
        if (section instanceof HTMLElement) {
            void fill(section);
        }
    }
}

/** @param {HTMLElement} section */
async function fill(section) {
    const wait = busy(section, 'Reading the call tree…');
    const label = section.getAttribute('aria-labelledby') ?? '';
    try {
        const response = await fetch(section.dataset.lazy ?? '', { headers: { Accept: 'text/html' } });
        const next = new DOMParser()
            .parseFromString(await response.text(), 'text/html')
            .querySelector(`section[aria-labelledby="${CSS.escape(label)}"]`);
        if (!response.ok || next === null) {
            throw new Error(`No such part in the answer (status ${response.status}).`);
        }
        section.replaceWith(next);
    } catch {
        // The link is still there, and the page it opens says why.
    } finally {
        wait.done();
    }
}
