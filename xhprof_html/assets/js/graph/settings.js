/** The graph's settings in the address, and the form that changes them. The server interprets them. */
import { h } from '../core/dom.js';
import { state } from '../core/state.js';

/** Shares that the slider stops at. */
const STEPS = ['0', '0.0005', '0.001', '0.002', '0.005', '0.01', '0.02', '0.05', '0.1', '0.2', '0.5'];

/** The keys of the address that change what is drawn. */
export const SETTING_KEYS = ['metric', 'sort', 'threshold', 'nodes', 'critical', 'internals', 'levels', 'focus', 'focus_hash', 'func', 'func_hash'];

/** @returns {URLSearchParams} parameters of get=graph */
export function config() {
    return new URLSearchParams(SETTING_KEYS.map((key) => [key, state.get(key)]).filter(([, value]) => value !== ''));
}

/** @returns {string} the function in the focus; links of the classic pages call it func */
export function focus() {
    return state.get('focus', state.get('func'));
}

/** @param {string} name '' shows all again */
export function focusOn(name) {
    state.set({ focus: name, focus_hash: null, func: null, func_hash: null }, { push: true });
}

/**
 * Applies each change of the form at once, and adds the controls that need JavaScript.
 *
 * @param {HTMLFormElement} form of graph.html.twig
 * @param {boolean} isComparison
 * @returns {{ show: (choice: import('./graph-data.js').Choice) => void }} shows the settings of a graph
 */
export function controls(form, isComparison) {
    form.classList.add('live');
    const submit = form.querySelector('button[type=submit]');
    submit?.setAttribute('hidden', '');
    const threshold = slider(form);
    const check = (/** @type {string} */ key, /** @type {string} */ value, /** @type {string} */ label, /** @type {string} */ title) => {
        const input = h('input', { type: 'checkbox' });
        const read = () => {
            input.checked = state.get(key) === value;
        };
        input.addEventListener('change', () => state.set({ [key]: input.checked ? value : null }));
        state.watch([key], read);
        read();
        submit?.before(h('label', { title }, input, ` ${label}`));
    };
    check('internals', '0', 'Hide internal functions', 'Their figures count for their callers');
    check('flow', 'down', 'Top down', 'Callees below their callers instead of beside them');
    if (isComparison) {
        check('change', 'percent', 'Colours by percent', 'Relative to each function before, not to the run');
    }
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('change', (event) => {
        const field = event.target;
        if (field instanceof HTMLSelectElement) {
            state.set({ [field.name]: field.value });
        } else if (field instanceof HTMLInputElement && field.name === 'critical') {
            state.set({ critical: field.checked ? null : '0' });
        } else if (field instanceof HTMLInputElement && field.name === 'levels') {
            state.set({ levels: field.checked ? '1' : null });
        }
    });

    return {
        show({ metric, settings }) {
            for (const [name, value] of /** @type {const} */ ([['nodes', String(settings.nodes)], ['metric', metric]])) {
                const field = form.elements.namedItem(name);
                if (field instanceof HTMLSelectElement) {
                    field.value = value;
                }
            }
            for (const name of /** @type {const} */ (['critical', 'levels'])) {
                const field = form.querySelector(`input[type=checkbox][name=${name}]`);
                if (field instanceof HTMLInputElement) {
                    field.checked = settings[name];
                }
            }
            threshold(settings.threshold);
        },
    };
}

/**
 * Replaces the list of shares by a slider.
 *
 * @param {HTMLFormElement} form
 * @returns {(threshold: number) => void} shows one
 */
function slider(form) {
    const select = form.elements.namedItem('threshold');
    if (!(select instanceof HTMLSelectElement)) {
        return () => undefined;
    }
    const input = h('input', { type: 'range', min: 0, max: STEPS.length - 1, step: 1, 'aria-label': 'Minimum share of a function' });
    const output = h('output', {});
    const showShare = (/** @type {number} */ share) => {
        output.textContent = share === 0 ? 'any' : `${Number((share * 100).toFixed(3))} %`;
        input.setAttribute('aria-valuetext', output.textContent);
    };
    const show = (/** @type {number} */ share) => {
        const at = STEPS.findIndex((step) => Number(step) >= share);
        input.value = String(at < 0 ? STEPS.length - 1 : at);
        showShare(share);
    };
    input.addEventListener('input', () => showShare(Number(STEPS[Number(input.value)])));
    input.addEventListener('change', (event) => {
        event.stopPropagation();
        state.set({ threshold: STEPS[Number(input.value)] ?? null });
    });
    const served = Number(select.value);
    select.replaceWith(input, output);
    show(served);

    return show;
}
