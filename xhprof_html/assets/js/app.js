/**
 * Small comforts for pages that are complete without them: the filter works while one types, "/"
 * goes to it, and the buttons of the run list say when enough runs are picked.
 */
import { liveFilters } from './live-filter.js';
import { focusKeys } from './keys.js';
import { pickers } from './picker.js';

focusKeys(document);
pickers(document);
liveFilters(document, (results) => pickers(results));
