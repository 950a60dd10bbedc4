/**
 * The calls of one run as a graph of functions, and what may be done to it before the part worth drawing is chosen. Pure.
 *
 * @typedef {object} Edge
 * @property {number} from index of the caller
 * @property {number} to index of the callee
 * @property {number} weight what choice and layout go by: the inclusive figure of the calls; of two runs the larger one
 * @property {number} now inclusive figure
 * @property {number} ct calls
 * @property {number} [before] inclusive figure in the first of two runs
 * @property {number} [ctBefore]
 *
 * @typedef {object} Model functions in columns; calls of a function by itself are no edges
 * @property {string[]} names
 * @property {number[]} incl
 * @property {number[]} excl
 * @property {number[]} ct
 * @property {boolean[]} recursive whether it called itself
 * @property {Edge[]} edges
 * @property {number} total what 100 % is
 * @property {number} base what thresholds are shares of: the total, or the focus
 * @property {{ incl: number[], excl: number[], ct: number[], total: number }} [before] the first of two runs
 * @property {number} [focus] index of the function all is about
 *
 * @typedef {object} EdgeData as api.php?get=edges gives it
 * @property {string[]} names
 * @property {Record<string, number>} total
 * @property {number[]} p -1 where nobody called
 * @property {number[]} c
 * @property {Record<string, number[]>} m
 */
import { baseName } from '../core/names.js';

/**
 * Inclusive = what all calls of a function took, exclusive = that minus what its own calls took: the rule of FlatReport.
 *
 * @param {EdgeData} data
 * @param {string} metric
 * @returns {Model}
 */
export function build(data, metric) {
    const { names, p, c, m } = data;
    const count = names.length;
    const weights = m[metric] ?? [];
    const calls = m.ct ?? [];
    const incl = zeros(count);
    const ct = zeros(count);
    const spent = zeros(count);
    /** @type {boolean[]} */
    const called = new Array(count).fill(false);
    /** @type {boolean[]} */
    const recursive = new Array(count).fill(false);
    /** @type {Edge[]} */
    const edges = [];
    for (let at = 0; at < p.length; at++) {
        const from = p[at] ?? -1;
        const to = c[at] ?? 0;
        const weight = weights[at] ?? 0;
        called[to] = true;
        ct[to] = (ct[to] ?? 0) + (calls[at] ?? 0);
        if (from === to) {
            recursive[to] = true;
            continue;
        }
        incl[to] = (incl[to] ?? 0) + weight;
        if (from >= 0) {
            spent[from] = (spent[from] ?? 0) + weight;
            edges.push({ from, to, weight: Math.abs(weight), now: weight, ct: calls[at] ?? 0 });
        }
    }
    const excl = incl.map((value, at) => (called[at] ? value - (spent[at] ?? 0) : 0));
    incl.forEach((_, at) => {
        if (!called[at]) {
            incl[at] = spent[at] ?? 0;
        }
    });
    const total = data.total[metric] ?? 0;

    return { names, incl, excl, ct, recursive, edges, total, base: total };
}

/**
 * The levels of a recursion (f, f@1, f@2) as one function: its inclusive figure is the outermost level's, which holds the others.
 *
 * @param {Model} model
 * @returns {Model}
 */
export function foldRecursion(model) {
    /** @type {Map<string, number>} */
    const index = new Map();
    const target = model.names.map((name) => {
        const base = baseName(name);
        const at = index.get(base) ?? index.size;
        index.set(base, at);

        return at;
    });
    if (index.size === model.names.length) {
        return model;
    }
    const names = [...index.keys()];
    const folded = { incl: zeros(names.length), excl: zeros(names.length), ct: zeros(names.length) };
    const level = new Array(names.length).fill(Infinity);
    const recursive = new Array(names.length).fill(false);
    target.forEach((at, was) => {
        const own = levelOf(model.names[was] ?? '');
        if (own < level[at]) {
            level[at] = own;
            folded.incl[at] = model.incl[was] ?? 0;
        }
        folded.excl[at] = (folded.excl[at] ?? 0) + (model.excl[was] ?? 0);
        folded.ct[at] = (folded.ct[at] ?? 0) + (model.ct[was] ?? 0);
        recursive[at] ||= own > 0 || model.recursive[was];
    });

    return { ...model, ...folded, names, recursive, edges: foldEdges(model, target) };
}

/**
 * Takes functions out: what they took is their callers', in proportion to the time of the calls, and so are their calls.
 *
 * @param {Model} model
 * @param {(name: string) => boolean} isHidden
 * @returns {Model}
 */
