/** tools/palette.mjs, which makes the pictures of the documentation small. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync, inflateSync } from 'node:zlib';
import { withPalette } from '../../tools/palette.mjs';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** @param {string} type @param {Buffer} data without a checksum: it is not read */
const chunk = (type, data) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
};

/** @param {number} width @param {number} height @param {Buffer} rows each with its filter @param {number} [type] */
function png(width, height, rows, type = 2) {
    const head = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, type, 0, 0, 0]);
    return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

/** @param {Buffer} file @returns {Record<string, Buffer>} */
function chunks(file) {
    /** @type {Record<string, Buffer>} */
    const found = {};
    for (let at = 8; at < file.length;) {
        const length = file.readUInt32BE(at);
        found[file.toString('latin1', at + 4, at + 8)] = file.subarray(at + 8, at + 8 + length);
        at += length + 12;
    }
    return found;
}

/** @param {Buffer} file @param {number} width @returns {number[][][]} rows of pixels */
function pixels(file, width) {
    const { PLTE, IDAT } = chunks(file);
    const rows = inflateSync(IDAT ?? Buffer.alloc(0));
    const all = [];
    for (let at = 0; at < rows.length; at += width + 1) {
        assert.equal(rows[at], 0);
        all.push([...rows.subarray(at + 1, at + 1 + width)].map((index) => [...(PLTE ?? Buffer.alloc(0)).subarray(3 * index, 3 * index + 3)]));
    }
    return all;
}

test('few colours stay as they are, whichever filter a row has', () => {
    const rows = Buffer.from([
        [0, 10, 20, 30, 250, 0, 7],
        [1, 10, 20, 30, 240, 236, 233], // left: the differences of the same
        [2, 0, 0, 0, 0, 0, 0],
        [3, 5, 10, 15, 120, 246, 245],
        [4, 0, 0, 0, 0, 0, 0],
    ].flat());
    const line = [[10, 20, 30], [250, 0, 7]];
    assert.deepEqual(pixels(withPalette(png(2, 5, rows)), 2).slice(0, 3), [line, line, line]);
    const average = pixels(withPalette(png(2, 5, rows)), 2);
    assert.deepEqual(average[3], [[10, 20, 30], [(120 + 130) % 256, (246 + 10) % 256, (245 + 18) % 256]]);
    assert.deepEqual(average[4], average[3]);
});

test('the fourth channel is left out', () => {
    const rows = Buffer.from([0, 1, 2, 3, 255, 4, 5, 6, 255]);
    assert.deepEqual(pixels(withPalette(png(2, 1, rows, 6)), 2), [[[1, 2, 3], [4, 5, 6]]]);
});

test('of many colours 256 are left: the most frequent one exactly, the others nearly', () => {
    const rows = Buffer.alloc(200 * (1 + 3 * 200));
    const colour = (/** @type {number} */ x, /** @type {number} */ y) => (y < 40 ? [22, 24, 29] : [x, y, (x + y) % 256]);
    for (let y = 0; y < 200; y++) {
        for (let x = 0; x < 200; x++) {
            rows.set(colour(x, y), y * 601 + 1 + 3 * x);
        }
    }
    const file = withPalette(png(200, 200, rows));
    assert.equal((chunks(file).PLTE ?? []).length, 3 * 256);
    const found = pixels(file, 200);
    for (let y = 0; y < 200; y++) {
        for (let x = 0; x < 200; x++) {
            const wrong = Math.max(...colour(x, y).map((value, i) => Math.abs(value - (found[y]?.[x]?.[i] ?? 0))));
            assert.ok(wrong <= (y < 40 ? 0 : 32), `${x} ${y}: ${wrong}`);
        }
    }
});

test('what is no such picture is refused', () => {
    assert.throws(() => withPalette(png(1, 1, Buffer.from([0, 1]), 0)), /no PNG of 8 bits/);
});
