/** The page of one function, of a run or of a comparison: its tables are sorted here. */
import { lazySections } from '../core/lazy.js';
import { sortableTables } from '../table/sort-rows.js';

sortableTables(document);
lazySections(document);
