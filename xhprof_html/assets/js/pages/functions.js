/**
 * The functions of a run: all rows at once, sorted and filtered here. They replace the first hundred, sent by PHP, as soon as the
 * figures are there; without JavaScript those stay.
 */
import { loadJson, loadShared } from '../core/api.js';
import { bar, h, isPlain, nameElement, placeElement } from '../core/dom.js';
import { counts, exact, figure, grouped, labelInSentence, share } from '../core/format.js';
import { inspector } from '../core/inspector.js';
import { describeKey } from '../core/keys.js';
import { visible } from '../core/names.js';
import { replaced, state } from '../core/state.js';
import { Matching } from '../profile/matching.js';
import { patternIn } from '../profile/search.js';
import { BY_NAME } from '../table/column-order.js';
import { FunctionsModel } from '../table/functions-model.js';
import { VirtualTable } from '../table/virtual-table.js';

/** @typedef {import('../core/format.js').Unit} Unit */
/** @typedef {{ key: string, label: string, title: string, unit: Unit, base: string }} Column */

/**
 * @param {string} noun what a row is: "function", "plug-in"
 * @returns {Column}
 */
const NAME = (noun) => ({ key: BY_NAME, label: noun.charAt(0).toUpperCase() + noun.slice(1), title: `Name of the ${noun}`, unit: 'count', base: 'fn' });

/** Widths of columns in px, as in views.css, and the least and most width of a name: few columns are not stretched. */
const PLAIN = 76;
const WIDE = 128;
const CALLS = 104;
const MIN_NAME = 240;
const MOST_NAME = 720;

/** Rows that are in the document in any case. */
const IN_SIGHT = 40;

/** Longest name that fits into a URL. */
const LONGEST_NAME = 1500;

