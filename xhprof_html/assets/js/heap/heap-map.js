/**
 * The treemap of a heap: by holder, where a click leads into a node and the browser's way back out again; or by type. What it
 * shows is in the address: `by` (holder if it is missing, bytes, retained), `at` (address of the node it is open at).
 */
import { loadJson, messageOf } from '../core/api.js';
import { buttonFor, h, onLink } from '../core/dom.js';
import { figure, share } from '../core/format.js';
import { replaced, state } from '../core/state.js';
import { itemsOf, itemsOfTable } from './treemap-model.js';
import { Treemap } from './treemap.js';

/**
 * @typedef {import('./treemap-model.js').Branch} Branch
 * @typedef {import('./treemap-model.js').Item} Item
 * @typedef {{ usage: number, tree: string, above: { at: string, name: string }[], top: Branch }} Answer
 */

/** [by, label, tooltip]; the first is what opens. */
const CHOICES = /** @type {const} */ ([
    ['', 'By holder', 'Each area holds those within it: they would be free without it'],
    ['bytes', 'By type', 'Bytes of the values alone; they add up to the heap'],
    ['retained', 'By type, retained', 'Bytes that would be free without them; nested classes count for both'],
]);

export class HeapMap {
    /** @type {AbortController | null} */
    #loading = null;
    /** @type {Answer | null} */
    #shown = null;

    /**
     * @param {HTMLElement} host
     * @param {HTMLTableElement} types table by type
     * @param {HTMLTableElement} holders table that shows the same as the map by holder
     * @param {string} address of the data by holder
     */
    constructor(host, types, holders, address) {
        this.types = types;
        this.holders = holders;
        this.address = address;
        this.frame = h('div', { class: 'treemap-frame' });
        this.note = h('span', { class: 'hint', role: 'status' });
        this.path = h('nav', { class: 'treemap-path', 'aria-label': 'Holders' });
        this.buttons = CHOICES.map(([by, text, title]) => buttonFor(() => state.set({ by: by === '' ? null : by, at: null }), { title, 'data-by': by }, text));
        host.append(
            h('div', { class: 'treemap-bar' }, h('span', { class: 'choice', role: 'group', 'aria-label': 'Treemap' }, ...this.buttons), this.note),
            this.path,
            this.frame,
        );
        this.map = new Treemap(this.frame, Number(host.dataset.whole ?? 0), (item) => this.#into(item.at), () => this.#out());
        for (const part of [this.path, holders]) {
            onLink(part, 'a[data-at]', (link) => this.#into(link.dataset.at ?? ''));
        }
        state.watch(['by', 'at'], () => void this.show());
        void this.show();
    }

    async show() {
        this.#loading?.abort();
        const by = state.get('by');
        const isByType = by === 'bytes' || by === 'retained';
        this.buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.dataset.by === (isByType ? by : ''))));
        this.path.hidden = isByType;
        this.types.closest('details')?.toggleAttribute('hidden', !isByType);
        this.holders.closest('details')?.toggleAttribute('hidden', isByType);
        if (isByType) {
            this.note.textContent = by === 'retained' ? 'Areas overlap: what one class holds within another counts for both.' : '';
            this.map.show(itemsOfTable(this.types, by));
            return;
        }
        this.note.textContent = '';
        const at = state.get('at');
        const loading = this.#loading = new AbortController();
        this.frame.setAttribute('aria-busy', 'true');
        try {
            const answer = /** @type {Answer} */ (await loadJson(this.address + (at === '' ? '' : `&node=${encodeURIComponent(at)}`), { signal: loading.signal }));
            this.#shown = answer;
            this.#showPath(answer);
            this.#showTable(answer);
            this.map.show(itemsOf(answer.top, answer.tree));
            this.note.textContent = answer.top.count > 0 ? '' : 'It holds nothing alone.';
        } catch (error) {
            if (!loading.signal.aborted) {
                this.note.textContent = messageOf(error);
            }
        } finally {
            if (this.#loading === loading) {
                this.frame.removeAttribute('aria-busy');
            }
        }
    }

    /** @param {string} at */
    #into(at) {
        state.set({ at: at === '' ? null : at }, { push: true });
    }

    #out() {
        if (this.#shown !== null && !this.path.hidden && this.#shown.top.at !== '') {
            this.#into(this.#shown.above.at(-1)?.at ?? '');
        }
    }

    /** @param {Answer} answer */
    #showPath({ above, top, usage }) {
        const link = (/** @type {string} */ at, /** @type {string} */ name) => h('a', { href: `?${replaced(location.search, { at })}`, 'data-at': at }, name);
        const had = this.path.contains(document.activeElement);
        const steps = top.at === '' ? [] : [link('', 'The heap'), ...above.map(({ at, name }) => link(at, name))];
        this.path.replaceChildren(
            ...(top.at === '' ? [] : [buttonFor(() => this.#out(), { title: 'Esc' }, '↑ Out')]),
            ...steps.flatMap((step) => [step, ' › ']),
            h('span', { 'aria-current': 'location' }, top.name),
            ` ${figure(top.retained, 'bytes')}, ${share(top.retained, usage)}`,
            ...(top.url === '' ? [] : [' · ', h('a', { href: top.url }, 'details')]),
        );
        if (had) {
            (this.path.querySelector('button') ?? this.map.canvas).focus();
        }
    }

    /** @param {Answer} answer */
    #showTable({ top, tree, usage }) {
        const had = this.holders.contains(document.activeElement);
        const rows = itemsOf(top, tree).map((item) => {
            const link = item.at !== '' ? h('a', { href: `?${replaced(location.search, { at: item.at })}`, 'data-at': item.at }, item.name)
                : item.url === '' ? item.name : h('a', { href: item.url }, item.name);

            return h(
                'tr',
                {},
                h('th', { scope: 'row', class: 'text' }, link),
                h('td', { class: 'num m-bytes' }, figure(item.own, 'bytes')),
                h('td', { class: 'num m-retained main' }, h('b', {}, figure(item.retained, 'bytes')), h('span', { class: 'p' }, ` ${share(item.retained, usage)}`)),
            );
        });
        this.holders.tBodies[0]?.replaceChildren(...rows);
        if (had) {
            this.holders.querySelector('a')?.focus();
        }
    }
}
