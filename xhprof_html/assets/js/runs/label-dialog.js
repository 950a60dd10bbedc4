/** Opens the form of a run's label in a dialog, instead of on its own page. */
import { loadPart } from '../core/api.js';
import { h, onLink, showDialog } from '../core/dom.js';

/** @param {Document} page */
export function labelDialogs(page) {
    onLink(page, 'a[data-label]', (link) => void open(page, link));
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
    dialog.addEventListener('close', () => link.focus());
    dialog.addEventListener('click', (event) => {
        const isCancel = event.target instanceof Element && event.target.closest('[data-close]') !== null;
        if (event.target === dialog || isCancel) {
            event.preventDefault();
            dialog.close();
        }
    });
    showDialog(dialog, page);
    const tags = dialog.querySelector('input[name=tags]');
    if (tags instanceof HTMLInputElement) {
        tags.focus();
    }
}
