/** The list of heap snapshots. */
import { liveFilters } from '../core/live-filter.js';
import { pickers } from '../runs/picker.js';

pickers(document);
document.addEventListener('xhprof-results', ({ target }) => pickers(/** @type {Element} */ (target)));
liveFilters(document);
