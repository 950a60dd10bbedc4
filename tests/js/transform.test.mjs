/** Simpler trees: golden paths, and sums of random trees. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_CHANGES, changesNothing, transform } from '../../xhprof_html/assets/js/profile/transform.js';
import { functionsOf, outermost } from '../../xhprof_html/assets/js/profile/merge.js';
import { METRICS, treeJson, treeOf } from './support.mjs';
import { pathTo } from '../../xhprof_html/assets/js/profile/tree.js';

/** main > a > (b > a > c), b; main > a again; main > c */
const GOLDEN = {
    v: 1, kind: 'tree', metrics: METRICS, order: 'preorder', n: 8,
    names: ['main()', 'a', 'b', 'c'],
    fn: [0, 1, 2, 1, 3, 2, 1, 3],
    depth: [0, 1, 2, 3, 4, 2, 1, 1],
    ct: [1, 2, 1, 3, 1, 4, 1, 5],
    self: { wt: [10, 20, 5, 7, 1, 2, 30, 4] },
};
const tree = treeOf(GOLDEN);

/** @param {Partial<import('../../xhprof_html/assets/js/profile/transform.js').Changes>} changes */
function paths(changes) {
    const made = transform(tree, { ...NO_CHANGES, ...changes }, ['wt', 'ct']);

    return Array.from(made.fn, (fn, node) => `${'  '.repeat(made.depth[node])}${made.names[fn]} ${made.exclusive('wt')[node]} ×${made.exclusive('ct')[node]}`);
}

describe('a tree made simpler', () => {
    test('nothing changes without changes, or with names it does not have', () => {
        assert.ok(changesNothing(NO_CHANGES));
        assert.equal(transform(tree, { only: 'x', hide: ['y'], fold: false }, ['wt', 'ct']), tree);
    });

    test('a function taken out leaves its cost to its caller, and its callees', () => {
        assert.deepEqual(paths({ hide: ['b'] }), ['main() 10 ×1', '  a 57 ×3', '    a 7 ×3', '      c 1 ×1', '  c 4 ×5']);
        assert.deepEqual(paths({ hide: ['main()', 'a', 'b'] }), ['main() 74 ×1', '  c 5 ×6']);
    });

    test('recursion is merged into the running call, what is between them included', () => {
        assert.deepEqual(paths({ fold: true }), ['main() 10 ×1', '  a 57 ×6', '    b 7 ×5', '    c 1 ×1', '  c 4 ×5']);
    });

    test('one function: all its calls are one', () => {
        assert.deepEqual(paths({ only: 'a' }), ['a 50 ×3', '  b 7 ×5', '    a 7 ×3', '      c 1 ×1']);
        assert.deepEqual(paths({ only: 'a', hide: ['a', 'b'], fold: true }), ['a 64 ×6', '  c 1 ×1']);
    });

    test('figures add up, whatever changes', () => {
        for (const shape of [1, 2, 3]) {
            const any = treeOf(treeJson(3000, { shape, functions: 10, levels: 12 }));
            const [one, two] = [any.names[any.fn[1]], any.names[any.fn[7]]];
            for (const changes of [{ hide: [one, two] }, { fold: true }, { fold: true, hide: [two] }]) {
                const made = transform(any, { ...NO_CHANGES, ...changes }, ['wt', 'ct']);
                assert.equal(made.inclusive('wt')[0], any.inclusive('wt')[0]);
                assert.ok(made.n < any.n);
                if (changes.fold) {
                    for (let node = 0; node < made.n; node++) {
                        const above = pathTo(made.parent, node).map((at) => made.fn[at]);
                        assert.equal(new Set(above).size, above.length, 'no function is on a path twice');
                    }
                }
            }
            const fn = any.fn[1];
            const only = transform(any, { ...NO_CHANGES, only: one }, ['wt', 'ct']);
            const rows = functionsOf(any, 'wt');
            assert.equal(only.inclusive('wt')[0], rows.inclusive[rows.fn.indexOf(fn)]);
            assert.equal(only.exclusive('ct')[0], outermost(any, fn).nodes.reduce((sum, node) => sum + any.exclusive('ct')[node], 0));
        }
    });
});
