/** Opens the form of a run's label in a dialog, instead of on its own page. */
import { loadPart } from '../core/api.js';
import { h, isPlain } from '../core/dom.js';

/** @param {Document} page */
export function labelDialogs(page) {
    page.addEventListener('click', (event) => {
        const link = event.target instanceof Element ? event.target.closest('a[data-label]') : null;
        if (link instanceof HTMLAnchorElement && isPlain(event)) {
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
    /** @type {Element} */
    let form;
    try {
        form = (await loadPart(link.href, 'form[data-label-form]')).part;
    } catch {
        // An ordinary load shows why.
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
