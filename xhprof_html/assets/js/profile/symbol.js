/** One function of a call tree among its neighbours, in the shape of api.php?get=symbol. No DOM. */
import { functionsOf } from './merge.js';

/**
 * Adds up a function's figures, callers and callees by the tree: for pages without a profile, and for "(small paths)", which only the
 * tree has. As in a profile, a call of a function that is running already counts with its outermost call, and its caller is not
 * among the callers.
 *
 * @param {import('./tree.js').Tree} tree
 * @param {string} name
 * @returns {import('../core/inspector.js').SymbolData | null} null where it is not in the tree
 */
export function symbolOf(tree, name) {
    const wanted = tree.names.indexOf(name);
    const metrics = tree.metrics().filter(({ k }) => tree.self.has(k));
    const rows = new Map(metrics.map(({ k }) => [k, functionsOf(tree, k)]));
    const at = [...rows.values()][0]?.fn.indexOf(wanted) ?? -1;
    if (wanted < 0 || at < 0) {
        return null;
    }
    /** @type {Record<string, number>} */
    const row = {};
    /** @type {Record<string, number>} */
    const total = {};
    const columns = [...rows].map(([k, { inclusive, exclusive, ct }]) => {
        row.ct = ct[at] ?? 0;
        if (k !== 'ct') {
            row[k] = inclusive[at] ?? 0;
            row[`excl_${k}`] = exclusive[at] ?? 0;
        }
        total[k] = tree.inclusive(k)[0] ?? 0;

        // "ct" of a call counts that call only; costs include everything below it.
        return { k, values: k === 'ct' ? tree.exclusive(k) : tree.inclusive(k) };
    });
    const callers = new Map();
    const callees = new Map();
    /** Callers of the function while it is running, and their calls. @type {Map<string, number>} */
    const inner = new Map();
    const levels = levelsOf(tree);
    for (let node = 1; node < tree.n; node++) {
        const [caller, callee, level] = [tree.fn[tree.parent[node] ?? 0] ?? 0, tree.fn[node] ?? 0, levels[node] ?? 0];
        if (caller !== wanted && callee !== wanted) {
            continue;
        }
        const other = tree.names[callee === wanted ? caller : callee] ?? '';
        if (callee === wanted && level > 0) {
            inner.set(other, (inner.get(other) ?? 0) + (tree.exclusive('ct')[node] ?? 0));
        }
        if (caller !== callee) {
            addCall(callee === wanted ? callers : callees, other, level, columns.map(({ k, values }) => [k, values[node] ?? 0]));
        }
    }
    const listed = (/** @type {Map<string, Call>} */ side) => [...side].map(([other, { figures }]) => /** @type {Neighbour} */ (
        /** @type {unknown} */ ({ name: other, ...figures })
    ));
    const waysIn = new Map([...callers].filter(([, { level }]) => level === 0));
    const recursion = [...inner].sort(([, a], [, b]) => b - a).map(([other, calls]) => ({ name: other, ct: calls }));

    return { name, metrics: metrics.filter(({ k }) => k !== 'ct'), total, row, callers: listed(waysIn), callees: listed(callees), recursion };
}

/** @typedef {import('../core/inspector.js').Neighbour} Neighbour */

/** @typedef {{level: number, figures: Record<string, number>}} Call level: how many calls of the callee run outside, the least */

/**
 * Adds one node's figures to a call. Calls of a deeper level are left out: what they take is within what those of the lowest one do.
 *
 * @param {Map<string, Call>} calls by the function at the other end
 * @param {string} other
 * @param {number} level
 * @param {[string, number][]} figures of one node
 */
function addCall(calls, other, level, figures) {
    const known = calls.get(other);
    const call = known ?? { level, figures: {} };
    calls.set(other, call);
    for (const [k, value] of figures) {
        const sum = k === 'ct' || level === call.level ? call.figures[k] ?? 0 : 0;
        call.figures[k] = k === 'ct' || level <= call.level ? sum + value : call.figures[k] ?? 0;
    }
    call.level = Math.min(call.level, level);
}

/**
 * @param {import('./tree.js').Tree} tree
 * @returns {Int32Array} per node how many calls of its function it is in
 */
function levelsOf(tree) {
    const levels = new Int32Array(tree.n);
    const running = new Int32Array(tree.names.length);
    /** @type {number[]} */
    const open = [];
    for (let node = 0; node < tree.n; node++) {
        while (open.length > (tree.depth[node] ?? 0)) {
            running[open.pop() ?? 0]--;
        }
        const fn = tree.fn[node] ?? 0;
        levels[node] = running[fn] ?? 0;
        running[fn]++;
        open.push(fn);
    }

    return levels;
}
