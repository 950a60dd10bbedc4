/** The page of one function, of a run or of a comparison: its tables are sorted here. */
import { lazySections } from '../core/lazy.js';
import { sortableTables } from '../table/sort-rows.js';

sortableTables(document);
lazySections(document);
// The source opens at the line that matters.
const line = document.querySelector('.source tr.matters');
const source = line?.closest('.source');
if (line instanceof HTMLElement && source instanceof HTMLElement) {
    source.scrollTop = Math.max(0, line.offsetTop - source.clientHeight / 2);
}