export function hide(model, isHidden) {
    const hidden = model.names.map(isHidden);
    /** @type {Map<number, Edge>[]} */
    const out = model.names.map(() => new Map());
    /** @type {Set<number>[]} */
    const callers = model.names.map(() => new Set());
    for (const edge of model.edges) {
        out[edge.from]?.set(edge.to, { ...edge });
        callers[edge.to]?.add(edge.from);
    }
    const excl = [...model.excl];
    const ct = [...model.ct];
    hidden.forEach((isGone, at) => {
        if (!isGone || callers[at]?.size === 0) {
            return;
        }
        const above = [...callers[at] ?? []].map((from) => /** @type {Edge} */ (out[from]?.get(at)));
        const whole = above.reduce((sum, edge) => sum + edge.weight, 0);
        const wholeCalls = above.reduce((sum, edge) => sum + edge.ct, 0);
        for (const edge of above) {
            const share = whole > 0 ? edge.weight / whole : edge.ct / Math.max(1, wholeCalls);
            excl[edge.from] = (excl[edge.from] ?? 0) + (excl[at] ?? 0) * share;
            out[edge.from]?.delete(at);
            for (const call of out[at]?.values() ?? []) {
                if (call.to === edge.from) {
                    // A callback into the caller itself: its figures are the caller's already.
                    continue;
                }
                const known = out[edge.from]?.get(call.to);
                const part = { from: edge.from, to: call.to, weight: call.weight * share, now: call.now * share, ct: call.ct * share };
                if (known === undefined) {
                    out[edge.from]?.set(call.to, part);
                    callers[call.to]?.add(edge.from);
                } else {
                    known.weight += part.weight;
                    known.now += part.now;
                    known.ct += part.ct;
                }
            }
        }
        for (const call of out[at]?.values() ?? []) {
            callers[call.to]?.delete(at);
        }
        out[at]?.clear();
        callers[at]?.clear();
    });
    const kept = (/** @type {number} */ at) => !hidden[at] || (callers[at]?.size === 0 && (out[at]?.size ?? 0) > 0);
    const edges = out.flatMap((calls) => [...calls.values()]).map((edge) => ({ ...edge, ct: Math.round(edge.ct) }));

    return compact({ ...model, excl, ct, edges }, kept);
}

/**
 * Only what leads to a function and what it leads to. Other calls' figures are not known by call path: each function's are split
 * in proportion to its callers' and callees'.
 *
 * @param {Model} model
 * @param {number} focus index of the function
 * @returns {Model}
 */
export function around(model, focus) {
    const count = model.names.length;
    /** @type {Edge[][]} */
    const into = model.names.map(() => []);
    /** @type {Edge[][]} */
    const out = model.names.map(() => []);
    for (const edge of model.edges) {
        into[edge.to]?.push(edge);
        out[edge.from]?.push(edge);
    }
    // Of each function: how much of it runs below the focus, and how much of it is the focus.
    const below = spread(count, focus, (at) => {
        const whole = Math.max(into[at]?.reduce((sum, edge) => sum + edge.weight, 0) ?? 0, model.incl[at] ?? 0);

        return { whole, edges: into[at] ?? [], other: 'from' };
    }, (at) => (out[at] ?? []).map((edge) => edge.to));
    const above = spread(
        count,
        focus,
        (at) => ({ whole: model.incl[at] ?? 0, edges: out[at] ?? [], other: 'to' }),
        (at) => (into[at] ?? []).map((edge) => edge.from),
    );
    const part = (/** @type {number} */ at) => (at === focus ? 1 : Math.min(1, Math.max(below[at] ?? 0, above[at] ?? 0)));
    const incl = model.incl.map((value, at) => value * part(at));
    const excl = model.excl.map((value, at) => (at === focus ? value : value * (below[at] ?? 0)));
    const ct = model.ct.map((value, at) => Math.round(value * part(at)));
    const edges = model.edges.map((edge) => {
        const share = Math.max(edge.to === focus ? 0 : below[edge.from] ?? 0, edge.from === focus ? 0 : above[edge.to] ?? 0);

        return { ...edge, weight: edge.weight * share, now: edge.now * share, ct: Math.round(edge.ct * share) };
    }).filter((edge) => edge.weight > 0);

    return compact(
        { ...model, incl, excl, ct, edges, base: Math.abs(model.incl[focus] ?? 0), focus },
        (at) => at === focus || (below[at] ?? 0) > 0 || (above[at] ?? 0) > 0,
    );
}

/**
 * Both runs in one graph.
 *
 * @param {Model} a before
 * @param {Model} b after
 * @returns {Model}
 */
