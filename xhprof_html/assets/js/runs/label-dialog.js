/** Opens the form of a run's label in a dialog, instead of on its own page. */
import { h } from '../core/dom.js';

/** @param {Document} page */
export function labelDialogs(page) {
    page.addEventListener('click', (event) => {
        const link = event.target instanceof Element ? event.target.closest('a[data-label]') : null;
        if (link instanceof HTMLAnchorElement && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
            event.preventDefault();
            void open(page, link);
        }
    });
}

/**
 * @param {Document} page
 * @param {HTMLAnchorElement} link
 */
async function open(page, link) {
    /** @type {Element | null} */
    let form = null;
    try {
        const response = await fetch(link.href, { headers: { Accept: 'text/html' } });
        form = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('form[data-label-form]');
    } catch {
        // The server is away: the page itself will say so.
    }
    if (form === null) {
        location.assign(link.href);
        return;
    }
    const dialog = h('dialog', { class: 'label-dialog', 'aria-label': 'Pin, tags and note' }, page.importNode(form, true));
    dialog.addEventListener('close', () => {
        dialog.remove();
        link.focus();
    });
    dialog.addEventListener('click', (event) => {
        const isCancel = event.target instanceof Element && event.target.closest('[data-close]') !== null;
        if (event.target === dialog || isCancel) {
            event.preventDefault();
            dialog.close();
        }
    });
    page.body.append(dialog);
    dialog.showModal();
    const tags = dialog.querySelector('input[name=tags]');
    if (tags instanceof HTMLInputElement) {
        tags.focus();
    }
}
