/** The treemap's geometry: areas in proportion to the figures, without overlaps; arrows lead somewhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layout, leaves, neighbour, tileAt } from '../../xhprof_html/assets/js/heap/treemap-model.js';
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

const part = (/** @type {string} */ name, /** @type {number} */ bytes, retained = bytes) => ({ name, short: name, url: `?class=${name}`, count: 1, bytes, retained });
const GROUPS = [
    { ...part('string', 400), family: 'data', parts: [] },
    { ...part('object', 600, 2000), family: 'objects', parts: [part('A', 100, 1500), part('B', 500), part('C', 0)] },
    { ...part('frame', 0), family: 'engine', parts: [] },
];

test('types hold their parts, the largest first; what has no bytes has no tile', () => {
    const tiles = layout(GROUPS, 'bytes', 800, 300);
    assert.deepEqual(tiles.map((tile) => tile.part?.name ?? tile.group.name), ['object', 'B', 'A', 'string']);
    assert.deepEqual(leaves(tiles), [false, true, true, true]);
    const [object, b] = tiles;
    assert.ok(b.x >= object.x && b.y > object.y && b.x + b.width <= object.x + object.width && b.y + b.height <= object.y + object.height);
    assert.deepEqual(layout(GROUPS, 'retained', 800, 300).map((tile) => tile.part?.name ?? tile.group.name), ['object', 'A', 'B', 'string']);
});

test('a type without room shows no parts', () => {
    assert.deepEqual(layout(GROUPS, 'bytes', 60, 30).map((tile) => tile.group.name), ['object', 'string']);
});

test('a point is in the innermost tile', () => {
    const tiles = layout(GROUPS, 'bytes', 800, 300);
    for (const [index, tile] of tiles.entries()) {
        if (leaves(tiles)[index]) {
            assert.equal(tileAt(tiles, tile.x + tile.width / 2, tile.y + tile.height / 2), index);
        }
    }
    assert.equal(tileAt(tiles, tiles[0].x + 3, tiles[0].y + 3), 0);
    assert.equal(tileAt(tiles, -1, 5), -1);
});

test('arrows reach every tile and come back', () => {
    const next = random(7);
    const groups = Array.from({ length: 12 }, (_, i) => ({ ...part(`t${i}`, Math.ceil(1e4 * next())), family: 'data', parts: [] }));
    const tiles = layout(groups, 'bytes', 900, 380);
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
