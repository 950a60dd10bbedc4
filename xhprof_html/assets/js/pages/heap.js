/** Heap snapshots: the treemap, the retained tree, tables that are sorted without leaving the page. */
import { h } from '../core/dom.js';
import { state } from '../core/state.js';
import { retainedTree } from '../heap/retained-tree.js';
import { groupsOf } from '../heap/treemap-model.js';
import { Treemap } from '../heap/treemap.js';

/** @typedef {import('../heap/treemap-model.js').Figure} Figure */

const host = document.querySelector('[data-treemap]');
const table = document.querySelector('[data-treemap-table]');
if (host instanceof HTMLElement && table instanceof HTMLTableElement) {
    const frame = h('div', { class: 'treemap-frame' });
    const note = h('span', { class: 'hint' });
    /** @type {[Figure, string, string][]} */
    const choices = [
        ['bytes', 'Own bytes', 'What they take themselves; together it is the heap'],
        ['retained', 'Retained', 'What would be free without them; what a class holds within another counts for both'],
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
        note.textContent = by === 'retained' ? 'Areas overlap in what they stand for: what one class holds within another counts for both.' : '';
        map.show(by);
    };
    state.watch(['by'], show);
    show();
}

const tree = document.querySelector('[data-tree]');
if (tree !== null) {
    retainedTree(tree);
}

document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('[data-results] thead a') : null;
    if (link instanceof HTMLAnchorElement && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
        event.preventDefault();
        void sort(link);
    }
});

/** @param {HTMLAnchorElement} link */
async function sort(link) {
    const results = document.querySelector('[data-results]');
    results?.setAttribute('aria-busy', 'true');
    try {
        const response = await fetch(link.href, { headers: { Accept: 'text/html' } });
        const page = new DOMParser().parseFromString(await response.text(), 'text/html');
        const next = page.querySelector('[data-results]');
        const toolbar = page.querySelector('.toolbar');
        if (!response.ok || next === null || toolbar === null || results === null) {
            throw new Error(`No table in the answer (status ${response.status}).`);
        }
        results.replaceWith(next);
        // Its fields were made for the order before; what listens to the form stays.
        const form = document.querySelector('.toolbar form[data-live]');
        form?.querySelectorAll('input[type=hidden]').forEach((field) => field.remove());
        form?.prepend(...[...toolbar.querySelectorAll('form[data-live] input[type=hidden]')].map((field) => document.importNode(field, true)));
        history.replaceState(null, '', link.href);
        /** @type {HTMLElement | null} */ (next.querySelector('th[aria-sort] a'))?.focus();
    } catch {
        // An ordinary load shows why.
        location.assign(link.href);
    }
}
