/** Holds the calls of the run, or of the two compared, and chooses what is drawn: large runs have 100 000 calls. */
import { loadJson } from '../core/api.js';
import { baseName, score } from '../core/names.js';
import { around, build, foldRecursion, hide, union } from './model.js';
import { select } from './select.js';

/** @typedef {import('./model.js').EdgeData & { metrics: { k: string, unit: string, label: string, calls?: boolean }[], internal?: number[], hashes?: Record<string, string> }} Data */

const port = /** @type {{ onmessage: ((event: MessageEvent) => void) | null, postMessage: (message: any) => void }} */ (/** @type {unknown} */ (self));

/** @type {Promise<Data[]> | undefined} */
let runs;

/** @type {{ key: string, models: import('./model.js').Model[] }} */
let prepared = { key: '', models: [] };

/**
 * @typedef {object} Wish
 * @property {string} metric
 * @property {boolean} levels each level of recursion as a function of its own
 * @property {boolean} internals PHP's own functions too
 * @property {string} focus
 * @property {number} threshold
 * @property {number} maxNodes
 * @property {boolean} critical
 */

/**
 * @param {Data[]} data
 * @param {Wish} wish
 */
function models(data, { metric, levels, internals }) {
    const key = JSON.stringify([metric, levels, internals]);
    if (prepared.key !== key) {
        prepared = {
            key,
            models: data.map((run) => {
                const own = new Set((run.internal ?? []).map((at) => baseName(run.names[at] ?? '')));
                const model = levels ? build(run, metric) : foldRecursion(build(run, metric));

                return internals ? model : hide(model, (name) => own.has(baseName(name)));
            }),
        };
    }

    return prepared.models;
}

/**
 * @param {Data[]} data
 * @param {Wish} wish
 */
function answer(data, wish) {
    const all = models(data, wish);
    const wanted = wish.levels ? wish.focus : baseName(wish.focus);
    const focused = all.map((model) => {
        const at = wanted === '' ? -1 : model.names.indexOf(wanted);

        return at < 0 ? model : around(model, at);
    });
    const found = wanted === '' || focused.some((model) => model.focus !== undefined);
    // A function that one of two runs does not have: of that run there is nothing around it.
    const parts = focused.map((model) => (wanted !== '' && found && model.focus === undefined ? emptied(model) : model));
    const [before, after] = parts;
    const model = before !== undefined && after !== undefined ? union(before, after) : /** @type {import('./model.js').Model} */ (before);

    return { graph: select(model, wish), found };
}

/**
 * @param {import('./model.js').Model} model
 * @returns {import('./model.js').Model}
 */
function emptied(model) {
    return { ...model, names: [], incl: [], excl: [], ct: [], recursive: [], edges: [], base: 0 };
}

/**
 * @param {string} query
 * @returns {string[]} functions of the run that answer it, the best first
 */
function find(query) {
    const names = new Set(prepared.models.flatMap((model) => model.names));

    return [...names].map((name) => ({ name, points: score(name, query) }))
        .filter(({ points }) => points > 0)
        .sort((a, b) => b.points - a.points || a.name.length - b.name.length)
        .map(({ name }) => name);
}

/**
 * @param {string} name
 * @param {{ k: string, unit: string, label: string }} metric
 * @param {boolean} isCalls whether the run counts calls
 * @returns {import('../core/inspector.js').SymbolData} as get=symbol has it, of the functions as they are drawn
 */
function symbol(name, metric, isCalls) {
    const model = prepared.models[0];
    const at = Math.max(model?.names.indexOf(name) ?? -1, model?.names.indexOf(baseName(name)) ?? -1);
    if (model === undefined || at < 0) {
        throw new Error('This run has no such function, or it is hidden.');
    }
    const { k } = metric;
    const calls = (/** @type {'from' | 'to'} */ end, /** @type {'from' | 'to'} */ other) => model.edges
        .filter((edge) => edge[end] === at)
        .map((edge) => /** @type {any} */ ({ ct: edge.ct, [k]: edge.now, name: model.names[edge[other]] ?? '' }));

    return {
        name: model.names[at] ?? name,
        metrics: [/** @type {any} */ (metric)],
        total: { [k]: model.total },
        // Samples are taken in one function: the calls of the graph do not count them.
        row: { ...(isCalls ? { ct: model.ct[at] ?? 0 } : {}), [k]: model.incl[at] ?? 0, [`excl_${k}`]: model.excl[at] ?? 0 },
        callers: calls('to', 'from'),
        callees: calls('from', 'to'),
    };
}

/**
 * @param {Data[]} data
 * @param {string} wanted
 */
function metricOf(data, wanted) {
    const metrics = (data[0]?.metrics ?? []).filter((one) => one.k !== 'ct' && data.every((run) => run.m[one.k] !== undefined));
    const [first = { k: '', unit: 'count', label: '' }] = metrics;
    const metric = metrics.find((one) => one.k === wanted) ?? metrics.find((one) => one.k === 'wt') ?? first;

    return { metrics, metric };
}

port.onmessage = async ({ data: { id, urls, wish, query, name } }) => {
    try {
        runs ??= Promise.all(urls.map((/** @type {string} */ url) => loadJson(url)));
        const data = await runs;
        if (query !== undefined) {
            port.postMessage({ id, names: find(query) });
            return;
        }
        const { metrics, metric } = metricOf(data, wish.metric);
        if (name !== undefined) {
            models(data, { ...wish, metric: metric.k });
            port.postMessage({ id, symbol: symbol(name, metric, data[0]?.metrics.find(({ k }) => k === 'ct')?.calls ?? true) });
            return;
        }
        const canHide = data.some((run) => run.internal !== undefined);
        const hashes = Object.fromEntries(data.flatMap((run) => Object.entries(run.hashes ?? {}).map(([at, hash]) => [run.names[Number(at)] ?? '', hash])));
        port.postMessage({ id, metrics, metric: metric.k, canHide, hashes, ...answer(data, { ...wish, metric: metric.k }) });
    } catch (error) {
        if (name === undefined) {
            runs = undefined;
        }
        port.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
    }
};
