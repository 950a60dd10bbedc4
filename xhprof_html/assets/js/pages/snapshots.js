/** The list of heap snapshots. */
import { pickers } from '../runs/picker.js';

pickers(document);
document.addEventListener('xhprof-results', ({ target }) => pickers(/** @type {Element} */ (target)));
