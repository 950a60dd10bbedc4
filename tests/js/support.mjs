/** For the tests: trees, random ones from a seed and large ones, run files, and a count of reads. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { answerLocally } from '../../xhprof_html/assets/js/core/api.js';
import { readRun } from '../../xhprof_html/assets/js/profile/run-file.js';
import { Tree } from '../../xhprof_html/assets/js/profile/tree.js';

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
    echo json_encode(XHProf\\Functions\\MetricList::ofTree(XHProf\\Functions\\CountKind::Calls));`,
fileURLToPath(new URL('../../xhprof_lib/autoload.php', import.meta.url))], { encoding: 'utf8' }));

/**
 * A tree as the document "tree" of api.php: calls wander up and down, some functions call themselves.
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
        metrics: METRICS, order: 'preorder', n, names, fn, depth, ct: column(() => 1 + Math.floor(cost() ** 8 * 50)), self,
        corrected: { wt: self.wt.map((value) => Math.max(0, value - 20)) },
    };
}

/** Sizes of the number types of run files, smallest first, and their ranges. */
const TYPES = /** @type {[type: string, array: any, least: number, most: number][]} */ ([
    ['u8', Uint8Array, 0, 0xff], ['u16', Uint16Array, 0, 0xffff], ['u32', Uint32Array, 0, 0xffffffff],
    ['i32', Int32Array, -0x80000000, 0x7fffffff], ['f64', Float64Array, -(2 ** 53), 2 ** 53],
]);

/**
 * A run file of a head and sections as they are, right or wrong.
 *
 * @param {any} head without its sections; or its text
 * @param {Record<string, {data?: Uint8Array} & Record<string, any>>} [sections] those with data are put one after the other
 * @param {string} [version]
 * @returns {ArrayBuffer}
 */
export function fileOf(head, sections = {}, version = '1') {
    let end = 0;
    const bodies = [];
    const described = Object.fromEntries(Object.entries(sections).map(([name, { data, ...section }]) => {
        if (data === undefined) {
            return [name, section];
        }
        const at = end;
        bodies.push({ at, data });
        end += Math.ceil(data.length / 8) * 8;

        return [name, { at, ...section }];
    }));
    const json = new TextEncoder().encode(typeof head === 'string' ? head : JSON.stringify({ ...head, sections: described }));
    const length = Math.ceil((json.length + 30) / 8) * 8;
    const file = new Uint8Array(length + end);
    file.fill(32, 0, length);
    const first = new TextEncoder().encode(`xhprof-run ${version} ${length}\n`);
    file.set(first);
    file.set(json, first.length);
    file[length - 1] = 10;
    bodies.forEach(({ at, data }) => file.set(data, length + at));

    return file.buffer;
}

/**
 * @param {number[]} values whole numbers
 * @returns {any} a section in the smallest type
 */
export function numbers(values) {
    if (values.every((value) => value === values[0])) {
        return { type: 'same', value: values[0] ?? 0, n: values.length };
    }
    const [type, array] = TYPES.find(([, , least, most]) => values.every((value) => value >= least && value <= most)) ?? TYPES[4];

    return { type, n: values.length, data: new Uint8Array(array.from(values).buffer) };
}

/**
 * A run file as XHProf\Run\RunFileWriter makes it: lists of whole numbers and of texts become columns.
 *
 * @param {Record<string, any>} documents
 * @returns {ArrayBuffer}
 */
export function runFile(documents) {
    /** @type {Record<string, any>} */
    const sections = {};
    const rest = (/** @type {any} */ value, /** @type {string} */ name) => Object.fromEntries(Object.entries(value).flatMap(([key, part]) => {
        const path = `${name}.${key}`;
        if (Array.isArray(part) && part.every(Number.isInteger)) {
            sections[path] = numbers(part);
        } else if (Array.isArray(part) && part.every((text) => typeof text === 'string')) {
            const texts = part.map((text) => new TextEncoder().encode(text));
            let end = 0;
            sections[`${path}.end`] = numbers(texts.map((text) => (end += text.length)));
            sections[path] = { type: 'text', n: part.length, bytes: end, data: Uint8Array.from(texts.flatMap((text) => [...text])) };
        } else if (part !== null && typeof part === 'object' && !Array.isArray(part)) {
            return [[key, rest(part, path)]];
        } else {
            return [[key, part]];
        }

        return [];
    }));
    const head = Object.fromEntries(Object.entries(documents).map(([name, document]) => [name, rest(document, name)]));

    return fileOf({ v: 1, ...head }, sections);
}

/**
 * @param {any} document as JSON would have it
 * @returns {any} as it comes out of a run file
 */
export function stored(document) {
    return readRun(runFile({ document })).document('document');
}

/**
 * @param {any} json of a call tree
 * @returns {Tree}
 */
export function treeOf(json) {
    return Tree.of(stored(json));
}

/**
 * @param {Record<string, any>} documents
 * @returns {void} later requests are answered with a run file of those that they ask for
 */
export function serveRun(documents) {
    answerLocally((url) => {
        const asked = (/&documents=([a-z,]+)$/.exec(url)?.[1] ?? '').split(',');

        return runFile(Object.fromEntries(Object.entries(documents).filter(([name]) => asked.includes(name))));
    });
}
