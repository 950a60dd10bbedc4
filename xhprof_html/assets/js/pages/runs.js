/** The list of runs. */
import { liveFilters } from '../core/live-filter.js';
import { findings } from '../runs/findings.js';
import { labelDialogs } from '../runs/label-dialog.js';
import { pickers } from '../runs/picker.js';
import { enterTags, rowKeys } from '../runs/rows.js';

pickers(document);
findings(document);
document.addEventListener('xhprof-results', ({ target }) => {
    const results = /** @type {Element} */ (target);
    pickers(results);
    findings(results);
});
rowKeys(document);
enterTags(document);
labelDialogs(document);
liveFilters(document);
