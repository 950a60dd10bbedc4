/**
 * The field in the head of a run's pages: every view searches for its text (`q`), and it offers the functions that match;
 * choosing one selects it (`sel`).
 */
import { loadShared } from './api.js';
import { h, nameElement } from './dom.js';
import { score } from './names.js';
import { state } from './state.js';

/** Most functions that are offered. */
const OFFERED = 12;

/** Time without a keystroke after which the views follow, in ms. */
const PAUSE = 80;

/** @param {Document} page */
export function finders(page) {
    for (const form of page.querySelectorAll('form[data-find]')) {
        const field = form.querySelector('input[type=search]');
        if (form instanceof HTMLFormElement && field instanceof HTMLInputElement) {
            new Finder(form, field);
        }
    }
}

class Finder {
    /**
     * @param {HTMLFormElement} form
     * @param {HTMLInputElement} field
     */
    constructor(form, field) {
        this.form = form;
        this.field = field;
        this.list = h('ul', { class: 'offered', role: 'listbox', id: 'offered', 'aria-label': 'Functions', hidden: true });
        /** @type {string[]} */
        this.names = [];
        this.active = -1;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.timer = undefined;
        form.append(this.list);
        for (const [name, value] of Object.entries({ role: 'combobox', 'aria-expanded': 'false', 'aria-controls': 'offered', 'aria-autocomplete': 'list' })) {
            field.setAttribute(name, value);
        }
        field.addEventListener('focus', () => void loadShared(form.dataset.find ?? '').catch(() => undefined));
        field.addEventListener('input', () => {
            clearTimeout(this.timer);
            this.timer = setTimeout(() => void this.search(), PAUSE);
        });
        field.addEventListener('keydown', (event) => this.key(event));
        field.addEventListener('blur', () => this.close());
        form.addEventListener('submit', (event) => {
            event.preventDefault();
            this.choose(Math.max(this.active, 0));
        });
        state.watch(['q'], () => {
            if (document.activeElement !== field) {
                field.value = state.get('q');
            }
        });
    }

    async search() {
        const query = this.field.value.trim();
        if (this.form.dataset.open === undefined) {
            state.set({ q: query });
        }
        // A pattern is no part of a name.
        if (query === '' || query.startsWith('/')) {
            this.close();
            return;
        }
        try {
            const data = await loadShared(this.form.dataset.find ?? '');
            if (query === this.field.value.trim() && document.activeElement === this.field) {
                this.offer(bestMatches(data, query));
            }
        } catch {
            // The views report errors themselves.
            this.close();
        }
    }

    /** @param {string[]} names */
    offer(names) {
        this.names = names;
        this.active = -1;
        this.list.replaceChildren(...names.map((name, index) => {
            const item = h('li', { role: 'option', id: `offered-${index}`, 'aria-selected': 'false' }, nameElement(name, { limit: 120 }));
            // Before the field loses the focus.
            item.addEventListener('mousedown', (event) => {
                event.preventDefault();
                this.choose(index);
            });

            return item;
        }));
        this.list.hidden = names.length === 0;
        this.field.setAttribute('aria-expanded', String(names.length > 0));
        this.field.removeAttribute('aria-activedescendant');
    }

    close() {
        this.offer([]);
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        if (event.key === 'Escape') {
            event.preventDefault();
            if (this.list.hidden) {
                this.field.blur();
            }
            this.close();
        } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && this.names.length > 0) {
            event.preventDefault();
            this.mark((this.active + (event.key === 'ArrowDown' ? 1 : this.names.length)) % this.names.length);
        }
    }

    /** @param {number} index */
    mark(index) {
        this.active = index < 0 ? this.names.length - 1 : index;
        for (const [at, item] of [...this.list.children].entries()) {
            item.setAttribute('aria-selected', String(at === this.active));
            if (at === this.active) {
                item.scrollIntoView({ block: 'nearest' });
                this.field.setAttribute('aria-activedescendant', item.id);
            }
        }
    }

    /** @param {number} index */
    choose(index) {
        const name = this.names[index];
        const { open } = this.form.dataset;
        clearTimeout(this.timer);
        if (open !== undefined) {
            if (name !== undefined) {
                location.assign(`${open}&symbol=${encodeURIComponent(name)}`);
            }
            return;
        }
        state.set({ q: this.field.value.trim() });
        if (name !== undefined) {
            state.set({ sel: name });
        }
        this.close();
        this.field.blur();
        if (name !== undefined) {
            // Arrows and Enter go on from there.
            /** @type {HTMLElement | null} */ (document.querySelector('table:is([role=grid], [role=treegrid])'))?.focus({ preventScroll: true });
        }
    }
}

/**
 * @param {{ names: string[], m: Record<string, number[]> }} data of get=functions
 * @param {string} query
 * @returns {string[]} names that answer it best; of equal ones the more costly first
 */
export function bestMatches(data, query) {
    const cost = data.m.wt ?? Object.values(data.m)[0] ?? [];
    /** @type {{ at: number, score: number }[]} */
    const found = [];
    for (const [at, name] of data.names.entries()) {
        const value = score(name, query);
        if (value > 0) {
            found.push({ at, score: value });
        }
    }
    found.sort((a, b) => b.score - a.score || (cost[b.at] ?? 0) - (cost[a.at] ?? 0));

    return found.slice(0, OFFERED).map(({ at }) => data.names[at] ?? '');
}
