/**
 * The page of several runs: the table is sorted without leaving the page. The server sorts, so that the rows are those without
 * JavaScript; the form and the links above keep the order.
 */
import { replaced, valueIn } from '../core/state.js';

document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('[data-results] thead a') : null;
    if (link instanceof HTMLAnchorElement && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
        event.preventDefault();
        void sort(link);
    }
});
addEventListener('popstate', () => location.reload());

/** @param {HTMLAnchorElement} link */
async function sort(link) {
    const results = document.querySelector('[data-results]');
    results?.setAttribute('aria-busy', 'true');
    try {
        const response = await fetch(link.href, { headers: { Accept: 'text/html' } });
        const next = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('[data-results]');
        if (!response.ok || next === null || results === null) {
            throw new Error(`No table in the answer (status ${response.status}).`);
        }
        results.replaceWith(next);
        history.pushState(null, '', link.href);
        keepOrder();
        /** @type {HTMLElement | null} */ (next.querySelector('th[aria-sort] a'))?.focus();
    } catch {
        // An ordinary load shows why.
        location.assign(link.href);
    }
}

/** The form and the tabs above the table were made for the order before. */
function keepOrder() {
    const order = { sort: valueIn(location.search, 'sort'), dir: valueIn(location.search, 'dir') };
    for (const [name, value] of Object.entries(order)) {
        for (const field of document.querySelectorAll(`.toolbar form input[type=hidden][name="${name}"]`)) {
            field.remove();
        }
        if (value !== '') {
            const field = document.createElement('input');
            field.type = 'hidden';
            field.name = name;
            field.value = value;
            document.querySelector('.toolbar form')?.append(field);
        }
    }
    for (const link of document.querySelectorAll('.toolbar nav[aria-label="Figure of the runs"] a')) {
        const [path = '', query = ''] = (link.getAttribute('href') ?? '').split('?', 2);
        link.setAttribute('href', `${path}?${replaced(query, order)}`);
    }
}
