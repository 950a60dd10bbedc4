/**
 * Chooses the part of a graph worth drawing, by the rule of XHProf\Graph\Selection (tests/lib/Support/graph-rule.json holds both
 * to it): the functions of the critical path and the heaviest above a threshold; of the calls between them the heavier ones, the
 * heaviest that reaches each function, and the critical path. Pure.
 *
 * @typedef {import('./model.js').Model} Model
 * @typedef {object} Options
 * @property {number} [threshold] least share a function needs, 0 to 1
 * @property {number} [maxNodes]
 * @property {number} [minEdge] least share a call needs
 * @property {boolean} [critical]
 *
 * @typedef {object} GraphNode
 * @property {string} name
 * @property {number} incl
 * @property {number} excl
 * @property {number} ct
 * @property {boolean} recursive
 * @property {{ incl: number, excl: number, ct: number }} [before]
 * @property {number} callers how many functions call it whose calls are not drawn
 * @property {number} callees how many it calls
 *
 * @typedef {object} GraphEdge
 * @property {number} from index in nodes
 * @property {number} to
 * @property {number} weight
 * @property {number} now
 * @property {number} ct
 * @property {number} [before]
 * @property {number} [ctBefore]
 * @property {boolean} critical
 *
 * @typedef {object} Graph
 * @property {GraphNode[]} nodes the heaviest first
 * @property {GraphEdge[]} edges the heaviest first
 * @property {{ from: number, to: number }[]} vias for functions that no drawn calls lead to: who does, over calls that are not drawn
 * @property {number} total what 100 % is
 * @property {number} functions how many there are in all
 * @property {number} [focus] index in nodes
 */

/**
 * @param {Model} model
 * @param {Options} [options]
 * @returns {Graph}
 */
export function select(model, { threshold = 0.01, maxNodes = 120, minEdge = 0.005, critical = true } = {}) {
    const { names, before } = model;
    const weight = model.incl.map((value, at) => Math.max(Math.abs(value), Math.abs(before?.incl[at] ?? 0)));
    const order = names.map((_, at) => at).sort((a, b) => (weight[b] ?? 0) - (weight[a] ?? 0) || compare(names[a], names[b]));
    const edges = [...model.edges].sort((a, b) => b.weight - a.weight
        || compare(names[a.from], names[b.from]) || compare(names[a.to], names[b.to]));

    /** @type {Set<number>} */
    const kept = new Set();
    /** @type {Map<number, number>} */
    const none = new Map();
    if (model.focus !== undefined) {
        kept.add(model.focus);
    }
    const path = critical ? criticalPath(order, edges, kept, maxNodes) : none;
    for (const at of order) {
        if (kept.size >= maxNodes) {
            break;
        }
        if ((weight[at] ?? 0) >= threshold * Math.abs(model.base)) {
            kept.add(at);
        }
    }

    const shown = order.filter((at) => kept.has(at));
    const index = new Map(shown.map((at, position) => [at, position]));
    const nodes = shown.map((at) => ({
        name: names[at] ?? '',
        incl: model.incl[at] ?? 0,
        excl: model.excl[at] ?? 0,
        ct: model.ct[at] ?? 0,
        recursive: model.recursive[at] ?? false,
        ...(before === undefined ? {} : { before: { incl: before.incl[at] ?? 0, excl: before.excl[at] ?? 0, ct: before.ct[at] ?? 0 } }),
        callers: 0,
        callees: 0,
    }));
    const least = minEdge * Math.abs(model.base);
    /** @type {Set<number>} */
    const reached = new Set();
    /** @type {GraphEdge[]} */
    const drawn = [];
    for (const edge of edges) {
        const from = index.get(edge.from);
        const to = index.get(edge.to);
        const isCritical = path.get(edge.from) === edge.to;
        if (from !== undefined && to !== undefined && (isCritical || edge.weight >= least || !reached.has(to))) {
            reached.add(to);
            drawn.push({ ...edge, from, to, critical: isCritical });
            continue;
        }
        for (const [at, key] of /** @type {const} */ ([[to, 'callers'], [from, 'callees']])) {
            const node = at === undefined ? undefined : nodes[at];
            if (node !== undefined) {
                node[key]++;
            }
        }
    }

    return {
        nodes, edges: drawn, vias: vias(edges, index, drawn), total: model.total, functions: names.length,
        ...(model.focus === undefined ? {} : { focus: index.get(model.focus) ?? 0 }),
    };
}

/**
 * Functions that no drawn calls lead to, from the start, hang on the nearest drawn one that leads to them.
 *
 * @param {import('./model.js').Edge[]} edges the heaviest first
 * @param {Map<number, number>} index of those drawn, the heaviest first
 * @param {GraphEdge[]} drawn
 * @returns {{ from: number, to: number }[]}
 */
function vias(edges, index, drawn) {
    /** @type {Map<number, number[]>} */
    const callers = new Map();
    for (const { from, to } of edges) {
        callers.get(to)?.push(from) ?? callers.set(to, [from]);
    }
    /** @type {Map<number, number[]>} */
    const callees = new Map();
    for (const { from, to } of drawn) {
        callees.get(from)?.push(to) ?? callees.set(from, [to]);
    }
    /** @type {Set<number>} */
    const reached = new Set();
    const reach = (/** @type {number} */ position) => {
        const queue = reached.has(position) ? [] : [position];
        for (const at of queue) {
            reached.add(at);
            queue.push(...(callees.get(at) ?? []).filter((to) => !reached.has(to) && !queue.includes(to)));
        }
    };
    for (const [at, position] of index) {
        if (!callers.has(at)) {
            reach(position);
        }
    }
    /** @type {{ from: number, to: number }[]} */
    const found = [];
    for (const [at, to] of index) {
        if (reached.has(to)) {
            continue;
        }
        const queue = [at];
        const seen = new Set(queue);
        for (const one of queue) {
            const from = index.get(one);
            if (from !== undefined && reached.has(from)) {
                found.push({ from, to });
                break;
            }
            for (const up of callers.get(one) ?? []) {
                if (!seen.has(up)) {
                    seen.add(up);
                    queue.push(up);
                }
            }
        }
        reach(to);
    }

    return found;
}

/**
 * From the heaviest function nobody calls along the heaviest call of each.
 *
 * @param {number[]} order functions, the heaviest first
 * @param {import('./model.js').Edge[]} edges the heaviest first
 * @param {Set<number>} kept functions of the path are added
 * @param {number} maxNodes
 * @returns {Map<number, number>} caller => callee
 */
function criticalPath(order, edges, kept, maxNodes) {
    /** @type {Map<number, number>} */
    const heaviest = new Map();
    const called = new Set();
    for (const edge of edges) {
        if (!heaviest.has(edge.from)) {
            heaviest.set(edge.from, edge.to);
        }
        called.add(edge.to);
    }
    /** @type {Map<number, number>} */
    const path = new Map();
    const seen = new Set();
    /** @type {number | undefined} */
    let at = order.find((one) => !called.has(one)) ?? order[0];
    while (at !== undefined && !seen.has(at) && (kept.has(at) || kept.size < maxNodes)) {
        seen.add(at);
        kept.add(at);
        const next = heaviest.get(at);
        if (next !== undefined && !seen.has(next) && (kept.has(next) || kept.size < maxNodes)) {
            path.set(at, next);
        }
        at = next;
    }

    return path;
}

/**
 * @param {string | undefined} a
 * @param {string | undefined} b
 * @returns {number}
 */
function compare(a = '', b = '') {
    return a < b ? -1 : (a > b ? 1 : 0);
}
