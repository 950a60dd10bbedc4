/** The list of runs. */
import { labelDialogs } from '../runs/label-dialog.js';
import { pickers } from '../runs/picker.js';
import { enterTags, rowKeys } from '../runs/rows.js';

pickers(document);
document.addEventListener('xhprof-results', ({ target }) => pickers(/** @type {Element} */ (target)));
rowKeys(document);
enterTags(document);
labelDialogs(document);
