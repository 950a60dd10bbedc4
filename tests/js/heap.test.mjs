/** The treemap's items and geometry: areas in proportion to the figures, without overlaps; arrows lead somewhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsOf, layout, neighbour, tileAt } from '../../xhprof_html/assets/js/heap/treemap-model.js';
import { squarify } from '../../xhprof_html/assets/js/heap/squarify.js';

/** @param {number} seed */
function random(seed) {
    let state = seed;

    return () => {
        state = (state * 1103515245 + 12345) % 2147483648;

        return state / 2147483648;
    };
}

/** @param {{ x: number, y: number, width: number, height: number }[]} boxes */
function overlaps(boxes) {
    return boxes.flatMap((a, i) => boxes.slice(i + 1).map((b) => Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x))
        * Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)))).reduce((sum, area) => sum + area, 0);
}

test('areas are in proportion, fill the box, and do not lie over one another', () => {
    for (let seed = 1; seed <= 40; seed++) {
        const next = random(seed);
        const values = Array.from({ length: 1 + Math.floor(next() * 40) }, () => Math.ceil(1e6 * next() ** 6)).sort((a, b) => b - a);
        const box = { x: 3, y: 5, width: 40 + next() * 900, height: 30 + next() * 500 };
        const boxes = squarify(values, box);
        const scale = box.width * box.height / values.reduce((sum, value) => sum + value, 0);
        boxes.forEach((one, i) => {
            assert.ok(Math.abs(one.width * one.height - values[i] * scale) < 1e-6 * box.width * box.height, `seed ${seed}, value ${i}`);
            assert.ok(one.x >= box.x - 1e-6 && one.x + one.width <= box.x + box.width + 1e-6);
            assert.ok(one.y >= box.y - 1e-6 && one.y + one.height <= box.y + box.height + 1e-6);
        });
        assert.ok(overlaps(boxes) < 1e-6 * box.width * box.height, `seed ${seed}`);
    }
});

test('equal values are as square as they can be', () => {
    for (const { width, height } of squarify([6, 6, 4, 3, 2, 2, 1], { x: 0, y: 0, width: 600, height: 400 })) {
        assert.ok(Math.max(width / height, height / width) < 3.1);
    }
});

test('nothing, zero, and no room', () => {
    const none = { x: 0, y: 0, width: 0, height: 0 };
    assert.deepEqual(squarify([], { ...none, width: 9, height: 9 }), []);
    assert.deepEqual(squarify([0, 0], { ...none, width: 9, height: 9 }), [none, none]);
    assert.deepEqual(squarify([1], none), [none]);
    assert.deepEqual(squarify([5, 0], { ...none, width: 2, height: 3 }).map((box) => box.width * box.height), [6, 0]);
});

/** @param {string} name @param {number} value @param {any[]} parts */
const item = (name, value, parts = []) => ({ name, short: name, family: 'data', url: `?class=${name}`, at: '', value, own: value, retained: value, count: 1, parts });
const ITEMS = [item('string', 400), item('object', 600, [item('A', 100), item('B', 500), item('C', 0)]), item('frame', 0)];

test('items hold their parts, the largest first; what has no bytes has no tile', () => {
    const tiles = layout(ITEMS, 800, 300);
    assert.deepEqual(tiles.map((tile) => tile.item.name), ['object', 'B', 'A', 'string']);
    assert.deepEqual(tiles.map((tile) => tile.isLeaf), [false, true, true, true]);
    const [object, b] = tiles;
    assert.ok(b.x >= object.x && b.y > object.y && b.x + b.width <= object.x + object.width && b.y + b.height <= object.y + object.height);
});

test('an item without room shows no parts, and what is too small to be seen has no tile', () => {
    assert.deepEqual(layout(ITEMS, 60, 30).map((tile) => tile.item.name), ['object', 'string']);
    assert.deepEqual(layout([item('all', 1e6), item('tiny', 1)], 800, 300).map((tile) => tile.item.name), ['all']);
});