class FunctionsView {
    /**
     * @param {HTMLElement} element
     * @param {import('../table/functions-model.js').FunctionsData} data
     */
    constructor(element, data) {
        this.element = element;
        this.model = new FunctionsModel(data);
        this.name = NAME(element.dataset.noun ?? 'function');
        this.matching = new Matching(data.names);
        this.table = new VirtualTable({
            label: `${this.name.label}s of this run`,
            className: 'data functions run-functions',
            row: (index) => this.#row(index),
            onSelect: (index) => {
                const name = this.model.data.names[this.model.rows[index] ?? 0] ?? '';
                state.set({ sel: name.length > LONGEST_NAME ? null : name });
            },
            onOpen: (index) => this.#open(this.model.rows[index] ?? 0),
        });
        this.count = h('p', { class: 'count', 'aria-live': 'polite' });
        this.empty = h('p', { class: 'empty', hidden: true }, `No ${element.dataset.noun ?? 'function'} matches.`);
        /** The selected function; none in an exported file. @type {HTMLElement | undefined} */
        this.aside = undefined;
        /** @type {Column[]} */
        this.columns = [];
        this.narrow = matchMedia('screen and (max-width: 760px)');
        new ResizeObserver(() => {
            const before = this.columns.map(({ key }) => key).join();
            this.#head();
            if (this.columns.map(({ key }) => key).join() !== before) {
                this.table.update(this.model.rows.length);
            }
        }).observe(element);
        this.#sort();
        this.#replace();
        this.#inspect();
        this.#select(true);
        state.watch(['sort', 'dir', 'metric'], () => {
            this.#sort();
            this.table.update(this.model.rows.length);
            this.#select(false);
        });
        state.watch(['q'], () => void this.#search());
        if (patternIn(state.get('q')) !== null) {
            void this.#search();
        }
        state.watch(['sel'], () => this.#select(true));
        requestIdleCallback?.(() => this.model.rank());
    }

    /** Removes the table that PHP has sent; the switches and the run's facts stay. */
    #replace() {
        const line = this.element.querySelector('.line') ?? h('div', { class: 'line' });
        const focused = document.activeElement;
        const hadFocus = this.element.contains(focused) && !line.contains(focused);
        line.querySelector('.count:not(.switches)')?.remove();
        line.prepend(this.count);
        this.element.replaceChildren(line, this.empty, this.table.element);
        this.#show();
        if (hadFocus) {
            this.table.table.focus();
        }
    }

    /** Shows the selected function as the other views do. An exported file has that by itself. */
    #inspect() {
        const { symbol } = this.element.dataset;
        if (symbol === undefined) {
            return;
        }
        this.aside = h('aside', { class: 'inspector', 'aria-label': 'Selected function', tabindex: -1, 'data-closes': '' });
        const both = h('div', { class: 'with-inspector' });
        this.element.before(both);
        both.append(this.element, this.aside);
        new ResizeObserver(() => this.#keepInSight(both)).observe(this.aside);
        inspector(this.aside, (name, signal) => loadJson(`${symbol}&symbol=${encodeURIComponent(name)}`, { signal }));
        this.aside.addEventListener('keydown', (event) => {
            if (event.key === 'Enter' && event.target === this.aside) {
                location.assign(this.#url(this.model.rows[this.table.selected] ?? 0));
            } else if (event.key === 'Escape') {
                event.stopPropagation();
                this.table.table.focus();
            }
        });
    }

    /**
     * The inspector makes the table above it shorter when it opens, and may lie over the selected row.
     *
     * @param {HTMLElement} both
     */
    #keepInSight(both) {
        const { table, aside } = this;
        if (table.selected < 0 || (aside?.offsetHeight ?? 0) === 0) {
            return;
        }
        table.select(table.selected);
        const row = table.shown.get(table.selected)?.getBoundingClientRect();
        const over = aside?.getBoundingClientRect();
        if (row !== undefined && over !== undefined && over.left < row.right && row.bottom > over.top) {
            both.scrollIntoView({ block: 'end' });
        }
    }

    /**
     * Goes to the figures of a function; to its page where there are none beside the table, as of a name too long for an address.
     *
     * @param {number} row
     */
    #open(row) {
        const name = this.model.data.names[row] ?? '';
        if (this.aside === undefined || name.length > LONGEST_NAME) {
            location.assign(this.#url(row));
            return;
        }
        state.set({ sel: name });
        this.aside.focus();
    }

    #show() {
        const { rows, size, query } = this.model;
        this.empty.hidden = rows.length > 0;
        this.table.element.hidden = rows.length === 0;
        this.table.update(rows.length);
        this.count.replaceChildren(...(query === ''
            ? [`${grouped(size)} ${size === 1 ? 'row' : 'rows'}`, size > IN_SIGHT ? h('span', { class: 'hint' }, '; Ctrl+F finds those in sight, the search field all') : '']
            : [`${grouped(rows.length)} of ${grouped(size)} rows match `]));
        if (query !== '') {
            const clear = h('a', { href: `?${replaced(location.search, { q: null })}` }, 'Clear the filter');
            clear.addEventListener('click', (event) => {
                event.preventDefault();
                state.set({ q: null });
            });
            this.count.append(h('q', {}, visible(query, 80)), ' · ', clear);
        }
    }

