/**
 * A key pressed outside of any field moves to the element whose data-key names it.
 *
 * @param {Document} page
 */
export function focusKeys(page) {
    page.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) {
            return;
        }
        for (const field of page.querySelectorAll('[data-key]')) {
            if (field instanceof HTMLInputElement && field.dataset.key === event.key) {
                event.preventDefault();
                field.focus();
                field.select();
                return;
            }
        }
    });
}

/**
 * @param {EventTarget | null} target
 * @returns {boolean}
 */
function isField(target) {
    return target instanceof HTMLSelectElement
        || target instanceof HTMLTextAreaElement
        || (target instanceof HTMLInputElement && target.type !== 'checkbox');
}
