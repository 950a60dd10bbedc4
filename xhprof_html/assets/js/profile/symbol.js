/** One function of a call tree among its neighbours, in the shape of api.php?get=symbol. No DOM. */
import { functionsOf } from './merge.js';

/**
 * For functions that only the tree has: the code of a file ("run_init::…"), which a profile counts with its caller, and
 * "(small paths)".
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
    for (let node = 1; node < tree.n; node++) {
        const [caller, callee] = [tree.fn[tree.parent[node] ?? 0], tree.fn[node]];
        if (caller === callee || (caller !== wanted && callee !== wanted)) {
            continue;
        }
        const [side, other] = callee === wanted ? [callers, caller] : [callees, callee];
        const sums = side.get(other) ?? { name: tree.names[other ?? 0] };
        side.set(other, sums);
        for (const { k, values } of columns) {
            sums[k] = (sums[k] ?? 0) + (values[node] ?? 0);
        }
    }

    return { name, metrics: metrics.filter(({ k }) => k !== 'ct'), total, row, callers: [...callers.values()], callees: [...callees.values()] };
}
