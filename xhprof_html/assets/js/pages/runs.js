/** The list of runs. */
import { labelDialogs } from '../runs/label-dialog.js';
import { rowKeys } from '../runs/rows.js';

rowKeys(document);
labelDialogs(document);