export function union(a, b) {
    /** @type {Map<string, number>} */
    const index = new Map(b.names.map((name, at) => [name, at]));
    const from = a.names.map((name) => {
        const at = index.get(name) ?? index.size;
        index.set(name, at);

        return at;
    });
    const names = [...index.keys()];
    const fill = (/** @type {number[]} */ values) => names.map((_, at) => values[at] ?? 0);
    const before = { incl: zeros(names.length), excl: zeros(names.length), ct: zeros(names.length), total: a.total };
    const recursive = names.map((_, at) => b.recursive[at] ?? false);
    from.forEach((at, was) => {
        before.incl[at] = a.incl[was] ?? 0;
        before.excl[at] = a.excl[was] ?? 0;
        before.ct[at] = a.ct[was] ?? 0;
        recursive[at] ||= a.recursive[was] ?? false;
    });
    /** @type {Map<number, Edge>} */
    const edges = new Map(b.edges.map((edge) => [edge.from * names.length + edge.to, { ...edge, before: 0, ctBefore: 0 }]));
    for (const edge of a.edges) {
        const caller = from[edge.from] ?? 0;
        const callee = from[edge.to] ?? 0;
        const both = edges.get(caller * names.length + callee) ?? { from: caller, to: callee, weight: 0, now: 0, ct: 0 };
        edges.set(caller * names.length + callee, {
            ...both, before: edge.now, ctBefore: edge.ct, weight: Math.max(both.weight, edge.weight),
        });
    }
    const focus = b.focus ?? (a.focus === undefined ? undefined : from[a.focus]);

    return {
        names, incl: fill(b.incl), excl: fill(b.excl), ct: fill(b.ct), recursive, edges: [...edges.values()], before,
        total: Math.max(a.total, b.total), base: Math.max(a.base, b.base), ...(focus === undefined ? {} : { focus }),
    };
}

/**
 * @param {number} count
 * @param {number} focus
 * @param {(at: number) => { whole: number, edges: Edge[], other: 'from' | 'to' }} flow what a function's figure is made of
 * @param {(at: number) => number[]} next those a function passes its share on to
 * @returns {number[]} shares of 1: of the focus 1, of the others what reaches them through it
 */
function spread(count, focus, flow, next) {
    const shares = zeros(count);
    shares[focus] = 1;
    let queue = [focus];
    // Recursion comes back to the same functions: each round it adds less.
    for (let round = 0; round < 200 && queue.length > 0; round++) {
        /** @type {Set<number>} */
        const touched = new Set();
        for (const at of queue) {
            for (const other of next(at)) {
                if (other !== focus) {
                    touched.add(other);
                }
            }
        }
        queue = [];
        for (const at of touched) {
            const { whole, edges, other } = flow(at);
            const sum = edges.reduce((part, edge) => part + edge.weight * (shares[edge[other]] ?? 0), 0);
            const share = whole > 0 ? Math.min(1, sum / whole) : 0;
            if (share - (shares[at] ?? 0) > 1e-4) {
                shares[at] = share;
                queue.push(at);
            }
        }
    }

    return shares;
}

/**
 * @param {Model} model
 * @param {(at: number) => boolean} isKept
 * @returns {Model} without the other functions, which no edge may name
 */
function compact(model, isKept) {
    /** @type {number[]} */
    const kept = [];
    const index = model.names.map((_, at) => (isKept(at) ? kept.push(at) - 1 : -1));
    const pick = (/** @type {any[]} */ values) => kept.map((at) => values[at]);

    return {
        ...model,
        names: pick(model.names),
        incl: pick(model.incl),
        excl: pick(model.excl),
        ct: pick(model.ct),
        recursive: pick(model.recursive),
        edges: model.edges.map((edge) => ({ ...edge, from: index[edge.from] ?? -1, to: index[edge.to] ?? -1 }))
            .filter((edge) => edge.from >= 0 && edge.to >= 0),
        ...(model.focus === undefined ? {} : { focus: index[model.focus] ?? 0 }),
    };
}

/**
 * One edge per pair of functions, none from a function to itself. Calls of the callee's outermost level are apart in time, so that
 * they add up; the deeper ones are within them.
 *
 * @param {Model} model
 * @param {number[]} target index of the folded function
 * @returns {Edge[]}
 */
function foldEdges(model, target) {
    /** @type {Map<number, Edge & { level: number }>} */
    const known = new Map();
    for (const edge of model.edges) {
        const from = target[edge.from] ?? 0;
        const to = target[edge.to] ?? 0;
        if (from === to) {
            continue;
        }
        const level = levelOf(model.names[edge.to] ?? '');
        const key = from * model.names.length + to;
        const same = known.get(key);
        if (same === undefined) {
            known.set(key, { ...edge, from, to, level });
            continue;
        }
        same.ct += edge.ct;
        if (level <= same.level) {
            same.now = edge.now + (level === same.level ? same.now : 0);
            same.weight = Math.abs(same.now);
            same.level = level;
        }
    }

    return [...known.values()].map(({ level, ...edge }) => edge);
}

/**
 * @param {string} name
 * @returns {number} 2 of "f@2"
 */
function levelOf(name) {
    return Number(/@([0-9]+)$/.exec(name)?.[1] ?? 0);
}

/**
 * @param {number} count
 * @returns {number[]}
 */
function zeros(count) {
    return new Array(count).fill(0);
}
