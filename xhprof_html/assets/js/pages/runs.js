/** The list of runs. */
import { labelDialogs } from '../runs/label-dialog.js';
import { enterTags, rowKeys } from '../runs/rows.js';

rowKeys(document);
enterTags(document);
labelDialogs(document);
