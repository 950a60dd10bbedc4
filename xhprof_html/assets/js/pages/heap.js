/** Heap snapshots: the treemap, the retained tree, tables that are sorted without leaving the page. */
import { h } from '../core/dom.js';
import { state } from '../core/state.js';
import { retainedTree } from '../heap/retained-tree.js';
import { groupsOf } from '../heap/treemap-model.js';
import { Treemap } from '../heap/treemap.js';
import { sortInPlace } from '../table/sort-in-place.js';

/** @typedef {import('../heap/treemap-model.js').Figure} Figure */

const host = document.querySelector('[data-treemap]');
const table = document.querySelector('[data-treemap-table]');
if (host instanceof HTMLElement && table instanceof HTMLTableElement) {
    const frame = h('div', { class: 'treemap-frame' });
    const note = h('span', { class: 'hint' });
    /** @type {[Figure, string, string][]} */
    const choices = [
        ['bytes', 'Own bytes', 'Bytes of the values alone; they add up to the heap'],
        ['retained', 'Retained', 'Bytes that would be free without them; nested classes count for both'],
    ];
    const buttons = choices.map(([value, text, title]) => {
        const button = h('button', { type: 'button', title, 'data-by': value }, text);
        button.addEventListener('click', () => state.set({ by: value === 'bytes' ? null : value }));

        return button;
    });
    host.append(h('div', { class: 'treemap-bar' }, h('span', { class: 'choice', role: 'group', 'aria-label': 'Size of the areas' }, ...buttons), note), frame);
    const map = new Treemap(frame, groupsOf(table), Number(host.dataset.whole ?? 0));
    const show = () => {
        /** @type {Figure} */
        const by = state.get('by') === 'retained' ? 'retained' : 'bytes';
        buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.dataset.by === by)));
        note.textContent = by === 'retained' ? 'Areas overlap: what one class holds within another counts for both.' : '';
        map.show(by);
    };
    state.watch(['by'], show);
    show();
}

const tree = document.querySelector('[data-tree]');
if (tree !== null) {
    retainedTree(tree);
}

if (document.querySelector('[data-results]') !== null) {
    sortInPlace();
}