    /** Follows the search in the address. */
    async #search() {
        const query = state.get('q').trim();
        /** @type {import('../profile/matching.js').Found | null} */
        const found = patternIn(query) === null ? null : await this.matching.find(query);
        if (query === state.get('q').trim()) {
            this.model.filter(query, found?.matches ?? null);
            this.empty.textContent = found?.problem ? `${found.problem}.` : `No ${this.element.dataset.noun ?? 'function'} matches.`;
            this.table.element.scrollTop = 0;
            this.#show();
            this.#select(false);
        }
    }

    #sort() {
        const metric = state.metric(this.model.metrics);
        const wanted = state.get('sort');
        const own = `excl_${metric}`;
        this.key = wanted !== '' && this.model.has(wanted) ? wanted : (this.model.has(own) ? own : metric);
        const natural = this.key !== BY_NAME;
        this.descending = { asc: false, desc: true }[state.get('dir')] ?? natural;
        this.main = metric;
        this.model.query = state.get('q').trim();
        this.model.sort(this.key, this.descending);
        this.#head();
    }

    /**
     * @param {string[]} keys of columns besides calls
     * @returns {number} px, with the calls
     */
    #width(keys) {
        const isWide = (/** @type {string} */ key) => key === this.main || key === `excl_${this.main}`;

        return keys.reduce((sum, key) => sum + (isWide(key) ? WIDE : PLAIN), CALLS);
    }

    #head() {
        // Samples are not calls: there are no figures per call.
        const isSampled = !counts().isCalls;
        const room = this.element.clientWidth || Infinity;
        const groups = this.model.fittingGroups(this.main ?? '', (keys) => MIN_NAME + this.#width(keys) <= room)
            .map(({ metric, keys }) => ({ metric, keys: isSampled ? keys.filter((key) => !key.startsWith('per_')) : keys }));
        const label = (/** @type {string} */ key) => key.startsWith('excl_') ? 'Self' : (key.startsWith('per_') ? 'Per call' : 'Total');
        this.columns = [
            {
                key: 'ct', label: counts().label, title: isSampled ? 'Samples taken in the function itself' : 'Number of calls', unit: 'count', base: 'ct',
            },
            ...groups.flatMap(({ metric, keys }) => keys.map((key) => ({
                key, label: label(key), title: title(key, metric.label), unit: metric.unit, base: metric.k,
            }))),
        ];
        this.table.element.style.maxWidth = this.narrow.matches ? '' : `${MOST_NAME + this.#width(this.columns.slice(1).map(({ key }) => key))}px`;
        const lines = this.narrow.matches ? [this.#narrowHead()] : this.#wideHead(groups);
        const focused = this.table.head.contains(document.activeElement) ? this.key : null;
        this.table.head.replaceChildren(...lines);
        this.table.columns.replaceChildren(
            h('col', { class: 'c-name' }),
            ...this.columns.map((column) => h('col', { class: this.#classOf(column) })),
        );
        if (focused !== null) {
            /** @type {HTMLElement | null} */ (this.table.head.querySelector('th[aria-sort] a'))?.focus();
        }
    }

    /**
     * @param {{ metric: import('../table/functions-model.js').Metric, keys: string[] }[]} groups
     * @returns {HTMLTableRowElement[]}
     */
    #wideHead(groups) {
        const first = h('tr', { 'aria-rowindex': 1 }, this.#heading(this.name, 2), this.#heading(this.columns[0], 2));
        const second = h('tr', { 'aria-rowindex': 2 });
        for (const { metric, keys } of groups) {
            first.append(h('th', { scope: 'colgroup', colspan: keys.length, class: `group m-${metric.k}${metric.k === this.main ? '' : ' k-mid'}` }, metric.label));
            second.append(...keys.map((key) => this.#heading(this.columns.find((column) => column.key === key), 1)));
        }

        return [first, second];
    }

    /**
     * Narrow screens have room for the calls and one figure: the one that the rows are sorted by, or the inclusive one.
     *
     * @returns {HTMLTableRowElement}
     */
    #narrowHead() {
        const wanted = this.columns.find(({ key, base }) => key === this.key && base !== 'ct')
            ?? this.columns.find(({ key }) => key === this.main);
        this.columns = this.columns.filter((column) => column.key === 'ct' || column === wanted);

        return h('tr', { 'aria-rowindex': 1 }, this.#heading(this.name, 1), ...this.columns.map((column) => this.#heading(column, 1)));
    }

    /** @param {Column} column */
    #classOf({ key, base }) {
        return `num m-${base}${[this.main, 'ct'].includes(base) || key === this.key ? '' : ' k-mid'}${key.startsWith('per_') ? ' per' : ''}${base === this.main && !key.startsWith('per_') ? ' wide' : ''}${key === this.key ? ' main' : ''}`;
    }

    /**
     * @param {Column | undefined} column
     * @param {number} rows
     * @returns {HTMLTableCellElement}
     */
    #heading(column, rows) {
        if (column === undefined) {
            return h('th');
        }
        const { key, label, title: words } = column;
        const isSorted = key === this.key;
        const natural = key !== BY_NAME;
        const descending = isSorted ? !this.descending : natural;
        const next = {
            sort: key,
            dir: descending === natural ? null : (descending ? 'desc' : 'asc'),
            // Sorting by a metric chooses it for all views.
            ...(key === BY_NAME || key === 'ct' ? { metric: this.main ?? null } : { metric: null }),
        };
        const link = h('a', { href: `${location.pathname.replace(/^.*\//, '')}?${replaced(location.search, next)}`, title: `Sort by: ${words.toLowerCase()}` }, label);
        if (isSorted) {
            link.append(h('span', { class: 'arrow', 'aria-hidden': 'true' }, this.descending ? ' ▼' : ' ▲'));
        }
        link.addEventListener('click', (event) => {
            if (isPlain(event)) {
                event.preventDefault();
                this.table.element.scrollTop = 0;
                state.set(next);
            }
        });

        return h('th', {
            scope: 'col',
            rowspan: rows > 1 ? rows : null,
            class: key === BY_NAME ? `text${isSorted ? ' main' : ''}` : this.#classOf(column),
            'aria-sort': isSorted ? (this.descending ? 'descending' : 'ascending') : null,
        }, link);
    }

    /**
     * @param {number} index
     * @returns {HTMLTableRowElement}
     */
    #row(index) {
        const row = this.model.rows[index] ?? 0;
        const name = this.model.data.names[row] ?? '';
        const link = h('a', { href: this.#url(row), tabindex: -1 }, nameElement(name, { short: this.narrow.matches, breaks: false }));
        const place = this.model.place(row);
        const tr = h(
            'tr',
            {},
            h('th', { scope: 'row', class: 'text', title: visible(name, 1000) }, link, place && placeElement(place, { tabindex: -1 })),
        );
        for (const column of this.columns) {
            tr.append(this.#cell(row, column));
        }

        return tr;
    }

    /**
     * @param {number} row
     * @param {Column} column
     * @returns {HTMLTableCellElement}
     */
    #cell(row, column) {
        const value = this.model.column(column.key)[row] ?? NaN;
        const td = h('td', { class: this.#classOf(column) });
        if (Number.isNaN(value)) {
            return td;
        }
        const total = this.model.data.total[column.base] ?? 0;
        const isPart = column.base !== 'ct' && !column.key.startsWith('per_') && column.unit !== 'count' && total > 0
            && (column.base !== 'mu' || (value >= 0 && value <= total));
        const words = isPart ? share(value, total) : '';
        td.title = exact(value, column.unit) + (words === '' ? '' : `, ${words}`);
        if (isPart && value > 0 && column.base === this.main) {
            td.append(bar(value / total, column.unit === 'bytes' ? 'memory' : 'time'));
        }
        td.append(h('span', { class: 'v' }, figure(value, column.unit)));
        if (words !== '') {
            td.append(h('span', { class: 'p' }, words));
        }

        return td;
    }

    /**
     * @param {number} row
     * @returns {string}
     */
    #url(row) {
        const hash = this.model.data.hashes?.[String(row)];
        const symbol = hash === undefined
            ? `${this.element.dataset.row ?? 'symbol'}=${encodeURIComponent(this.model.data.names[row] ?? '')}`
            : `symbol_hash=${hash}`;

        return `${this.element.dataset.link ?? ''}&sort=${this.key}&${symbol}`;
    }

    /** @param {boolean} reveal */
    #select(reveal) {
        const name = state.get('sel');
        const row = name === '' ? -1 : this.model.rowOf(name);
        const index = row < 0 ? -1 : this.model.rows.indexOf(row);
        if (index !== this.table.selected || (index >= 0 && !this.table.shown.has(index))) {
            this.table.select(index, reveal);
        }
    }
}

/**
 * @param {string} key
 * @param {string} label
 * @returns {string} "Self wall time", "Total CPU time per call"
 */
function title(key, label) {
    return `${key.startsWith('excl_') ? 'Self' : 'Total'} ${labelInSentence({ label })}${key.startsWith('per_') ? ' per call' : ''}`;
}

const element = document.querySelector('[data-view="functions"]');
if (element instanceof HTMLElement) {
    describeKey('↑ / ↓', 'Select a function', 'Table');
    describeKey('Enter', "To the selected function's figures; again: its page", 'Table');
    loadShared(element.dataset.functions ?? '').then(
        (data) => new FunctionsView(element, data),
        () => element.classList.add('not-live'), // The table that PHP has sent stays.
    );
}
