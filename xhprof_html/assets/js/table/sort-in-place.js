/**
 * A table marked data-results is sorted without leaving the page. The server sorts, so that the rows are those without JavaScript;
 * links and forms above the table keep the order.
 */
import { loadPart } from '../core/api.js';
import { onLink } from '../core/dom.js';

export function sortInPlace() {
    onLink(document, '[data-results] thead a', (link) => void sort(link));
    addEventListener('popstate', () => location.reload());
}

/** @param {HTMLAnchorElement} link */
async function sort(link) {
    const results = document.querySelector('[data-results]');
    results?.setAttribute('aria-busy', 'true');
    try {
        const { page, part } = await loadPart(link.href, '[data-results]');
        results?.replaceWith(part);
        keepOrder(page);
        history.pushState(null, '', link.href);
        /** @type {HTMLElement | null} */ (part.querySelector('th[aria-sort] a'))?.focus();
    } catch {
        // An ordinary load shows why.
        location.assign(link.href);
    }
}

/**
 * Replaces the parts above the table that depend on the order; of a form that is typed into and has listeners, only the hidden
 * fields.
 *
 * @param {Document} page
 */
function keepOrder(page) {
    const [bars = [], made = []] = [document, page].map((one) => (
        [...one.querySelectorAll('.toolbar')].filter((bar) => bar.closest('[data-results]') === null)
    ));
    bars.forEach((bar, at) => keepBar(bar, made[at]));
}

/**
 * @param {Element} toolbar
 * @param {Element | undefined} next what it is on the other page
 */
function keepBar(toolbar, next) {
    const [form, made] = [toolbar, next].map((one) => one?.querySelector(':scope > form[data-live]'));
    const hidden = ':scope > input[type=hidden]';
    form?.querySelectorAll(hidden).forEach((field) => field.remove());
    form?.prepend(...made?.querySelectorAll(hidden) ?? []);
    [...toolbar.children].filter((one) => one !== form).forEach((one) => one.remove());
    toolbar.append(...[...next?.children ?? []].filter((one) => one !== made));
}