test('parts lie within parts, as deep as there is room', () => {
    let nested = item('0', 100);
    for (let depth = 1; depth <= 30; depth++) {
        nested = item(String(depth), 100, [nested]);
    }
    const tiles = layout([nested], 800, 300);
    assert.ok(tiles.length > 10 && tiles.length < 20, String(tiles.length));
    assert.deepEqual(tiles.map((tile) => tile.isLeaf), tiles.map((_, index) => index === tiles.length - 1));
    tiles.slice(1).forEach((tile, index) => assert.ok(tile.y > tiles[index].y && tile.x > tiles[index].x));
});

/** @param {string} name @param {object} more */
const branch = (name, more) => ({
    name, by: '', family: 'data', at: `0x${name}`, url: `?node=0x${name}`, own: 0, retained: 0, count: 0, more: 0, moreBytes: 0, moreFamily: '', kinds: [], children: [], ...more,
});

test('a node has its children, the others as one, and itself; together they are what it retains', () => {
    const node = branch('list', {
        own: 56, retained: 1000, count: 5, more: 3, moreBytes: 44, kinds: ['string'], children: [
            branch('User', { by: '[0]', retained: 600, own: 600 }),
            branch('Log', { by: '->log', retained: 300, own: 20, count: 2, more: 2, moreBytes: 280, kinds: ['array', 'string'] }),
        ],
    });
    const items = itemsOf(node, '?show=tree');
    assert.deepEqual(items.map(({ name, value, at, url }) => [name, value, at, url]), [
        ['[0]  User', 600, '', '?node=0xUser'],
        ['->log  Log', 300, '0xLog', '?node=0xLog'],
        ['3 × string', 44, '', '?show=tree'],
        ['list: itself', 56, '', '?node=0xlist'],
    ]);
    assert.equal(items.reduce((sum, { value }) => sum + value, 0), node.retained);
    // Below the top the others are found by opening the node.
    assert.deepEqual(items[1].parts.map(({ name, value, at, url }) => [name, value, at, url]), [
        ['2 smaller: array, string', 280, '0xLog', ''], ['Log: itself', 20, '', '?node=0xLog'],
    ]);
    assert.deepEqual(itemsOf(branch('leaf', { own: 30, retained: 30 })), []);
    const [rest] = itemsOf(branch('', { at: '', family: '', retained: 10, count: 9, more: 9, moreBytes: 10 }), '?show=tree');
    assert.deepEqual([rest.name, rest.family, rest.url], ['everything else', 'engine', '?show=tree']);
});

test('what stands for many has their kind, not that of their holder, and a name says nothing twice', () => {
    const holder = branch('list', { retained: 900, count: 400, more: 400, moreBytes: 900, moreFamily: 'objects', kinds: ['Shop\\Change'] });
    assert.deepEqual(itemsOf(holder).map(({ name, family }) => [name, family]), [['400 × Shop\\Change', 'objects']]);
    const engine = branch('engine', { retained: 10, count: 3, children: [
        branch("compiler's arena", { by: "{compiler's arena}", retained: 5 }), branch('arena compiler', { by: '{arena}', retained: 3 }),
        branch('Foo', { by: '{x}', retained: 2 }),
    ] });
    assert.deepEqual(itemsOf(engine).map(({ name }) => name), ["compiler's arena", 'arena compiler', '{x}  Foo']);
});

test('a point is in the innermost tile', () => {
    const tiles = layout(ITEMS, 800, 300);
    for (const [index, tile] of tiles.entries()) {
        if (tile.isLeaf) {
            assert.equal(tileAt(tiles, tile.x + tile.width / 2, tile.y + tile.height / 2), index);
        }
    }
    assert.equal(tileAt(tiles, tiles[0].x + 3, tiles[0].y + 3), 0);
    assert.equal(tileAt(tiles, -1, 5), -1);
});

test('arrows reach every tile and come back', () => {
    const next = random(7);
    const tiles = layout(Array.from({ length: 12 }, (_, i) => item(`t${i}`, Math.ceil(1e4 * next()))), 900, 380);
    const seen = new Set([0]);
    const queue = [0];
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
        for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
            const to = neighbour(tiles, at, dx, dy);
            assert.ok(to >= 0 && to < tiles.length);
            if (!seen.has(to)) {
                seen.add(to);
                queue.push(to);
            }
        }
    }
    assert.equal(seen.size, tiles.length);
    assert.equal(neighbour([], -1, 1, 0), -1);
});
