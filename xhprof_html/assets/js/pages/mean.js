/** The page of several runs. */
import { liveFilters } from '../core/live-filter.js';
import { sortInPlace } from '../table/sort-in-place.js';

sortInPlace();
liveFilters(document);
