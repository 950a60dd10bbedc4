/** Heap snapshots: the treemap, the retained tree, tables that are sorted without leaving the page. */
import { liveFilters } from '../core/live-filter.js';
import { HeapMap } from '../heap/heap-map.js';
import { retainedTree } from '../heap/retained-tree.js';
import { sortInPlace } from '../table/sort-in-place.js';

const host = document.querySelector('[data-treemap]');
const types = document.querySelector('[data-treemap-table]');
const holders = document.querySelector('[data-holders-table]');
if (host instanceof HTMLElement && types instanceof HTMLTableElement && holders instanceof HTMLTableElement) {
    new HeapMap(host, types, holders, host.dataset.treemap ?? '');
}

const tree = document.querySelector('[data-tree]');
if (tree !== null) {
    retainedTree(tree);
}

if (document.querySelector('[data-results]') !== null) {
    sortInPlace();
}
liveFilters(document);
