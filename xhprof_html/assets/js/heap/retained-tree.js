/**
 * The retained tree: opening a line loads its children from the page of that line; so does the link to more of them. Without
 * JavaScript the links lead to those pages.
 */
import { loadPart } from '../core/api.js';
import { h, onLink } from '../core/dom.js';

/** @param {Element} tree */
export function retainedTree(tree) {
    // "toggle" does not bubble.
    tree.addEventListener('toggle', (event) => {
        const line = event.target;
        if (line instanceof HTMLDetailsElement && line.open && line.dataset.children !== undefined) {
            const address = line.dataset.children;
            delete line.dataset.children;
            void fill(line, address, false);
        }
    }, { capture: true });
    onLink(tree, 'details .more a', (link) => {
        void fill(/** @type {HTMLDetailsElement} */ (link.closest('details')), link.href, link.dataset.next !== undefined);
    });
}

/**
 * @param {HTMLDetailsElement} line
 * @param {string} address of the page that has its children
 * @param {boolean} append adds to the children shown: the address is of a later page
 */
async function fill(line, address, append) {
    const list = line.querySelector(':scope > ul');
    line.setAttribute('aria-busy', 'true');
    try {
        const { page, part } = await loadPart(address, '[data-tree]');
        // Lines that are open on that page would show a second level unasked.
        part.querySelectorAll('details[open]').forEach((inner) => inner.removeAttribute('open'));
        const had = list?.contains(document.activeElement);
        const lines = [...part.children];
        if (append) {
            list?.querySelector(':scope > .more')?.remove();
            list?.append(...lines);
        } else {
            list?.replaceChildren(...lines);
        }
        const more = page.querySelector('a[rel="next"]');
        if (more !== null) {
            list?.append(h('li', { class: 'more' }, h('a', { href: more.getAttribute('href'), 'data-next': true }, 'more')));
        }
        if (had) {
            /** @type {HTMLElement | null | undefined} */ (lines[0]?.querySelector('summary, a'))?.focus();
        }
    } catch {
        // An ordinary load shows why.
        location.assign(address);
    } finally {
        line.removeAttribute('aria-busy');
    }
}
