/**
 * The selected function, beside any view: its figures, callers and callees. All views share one selection: `sel` in the
 * address.
 */
import { messageOf } from './api.js';
import { bar, buttonFor, h, nameElement, placeElement, svg } from './dom.js';
import { counts, exact, figure, partOf, share } from './format.js';
import { visible } from './names.js';
import { state } from './state.js';

/**
 * @typedef {import('./format.js').Unit} Unit
 * @typedef {Record<string, number>} Row ct, wt, excl_wt...
 * @typedef {Row & { name: string }} Neighbour inclusive figures of the calls between the two
 * @typedef {{by: string, parts: {key: string, label: string, us: number}[]}} TimeParts
 * @typedef {object} SymbolData as api.php?get=symbol gives it
 * @property {string} name
 * @property {{ k: string, unit: Unit, label: string }[]} metrics
 * @property {Row} total of the whole run
 * @property {Row} row
 * @property {Neighbour[]} callers
 * @property {Neighbour[]} callees
 * @property {Record<string, string>} [links] label => relative URL
 * @property {import('./dom.js').Place | null} [place] where its code is
 * @property {TimeParts | null} [where] where its time was, with its callees
 * @property {{ name: string, ct: number }[]} [recursion] functions that called it while it was running
 */

/** Callers and callees that show at once. */
const SHOWN = 8;

/**
 * @param {HTMLElement} element is filled with the function's figures, and emptied where nothing is selected
 * @param {(name: string, signal: AbortSignal) => Promise<SymbolData>} provider of get=symbol
 * @returns {{ destroy: () => void }} both `sel` and `metric` are watched until then
 */
export function inspector(element, provider) {
    /** @type {AbortController | undefined} */
    let running;
    /** @type {SymbolData | undefined} */
    let shown;
    const update = async () => {
        const name = state.get('sel');
        running?.abort();
        if (name === '') {
            shown = undefined;
            element.replaceChildren(h('p', { class: 'hint' }, 'Select a function to see its figures, its callers and its callees.'));
            return;
        }
        if (shown?.name === name) {
            render(element, shown);
            return;
        }
        const controller = new AbortController();
        running = controller;
        element.setAttribute('aria-busy', 'true');
        try {
            shown = await provider(name, controller.signal);
            if (!controller.signal.aborted) {
                render(element, shown);
            }
        } catch (error) {
            if (!controller.signal.aborted) {
                shown = undefined;
                element.replaceChildren(
                    h('h2', {}, nameElement(name)),
                    h('p', { class: 'warning' }, messageOf(error)),
                );
            }
        } finally {
            if (running === controller) {
                element.removeAttribute('aria-busy');
            }
        }
    };
    const stop = state.watch(['sel', 'metric', 'sort'], () => void update());
    void update();

    return {
        destroy: () => {
            stop();
            running?.abort();
            element.replaceChildren();
        },
    };
}

/**
 * @param {HTMLElement} element
 * @param {SymbolData} data
 */
function render(element, data) {
    const key = state.metric(data.metrics.map((one) => one.k));
    const metric = data.metrics.find((one) => one.k === key);
    element.replaceChildren(
        ...(element.dataset.closes === undefined ? [] : [buttonFor(() => state.set({ sel: null }), { class: 'close', 'aria-label': 'Close', title: 'Close (Escape)' }, '×')]),
        h('h2', {}, nameElement(data.name)),
        ...(data.place ? [h('p', { class: 'inspected-place' }, placeElement(data.place))] : []),
        ...(metric === undefined ? [] : [valueList(data, metric)]),
        ...(data.where?.parts.length ? [timeBar(data.where)] : []),
        ...((data.recursion ?? []).length === 0 || !counts().isCalls ? [] : [recursion(data.recursion ?? [], data)]),
        h('p', { class: 'inspector-links' }, ...Object.entries(data.links ?? {}).flatMap(([label, url], at) => [at > 0 ? ' ' : '', h('a', { href: url }, label)])),
        ...(metric === undefined ? [] : [
            neighbours('Callers', 'Nothing calls it: the run starts here.', data.callers, data, metric),
            neighbours('Callees', 'It calls nothing that was recorded.', data.callees, data, metric),
        ]),
    );
}

/**
 * @param {SymbolData} data
 * @param {{ k: string, unit: Unit, label: string }} metric
 * @returns {HTMLElement}
 */
