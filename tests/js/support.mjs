/** For the tests: trees, random ones from a seed and large ones, and a count of reads. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * @template {object} T
 * @param {T} object its typed arrays are counted as they are read, element by element
 * @returns {{counted: T, reads: () => number}}
 */
export function counting(object) {
    let reads = 0;
    const watch = (/** @type {any} */ array) => new Proxy(array, {
        get(target, key) {
            const value = target[key];
            if (typeof key === 'string' && /^\d+$/.test(key)) {
                reads++;
            }

            return typeof value === 'function' ? value.bind(target) : value;
        },
    });
    const counted = Object.fromEntries(Object.entries(object).map(([key, value]) => [key, ArrayBuffer.isView(value) ? watch(value) : value]));

    return { counted: /** @type {T} */ (counted), reads: () => reads };
}

/** @param {number} seed @returns {() => number} in [0, 1), the same every time (mulberry32) */
export function random(seed) {
    let state = seed | 0;

    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;

        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

/**
 * Metrics that call trees can have, as the server describes them.
 *
 * @type {import('../../xhprof_html/assets/js/profile/tree.js').Metric[]}
 */
export const METRICS = JSON.parse(execFileSync(process.env.PHP_BINARY ?? 'php', ['-r', `require $argv[1];
    echo json_encode(XHProf\\Report\\MetricList::ofTree(XHProf\\Report\\Counted::Calls));`,
fileURLToPath(new URL('../../xhprof_lib/autoload.php', import.meta.url))], { encoding: 'utf8' }));

/**
 * A tree in the shape of api.php?get=tree: calls wander up and down, some functions call themselves.
 *
 * @param {number} n nodes
 * @param {{seed?: number, functions?: number, levels?: number, memory?: boolean, shape?: number}} [options]
 *        shape: which functions call which; another seed changes the figures only
 */
export function treeJson(n, { seed = 1, functions = 200, levels = 40, memory = false, shape = 1 } = {}) {
    const walk = random(shape);
    const cost = random(seed * 7919);
    const names = ['main()', ...Array.from({ length: functions }, (_, i) => (i % 5 === 0
        ? `str_function_${i}`
        : `App\\Module${i % 11}\\Service${i % 37}::method${i}`))];
    const fn = [0];
    const depth = [0];
    for (let node = 1, level = 0; node < n; node++) {
        const turn = walk();
        level = turn < 0.52 && level < levels - 1 ? level + 1 : Math.max(1, level - Math.floor(walk() * 4));
        depth.push(level);
        fn.push(1 + Math.floor(walk() ** 2 * functions));
    }
    const column = (/** @type {() => number} */ make) => Array.from({ length: n }, make);
    const self = {
        wt: column(() => Math.floor(cost() ** 6 * 40000)),
        cpu: column(() => Math.floor(cost() ** 6 * 30000)),
        ...(memory ? { mu: column(() => Math.floor((cost() - 0.4) ** 3 * 9000)) } : {}),
    };

    return {
        v: 1, kind: 'tree', metrics: METRICS, order: 'preorder', n, names, fn, depth, ct: column(() => 1 + Math.floor(cost() ** 8 * 50)), self,
        corrected: { wt: self.wt.map((value) => Math.max(0, value - 20)) },
    };
}
