/** The page of one function, of a run or of a comparison: its tables are sorted here, its call paths lead into the flame graph. */
import { markOfPath } from '../core/path-mark.js';
import { sortableTables } from '../table/sort-rows.js';

sortableTables(document);
flameLinks(document);
document.addEventListener('xhprof-results', ({ target }) => flameLinks(/** @type {Element} */ (target)));

/** @param {ParentNode} part whose links to call paths open the flame graph there: data-path holds indexes into data-names */
function flameLinks(part) {
    for (const table of /** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll('table[data-names]'))) {
        /** @type {string[]} */
        const names = JSON.parse(table.dataset.names ?? '[]');
        for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (table.querySelectorAll('a[data-path]'))) {
            const path = (link.dataset.path ?? '').split(' ').map((index) => names[Number(index)] ?? '');
            link.setAttribute('href', `${link.getAttribute('href')}&root=${markOfPath(path)}`);
        }
    }
}
