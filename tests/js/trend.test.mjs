/** The runs in a range of a trend, and links to compare and average them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isByRun, placesOf, quantile, rangeLinks, within } from '../../xhprof_html/assets/js/trend/range.js';
import { chosen, nearest } from '../../xhprof_html/assets/js/trend/brush.js';

const points = {
    label: 'Wall', unit: /** @type {const} */ ('us'), source: 'app', most: 50, offset: 0,
    ids: ['a', 'b', 'c', 'd', 'e'], urls: [], t: [10, 20, 30, 40, 50], v: [1, 2, null, 4, 5], git: ['', '', '', '', ''], marks: [],
};

test('runs of a stretch, whichever way it was dragged', () => {
    assert.deepEqual(within(points.t, 15, 40), [1, 4]);
    assert.deepEqual(within(points.t, 40, 15), [1, 4]);
    assert.deepEqual(within(points.t, 0, 99), [0, 5]);
    assert.deepEqual(within(points.t, 31, 39), [3, 3]);
    assert.deepEqual(within(points.t, 60, 90), [5, 5]);
});

test('halves, before and these, mean', () => {
    assert.deepEqual(rangeLinks(points, 1, 4), [
        { label: 'Compare first half with second half', url: 'index.php?run1=b&run2=c%2Cd&source=app' },
        { label: 'Compare earlier runs with these', url: 'index.php?run1=a&run2=b%2Cc%2Cd&source=app' },
        { label: 'Mean of 3', url: 'index.php?run=b%2Cc%2Cd&source=app' },
    ]);
    assert.deepEqual(rangeLinks(points, 0, 2).map(({ label }) => label), ['Compare the two', 'Mean of 2']);
    assert.deepEqual(rangeLinks(points, 2, 3), []);
    assert.deepEqual(rangeLinks({ ...points, source: null }, 0, 5), []);
});

test('a side holds the runs that are nearest to the border', () => {
    const ids = Array.from({ length: 300 }, (_, i) => `r${i}`);
    const many = { ...points, ids, most: 50 };
    const url = new URL(rangeLinks(many, 100, 300)[0]?.url ?? '', 'http://x/');
    const [before, after] = ['run1', 'run2'].map((side) => url.searchParams.get(side)?.split(',') ?? []);
    assert.deepEqual([before?.length, before?.[0], before?.at(-1)], [50, 'r150', 'r199']);
    assert.deepEqual([after?.length, after?.[0]], [50, 'r200']);
});

test('quantiles leave out what is not known', () => {
    assert.equal(quantile(points.v, 0.5), 3);
    assert.equal(quantile([7], 0.25), 7);
    assert.equal(quantile([1, 2, 3, 4], 0.25), 1.75);
    assert.ok(Number.isNaN(quantile([null], 0.5)));
});

test('runs stand at equal distances where most of a time axis would be empty', () => {
    const clustered = { ...points, t: [1, 2, 3, 4, 900] };
    assert.equal(isByRun(points, ''), false);
    assert.equal(isByRun(points, 'run'), true);
    assert.deepEqual(placesOf(points, false), points.t);
    assert.equal(isByRun(clustered, ''), true);
    assert.equal(isByRun(clustered, 'time'), false);
    assert.deepEqual(placesOf(clustered, true), [0, 1, 2, 3, 4]);
});

test('a range of a chart reaches from one stretch to the other, over gaps', () => {
    const point = (at, width, name) => ({ at, width, from: `${name} from`, to: `${name} to`, text: name });
    const points = [point(0, 0.1, 'a'), point(0.1, 0.1, 'b'), point(0.6, 0.1, 'c'), point(0.9, 0.1, 'd')];
    assert.deepEqual([0, 0.05, 0.1, 0.199].map((share) => nearest(points, share)), [0, 0, 1, 1]);
    assert.deepEqual([0.3, 0.5, 0.69, 0.99, -1, 2].map((share) => nearest(points, share)), [1, 2, 2, 3, 0, 3]);
    const range = { from: 'b from', to: 'c to', left: 0.1, right: 0.7 };
    assert.deepEqual(chosen(points, 1, 2), range);
    assert.deepEqual(chosen(points, 2, 1), range);
    assert.equal(chosen(points, 3, 3).from, 'd from');
});
