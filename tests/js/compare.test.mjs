/** Rows of a comparison: which are noise, and in which order they come. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DiffModel } from '../../xhprof_html/assets/js/compare/diff-model.js';
import { nextDirection, parseColumnKey } from '../../xhprof_html/assets/js/table/column-order.js';

/** Totals 1000 and 1100: changes under 11 are small. */
const data = () => ({
    names: ['main()', 'slow', 'Fast', 'new', 'gone', 'tiny'],
    metrics: [{ k: 'wt', unit: /** @type {const} */ ('us'), label: 'Wall time' }, { k: 'ct', unit: /** @type {const} */ ('count'), label: 'Calls' }],
    total: { a: { wt: 1000, ct: 10 }, b: { wt: 1100, ct: 11 } },
    a: { ct: [1, 2, 3, 0, 1, 1], wt: [1000, 300, 200, 0, 50, 5], excl_wt: [100, 300, 200, 0, 50, 5] },
    b: { ct: [1, 2, 3, 4, 0, 1], wt: [1100, 450, 140, 60, 0, 8], excl_wt: [100, 450, 140, 60, 0, 8] },
    only: /** @type {(0 | 1 | 2)[]} */ ([0, 0, 0, 2, 1, 0]),
    bounds: { least: { wt: 11, ct: 0.11 }, level: 0.05 },
});
const settings = { sort: 'excl_wt', direction: '', query: '', changed: false, mixed: false, metric: 'wt' };

/** @param {Partial<typeof settings>} more @param {any} [given] */
function names(more, given = data()) {
    const model = new DiffModel(given);
    model.arrange({ ...settings, ...more });

    return model.rows.map((row) => model.data.names[row]);
}

test('by size, by what grew, by what shrank; what is small comes last', () => {
    assert.deepEqual(names({}), ['slow', 'Fast', 'new', 'gone', 'tiny', 'main()']);
    assert.deepEqual(names({ direction: 'desc' }), ['slow', 'new', 'gone', 'Fast', 'tiny', 'main()']);
    assert.deepEqual(names({ direction: 'asc' }), ['Fast', 'gone', 'new', 'slow', 'main()', 'tiny']);
    assert.deepEqual(names({ direction: 'asc', mixed: true }), ['Fast', 'gone', 'main()', 'tiny', 'new', 'slow']);
});

test('by one side, by percent, by name', () => {
    assert.deepEqual(names({ sort: 'a_wt' }).slice(0, 2), ['main()', 'slow']);
    assert.deepEqual(names({ sort: 'b_excl_wt', direction: 'asc' })[0], 'gone');
    // A new function has grown beyond any percentage; gone is -100 %, slow +50 %, Fast -30 %.
    assert.deepEqual(names({ sort: 'p_excl_wt' }), ['new', 'gone', 'slow', 'Fast', 'tiny', 'main()']);
    assert.deepEqual(names({ sort: 'fn' }), ['Fast', 'gone', 'main()', 'new', 'slow', 'tiny']);
    assert.deepEqual(names({ sort: 'fn', direction: 'desc' })[0], 'tiny');
});

test('only what changed, and names that have a text', () => {
    assert.deepEqual(names({ changed: true }), ['slow', 'Fast', 'new', 'gone']);
    assert.deepEqual(names({ query: 'FAST' }), ['Fast']);
    assert.deepEqual(names({ query: 'no such' }), []);
});

test('what may be chance is noise', () => {
    const tested = { ...data(), noise: { p: { excl_wt: [1, 0.2, 0.04, 0, null, 0] } } };
    assert.deepEqual(names({}, tested), ['Fast', 'new', 'gone', 'slow', 'tiny', 'main()']);
    const model = new DiffModel(tested);
    assert.equal(model.chance(1, 'excl_wt'), 0.2);
    assert.equal(model.chance(1, 'wt'), null);
});

test('what the machine did is noise', () => {
    const busy = { ...data(), machine: { words: 'busy', rows: { excl_wt: [1] } } };
    assert.deepEqual(names({}, busy), ['Fast', 'new', 'gone', 'slow', 'tiny', 'main()']);
    assert.deepEqual(names({ sort: 'wt' }, busy).slice(0, 2), ['slow', 'main()']);
    assert.deepEqual(names({ changed: true }, busy), ['Fast', 'new', 'gone']);
    assert.deepEqual(names({ mixed: true }, busy)[0], 'slow');
});

test('the next click on a head', () => {
    assert.deepEqual(['', 'desc', 'asc'].map((now) => nextDirection('d', now)), ['desc', 'asc', '']);
    assert.deepEqual(['', 'asc'].map((now) => nextDirection('a', now)), ['asc', '']);
    assert.deepEqual(['', 'desc'].map((now) => nextDirection('fn', now)), ['desc', '']);
    assert.deepEqual([parseColumnKey('p_excl_wt'), parseColumnKey('ct'), parseColumnKey('fn')], [['p', 'excl_wt'], ['d', 'ct'], ['fn', 'fn']]);
});

test('a hundred thousand rows are sorted', () => {
    const size = 100000;
    const column = (/** @type {number} */ seed) => Array.from({ length: size }, (_, i) => (i * 7919 + seed) % 100003);
    const large = {
        ...data(), names: Array.from({ length: size }, (_, i) => `f${i}`), only: new Array(size).fill(0),
        total: { a: { wt: 1e6, ct: size }, b: { wt: 1e6, ct: size } }, bounds: { least: { wt: 1e4, ct: size / 100 }, level: 0.05 },
        a: { ct: column(1), wt: column(2), excl_wt: column(3) }, b: { ct: column(4), wt: column(500), excl_wt: column(60000) },
    };
    const model = new DiffModel(large);
    model.arrange(settings);
    assert.equal(new Set(model.rows).size, size);
});
