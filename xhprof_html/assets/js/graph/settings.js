/** What the address says about the graph, and the form that changes it. */
import { h } from '../core/dom.js';
import { state } from '../core/state.js';

/** Shares that the slider stops at. */
const STEPS = ['0', '0.0005', '0.001', '0.002', '0.005', '0.01', '0.02', '0.05', '0.1', '0.2', '0.5'];
const THRESHOLD = '0.01';
const NODES = '120';
const MOST_NODES = 1000;

/**
 * @returns {import('./data-worker.js').Wish & { flow: string }} with the defaults for what is missing or makes no sense
 */
export function settings() {
    const threshold = Number(state.get('threshold', THRESHOLD));
    const maxNodes = Math.round(Number(state.get('nodes', NODES)));

    return {
        metric: wantedMetric(),
        levels: state.get('levels') === '1',
        internals: state.get('internals') !== '0',
        focus: focus(),
        threshold: threshold >= 0 && threshold <= 1 ? threshold : Number(THRESHOLD),
        maxNodes: maxNodes >= 1 ? Math.min(MOST_NODES, maxNodes) : Number(NODES),
        critical: state.get('critical') !== '0',
        flow: state.get('flow'),
    };
}

/** @returns {string} as state.metric(), of metrics that only the run knows */
function wantedMetric() {
    return state.get('metric', state.get('sort').replace(/^(?:excl|per)_/, ''));
}

/** @returns {string} the function that all is about; links of the classic pages call it func */
export function focus() {
    return state.get('focus', state.get('func'));
}

/** @param {string} name '' shows all again */
export function focusOn(name) {
    state.set({ focus: name, func: null }, { push: true });
}

/**
 * Makes the form work while one changes it, and adds what only works that way.
 *
 * @param {HTMLFormElement} form of graph.html.twig
 * @param {boolean} isComparison
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

        return input.parentElement;
    };
    const internals = check('internals', '0', 'Hide PHP’s own functions', 'What they took counts as their callers’');
    internals?.toggleAttribute('hidden', true);
    check('flow', 'down', 'Top down', 'Callees below their callers instead of beside them');
    if (isComparison) {
        check('change', 'percent', 'Colours by percent', 'Of what each function took before, instead of the whole');
    }
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('change', (event) => {
        const field = event.target;
        if (field instanceof HTMLSelectElement && field.name !== '') {
            state.set({ [field.name]: isDefault(field.name, field.value) ? null : field.value });
        } else if (field instanceof HTMLInputElement && field.type === 'checkbox' && field.name !== '') {
            state.set({ [field.name]: field.checked === field.defaultChecked && !state.get(field.name) ? null : (field.checked ? '1' : '0') });
        }
    });
    state.watch(['threshold', 'nodes', 'metric', 'critical', 'levels'], () => {
        const now = settings();
        for (const [name, value] of /** @type {const} */ ([['nodes', String(now.maxNodes)], ['metric', now.metric]])) {
            const field = form.elements.namedItem(name);
            if (field instanceof HTMLSelectElement && value !== '') {
                field.value = value;
            }
        }
        for (const [name, value] of /** @type {const} */ ([['critical', now.critical], ['levels', now.levels]])) {
            const field = form.querySelector(`input[type=checkbox][name=${name}]`);
            if (field instanceof HTMLInputElement) {
                field.checked = value;
            }
        }
        threshold();
    });

    return { canHide: (/** @type {boolean} */ can) => internals?.toggleAttribute('hidden', !can) };
}

/**
 * @param {string} name
 * @param {string} value
 * @returns {boolean}
 */
function isDefault(name, value) {
    return (name === 'threshold' && value === THRESHOLD) || (name === 'nodes' && value === NODES);
}

/**
 * A slider in the place of the list of shares.
 *
 * @param {HTMLFormElement} form
 * @returns {() => void} shows the address's value
 */
function slider(form) {
    const select = form.elements.namedItem('threshold');
    if (!(select instanceof HTMLSelectElement)) {
        return () => undefined;
    }
    const input = h('input', { type: 'range', min: 0, max: STEPS.length - 1, step: 1, 'aria-label': 'Least share of a function' });
    const output = h('output', {});
    const text = (/** @type {string | undefined} */ step) => (step === '0' ? 'any' : `${Number((Number(step) * 100).toFixed(3))} %`);
    const show = () => {
        const { threshold } = settings();
        const at = STEPS.findIndex((step) => Number(step) >= threshold);
        input.value = String(at < 0 ? STEPS.length - 1 : at);
        output.textContent = text(String(threshold));
        input.setAttribute('aria-valuetext', output.textContent);
    };
    input.addEventListener('input', () => {
        output.textContent = text(STEPS[Number(input.value)]);
        input.setAttribute('aria-valuetext', output.textContent);
    });
    input.addEventListener('change', (event) => {
        event.stopPropagation();
        const step = STEPS[Number(input.value)] ?? THRESHOLD;
        state.set({ threshold: step === THRESHOLD ? null : step });
    });
    select.replaceWith(input, output);
    show();

    return show;
}
