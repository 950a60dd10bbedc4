/** The list of runs. */
import { pickers } from '../picker.js';
import { labelDialogs } from '../runs/label-dialog.js';
import { enterTags, rowKeys } from '../runs/rows.js';

pickers(document);
document.addEventListener('xhprof-results', ({ target }) => pickers(/** @type {Element} */ (target)));
rowKeys(document);
enterTags(document);
labelDialogs(document);
