/** Controls around the views of call paths: switches, the search, the legend, the figures of a frame. */
import { loadJson } from '../core/api.js';
import { buttonFor, h, svg } from '../core/dom.js';
import { figure, partOf, share } from '../core/format.js';
import { baseName } from '../core/names.js';
import { state } from '../core/state.js';
import { Matching } from '../profile/matching.js';

/**
 * @typedef {import('../flame/layout.js').FrameLayout} FrameLayout
 * @typedef {import('../profile/tree.js').Metric} Metric
 */

/**
 * Makes a row of buttons of which one is pressed.
 *
 * @template {string} T
 * @param {string} label
 * @param {[value: T, text: string, title: string][]} choices
 * @param {(value: T) => void} choose
 * @returns {{element: HTMLElement, show: (value: T) => void}}
 */
export function choice(label, choices, choose) {
    const buttons = choices.map(([value, text, title]) => buttonFor(() => choose(value), { title, 'aria-pressed': 'false' }, text));

    return {
        element: h('span', { class: 'choice', role: 'group', 'aria-label': label }, ...buttons),
        show: (value) => buttons.forEach((button, index) => button.setAttribute('aria-pressed', String(choices[index][0] === value))),
    };
}

/**
 * @param {string} label
 * @param {(value: string) => void} choose
 * @returns {{element: HTMLElement, fill: (options: [value: string, text: string][]) => void, show: (value: string) => void}}
 */
export function list(label, choose) {
    const select = h('select', {});
    select.addEventListener('change', () => choose(select.value));

    return {
        element: h('label', {}, `${label} `, select),
        fill: (options) => select.replaceChildren(...options.map(([value, text]) => h('option', { value }, text))),
        show: (value) => {
            select.value = value;
        },
    };
}

/**
 * Makes the choice of a metric: until the data are there, of the metrics that the page knows. Without any it is hidden.
 *
 * @param {HTMLElement} island
 * @returns {{element: HTMLElement, fill: (metrics: Pick<Metric, 'k' | 'label'>[]) => void, show: (value: string) => void}}
 */
export function metricChoice(island) {
    const { element, fill: choices, show } = list('Metric', (value) => state.set({ metric: value }));
    const fill = (/** @type {Pick<Metric, 'k' | 'label'>[]} */ metrics) => {
        choices(metrics.map(({ k, label }) => [k, label]));
        element.hidden = metrics.length === 0;
    };
    /** @type {Pick<Metric, 'k' | 'label'>[]} */
    const known = JSON.parse(island.dataset.metrics ?? '[]');
    fill(known);
    show(state.metric(known.map(({ k }) => k)));

    return { element, fill, show };
}

/**
 * @param {HTMLElement} island
 * @returns {import('../profile/lit.js').Lit | null} the finding in the address; null where none is asked for, or the run has it not
 */
export function litIn({ dataset: { lit = '' } }) {
    return (lit === '' ? [] : [JSON.parse(lit)].flat()).find(({ id }) => id === state.get('lit')) ?? null;
}

/**
 * @param {HTMLElement} island
 * @returns {Promise<import('../profile/time-parts.js').Kinds | null>} how the run's time is split; null where it is not known
 */
export async function kindsOf({ dataset: { kinds } }) {
    return kinds === undefined ? null : loadJson(kinds).catch(() => null);
}

/**
 * Starts a view on each element marked for it.
 *
 * @param {string} view
 * @param {(island: HTMLElement) => void} start
 */
