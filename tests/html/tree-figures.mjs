/**
 * What the pages' own modules show of runs: node tree-figures.mjs FOLDER. The folder has ID.columns, answers of get=columns, and
 * "ID html.columns", what an exported page has. Prints JSON, by name of the file: `views`, by view, metric and function [calls,
 * inclusive, exclusive]; `symbols`, by function; `range`, the functions of a part of the timeline.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Union } from '../../xhprof_html/assets/js/profile/diff.js';
import { calleesOf, callersOf, functionsOf, mergePaths } from '../../xhprof_html/assets/js/profile/merge.js';
import { readRun } from '../../xhprof_html/assets/js/profile/run-file.js';
import { symbolOf } from '../../xhprof_html/assets/js/profile/symbol.js';
import { Timeline } from '../../xhprof_html/assets/js/profile/timeline.js';
import { Tree } from '../../xhprof_html/assets/js/profile/tree.js';

/**
 * @param {Tree} tree
 * @param {string} metric
 */
function listed(tree, metric) {
    const { fn, ct, inclusive, exclusive } = functionsOf(tree, metric);

    return Object.fromEntries([...fn].map((index, at) => [tree.names[index], [ct[at], inclusive[at], exclusive[at]]]));
}

/**
 * The middle of the sandwich.
 *
 * @param {Tree} tree
 * @param {string} metric
 */
function sandwich(tree, metric) {
    const found = functionsOf(tree, metric);

    return Object.fromEntries([...found.fn].map((fn, at) => {
        const [callers, callees] = [callersOf, calleesOf].map((of) => /** @type {Tree} */ (of(tree, fn, [metric])));
        const sides = [callers, callees].map((side) => side.inclusive(metric)[0]);
        // All calls of the function are below the outermost ones.
        const own = functionsOf(new Tree(callees.names, callees.fn, callees.depth, new Map([...callees.self, ['ct', callees.exclusive(metric)]])), metric);

        return [tree.names[fn], [found.ct[at], sides[0] === sides[1] ? sides[0] : sides, own.exclusive[own.fn.indexOf(fn)]]];
    }));
}

/**
 * @param {Tree} tree
 * @param {string} metric
 */
function compared(tree, metric) {
    const union = new Union(tree, tree);
    union.figures([metric, 'ct']);

    return ['a', 'b'].map((side) => {
        const figures = new Map([[metric, union.exclusive(`${side}.${metric}`)], ['ct', union.exclusive(`${side}.ct`)]]);

        return listed(new Tree(union.names, union.fn, union.depth, figures), metric);
    });
}

/** @param {Tree} tree */
function symbols(tree) {
    return Object.fromEntries(tree.names.flatMap((name) => {
        const symbol = symbolOf(tree, name);

        return symbol === null ? [] : [[name, symbol]];
    }));
}

const [folder] = process.argv.slice(2);

/** @param {string} file */
function figures(file) {
    const bytes = readFileSync(join(folder, file));
    const run = readRun(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    const tree = Tree.of(run.document('tree'));
    const byMetric = (/** @type {(metric: string) => any} */ view) => Object.fromEntries(['wt', 'cpu', 'mu', 'pmu']
        .map((metric) => [metric, view(metric)]));
    const views = { 'flame graph': byMetric((metric) => listed(tree, metric)) };
    const live = Object.fromEntries([...tree.self].filter(([name]) => name.startsWith('live_')).map(([name, column]) => [name, [...column]]));
    if (file.includes(' ')) {
        return { views, live, symbols: null, range: null };
    }
    const merged = mergePaths(tree);
    const timeline = run.document('timeline') === null ? null : Timeline.of(run.document('timeline'), tree);

    return {
        views: {
            ...views,
            'merged paths': byMetric((metric) => listed(merged, metric)),
            sandwich: byMetric((metric) => sandwich(tree, metric)),
            'comparison before': byMetric((metric) => compared(tree, metric)[0]),
            'comparison after': byMetric((metric) => compared(tree, metric)[1]),
        },
        symbols: symbols(tree),
        live,
        range: timeline === null ? null : ranged(timeline),
    };
}

/**
 * The second third, in whole microseconds.
 *
 * @param {Timeline} timeline
 */
function ranged(timeline) {
    const [from, to] = [1, 2].map((part) => Math.floor((timeline.duration / 3000) * part));

    return { from, to, functions: listed(timeline.pathsOf(from * 1000, to * 1000), 'wt') };
}

const files = readdirSync(folder).filter((file) => file.endsWith('.columns'));
console.log(JSON.stringify(Object.fromEntries(files.map((file) => [file.slice(0, -'.columns'.length), figures(file)]))));
