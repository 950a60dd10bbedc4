/** The page of requests: a stretch of its chart can be chosen, and its filter works while one types. */
import { liveFilters } from '../core/live-filter.js';
import { brush } from '../trend/brush.js';

/** @param {ParentNode} root */
function start(root) {
    for (const figure of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('figure[data-brush]'))) {
        brush(figure, JSON.parse(figure.dataset.brush ?? '[]'), (from, to) => {
            const address = new URL(location.href);
            for (const name of ['last', 'page', 'all']) {
                address.searchParams.delete(name);
            }
            address.searchParams.set('from', from);
            address.searchParams.set('to', to);
            location.assign(address);
        });
    }
}

start(document);
document.addEventListener('xhprof-results', ({ target }) => start(/** @type {Element} */ (target)));
liveFilters(document);