function valueList(data, { k, unit, label }) {
    const { ct: calls } = data.row;
    const inclusive = data.row[k] ?? 0;
    const exclusive = data.row[`excl_${k}`] ?? 0;
    const total = data.total[k] ?? 0;
    const line = (/** @type {string} */ term, /** @type {number} */ value, /** @type {Unit} */ of, /** @type {boolean} */ isPart) => h(
        'div',
        { title: exact(value, of) },
        h('dt', {}, term),
        h('dd', {}, figure(value, of), isPart && total > 0 ? h('small', {}, share(value, total)) : null),
    );

    return h(
        'dl',
        { class: 'inspected' },
        line(`${label}, total`, inclusive, unit, true),
        line('Self', exclusive, unit, true),
        ...(calls === undefined ? [] : [line(counts().label, calls, 'count', false)]),
        ...(calls !== undefined && calls > 0 && counts().isCalls ? [line('Total per call', inclusive / calls, unit, false)] : []),
    );
}

/**
 * As templates/time_bar.html.twig.
 *
 * @param {TimeParts} where
 * @returns {HTMLElement}
 */
function timeBar({ by, parts }) {
    const total = parts.reduce((sum, { us }) => sum + us, 0);
    const words = parts.map(({ label, us }) => `${label} ${figure(us * 1000, 'ns')} (${share(us, total)})`).join(', ');
    let x = 0;
    const rects = parts.map(({ key, us }) => {
        const width = 100 * us / total;
        x += width;

        return svg('rect', { class: `t-${key}`, x: x - width, width, height: 1 });
    });

    return h(
        'figure',
        { class: 'where compact' },
        h('figcaption', {}, `Where its total time was${by === 'samples' ? ', by samples' : ''}`),
        svg('svg', { class: 'time-bar', viewBox: '0 0 100 1', preserveAspectRatio: 'none', role: 'img', 'aria-label': words }, ...rects),
        h('ul', { class: 'legend' }, ...parts.map(({ key, label, us }) => h(
            'li',
            { title: exact(us * 1000, 'ns') },
            h('span', { class: `swatch t-${key}`, 'aria-hidden': 'true' }),
            `${label} `,
            h('strong', {}, share(us, total)),
            ` ${figure(us * 1000, 'ns')}`,
        ))),
    );
}

/**
 * @param {{ name: string, ct: number }[]} callers
 * @param {SymbolData} data
 * @returns {HTMLElement}
 */
function recursion(callers, data) {
    const calls = callers.reduce((sum, { ct }) => sum + ct, 0);
    const names = callers.slice(0, 3).flatMap(({ name, ct }, index) => [
        index > 0 ? ', ' : '',
        h('span', { title: `${exact(ct, 'count')} calls` }, name === data.name ? 'itself' : nameElement(name, { limit: 120 })),
    ]);
    const more = callers.length > 3 ? ` and ${callers.length - 3} more` : '';

    return h('p', { class: 'hint', title: 'Total figures count the outermost calls, which include the others' }, 'Recursive: ', figure(calls, 'count'), ' of its calls are nested, made by ', ...names, more);
}

/**
 * @param {string} title
 * @param {string} none
 * @param {Neighbour[]} rows
 * @param {SymbolData} data
 * @param {{ k: string, unit: Unit }} metric
 * @returns {HTMLElement}
 */
function neighbours(title, none, rows, data, { k, unit }) {
    const whole = data.row[k] ?? 0;
    const sorted = [...rows].sort((a, b) => (b[k] ?? 0) - (a[k] ?? 0));
    const family = unit === 'bytes' ? 'memory' : 'time';
    const item = (/** @type {Neighbour} */ row) => {
        const value = row[k] ?? 0;
        const part = whole > 0 ? value / whole : 0;
        const words = partOf(value, whole);

        return h('li', {}, buttonFor(
            () => state.set({ sel: row.name }, { push: true }),
            { title: `${visible(row.name, 500)}\n${exact(value, unit)}${words === '' ? '' : `, ${words}`}${counts().isCalls ? `; ${exact(row.ct ?? 0, 'count')} calls` : ''}` },
            ...(part > 0 && words !== '' ? [bar(part, family)] : []),
            nameElement(row.name, { limit: 120, short: true, breaks: false }),
            h(
                'span',
                { class: 'v' },
                counts().isCalls ? h('small', {}, `${figure(row.ct ?? 0, 'count')} ${row.ct === 1 ? 'call' : 'calls'}`) : null,
                figure(value, unit),
                words === '' ? null : h('small', { class: 'part' }, words),
            ),
        ));
    };
    const list = h('ul', { class: 'neighbours' }, ...sorted.slice(0, SHOWN).map(item));
    const section = h('section', {}, h('h3', {}, `${title} `, h('span', { class: 'n' }, String(rows.length))));
    section.append(rows.length === 0 ? h('p', { class: 'hint' }, none) : list);
    if (sorted.length > SHOWN) {
        const more = buttonFor(() => {
            list.append(...sorted.slice(SHOWN).map(item));
            more.remove();
        }, { class: 'plain' }, `Show all ${sorted.length}`);
        section.append(more);
    }

    return section;
}