export function startIslands(view, start) {
    for (const island of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-view="${view}"]`))) {
        start(island);
    }
}

/**
 * Toggles a key of the address: sets the value, or removes it where it is set.
 *
 * @param {string} key
 * @param {string} value
 */
export function toggleState(key, value) {
    state.set({ [key]: state.get(key) === value ? null : value });
}

/**
 * Makes two buttons, to the one before and the next.
 *
 * @param {string} what
 * @param {(step: -1 | 1) => void} go
 */
export function stepper(what, go) {
    const button = (/** @type {-1 | 1} */ step, /** @type {string} */ word, /** @type {string} */ text, /** @type {string} */ key) => buttonFor(() => go(step), { title: `${word} ${what} (${key})`, 'aria-label': `${word} ${what}` }, text);

    return h('span', { class: 'stepper', hidden: true }, button(-1, 'Previous', '‹', ','), button(1, 'Next', '›', '.'));
}

export function tableToggle() {
    return buttonFor(() => {
        toggleState('table', '1');
        // The table stands below the picture, often out of sight.
        document.querySelector('.flame-table:not([hidden])')?.scrollIntoView({ block: 'nearest' });
    }, { 'aria-pressed': 'false' }, 'Table');
}

/** @param {'time' | 'heavy'} usual */
export function orderChoice(usual) {
    return choice('Order', [
        ['time', 'First-call order', 'Callees in the order of their first call. Calls of one path are merged: this is not a timeline'],
        ['heavy', 'Left heavy', 'The widest callee first'],
    ], (/** @type {'time' | 'heavy'} */ value) => state.set({ order: value === usual ? null : value }));
}

/**
 * @param {string[]} names
 * @returns {number} the selected function, -1 for none
 */
export function selectedFunction(names) {
    const name = state.get('sel');

    return name === '' ? -1 : Math.max(names.indexOf(name), names.indexOf(baseName(name)));
}

/**
 * @param {HTMLElement} element
 * @param {Pick<import('../flame/colours.js').Colouring, 'title' | 'legend'>} colouring
 * @param {string} [hint]
 */
export function showLegend(element, colouring, hint = 'Click: zoom · drag: move · Ctrl + wheel: zoom') {
    element.replaceChildren(
        h('span', {}, `${colouring.title}:`),
        ...colouring.legend.map(({ variable, text, title }) => {
            const swatch = svg('rect', { width: 14, height: 12 });
            swatch.style.fill = `var(${variable})`;
            if (variable === '--frame-gone') {
                swatch.setAttribute('class', 'gone');
            }

            return h('span', title === undefined ? {} : { title }, variable === '' ? null : svg('svg', { viewBox: '0 0 14 12', 'aria-hidden': 'true' }, swatch), text);
        }),
        h('span', { class: 'hint' }, hint),
    );
}

/**
 * @param {HTMLElement} element
 * @param {string} message why call paths that were left out cannot be loaded
 */
export function showMissing(element, message) {
    element.textContent = `More call paths cannot be loaded. ${message}`;
    element.hidden = false;
}

/**
 * Lists the figures of a frame of a run.
 *
 * @param {FrameLayout} layout
 * @param {Metric} metric
 * @param {number} node
 * @param {number} root the zoomed frame
 * @param {import('../core/format.js').Counted} counted
 * @returns {import('../flame/view.js').FrameDetails}
 */
export function frameDetails(layout, { k, unit }, node, root, counted) {
    const inclusive = layout.inclusive[node];
    const calls = layout.ct[node];
    const of = (/** @type {number} */ value) => [figure(value, unit), partOf(value, layout.total)].filter((text) => text !== '').join(', ');
    /** @type {[string, string][]} */
    const lines = [
        [counted.inclusive ?? 'Total', of(inclusive)],
        [counted.exclusive ?? 'Self', of(layout.self[node])],
    ];
    if (root > 0) {
        lines.push(['Of the zoomed frame', share(inclusive, layout.inclusive[root])]);
    }
    if (layout.width[node] !== inclusive) {
        lines.push(['Freed below', figure(layout.width[node] - inclusive, unit)]);
    }
    if (k !== 'ct') {
        lines.push([counted.label, figure(calls, 'count')]);
        if (calls > 0 && counted.isCalls) {
            lines.push([counted.inclusive === undefined ? 'Total per call' : 'Per kept call', figure(inclusive / calls, unit)]);
        }
    }

    return { title: '', lines };
}

/** The search of a view of call paths: for the text in the address (`q`). */
export class Search {
    /** @type {Uint8Array | null} per function whether it is searched for; null without a search */
    matches = null;
    /** Why nothing is found, '' for no reason. */
    problem = '';
    /** @type {Matching} */
    #matching = new Matching([]);

    /** @param {() => void} show what has been found */
    constructor(show) {
        this.show = show;
    }

    /** @param {string[]} names of the view's functions */
    update(names) {
        if (this.#matching.names !== names) {
            this.#matching = new Matching(names);
        }
        const text = state.get('q');
        const found = this.#matching.now(text);
        if (found !== null) {
            this.#set(found);
            return;
        }
        void this.#matching.find(text).then((later) => {
            if (state.get('q') === text && this.#matching.names === names) {
                this.#set(later);
            }
        });
    }

    /** @param {import('../profile/matching.js').Found} found */
    #set({ matches, problem }) {
        this.matches = matches;
        this.problem = problem;
        this.show();
    }
}
