/**
 * Makes a PNG of Chromium small: at most 256 colours in a palette, instead of three bytes for each pixel.
 *
 * Colours are chosen by median cut: the box of colours with the most pixels times its longest side is cut in two, where half of
 * its pixels are, until there are 256.
 */
import { deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST = 256;
const CHANNELS = [16, 8, 0];

/** @typedef {{ colour: number, count: number }} Counted a colour, 0xRRGGBB, and its pixels */

/**
 * @param {Buffer} png 8 bits a channel, RGB or RGBA without transparency, not interlaced
 * @returns {Buffer} a PNG with a palette
 */
export function withPalette(png) {
    const { width, height, pixels } = decoded(png);
    /** @type {Map<number, number>} */
    const counts = new Map();
    for (const colour of pixels) {
        counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const palette = chosen([...counts].map(([colour, count]) => ({ colour, count })));
    const indexes = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
    const rows = Buffer.alloc(height * (width + 1));
    for (let y = 0, pixel = 0, at = 0; y < height; y++) {
        rows[at++] = 0; // no filter: neighbours in a palette are not alike in number
        for (let x = 0; x < width; x++) {
            rows[at++] = indexes.get(pixels[pixel++] ?? 0) ?? 0;
        }
    }
    const head = Buffer.alloc(13);
    head.writeUInt32BE(width, 0);
    head.writeUInt32BE(height, 4);
    head.set([8, 3, 0, 0, 0], 8);
    const colours = Buffer.from(palette.flatMap((colour) => CHANNELS.map((shift) => (colour >> shift) & 255)));

    return Buffer.concat([
        SIGNATURE, chunk('IHDR', head), chunk('PLTE', colours), chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
        chunk('IEND', Buffer.alloc(0)),
    ]);
}

/**
 * @param {Buffer} png
 * @returns {{ width: number, height: number, pixels: Uint32Array }} 0xRRGGBB each
 */
function decoded(png) {
    const width = png.readUInt32BE(16);
    const height = png.readUInt32BE(20);
    const bytes = { 2: 3, 6: 4 }[png.readUInt8(25)];
    if (!png.subarray(0, 8).equals(SIGNATURE) || png.readUInt8(24) !== 8 || bytes === undefined || png.readUInt8(28) !== 0) {
        throw new Error('This is no PNG of 8 bits a channel in RGB.');
    }
    const parts = [];
    for (let at = 8; at < png.length;) {
        const length = png.readUInt32BE(at);
        if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
            parts.push(png.subarray(at + 8, at + 8 + length));
        }
        at += length + 12;
    }
    const data = inflateSync(Buffer.concat(parts));
    const stride = width * bytes;
    const pixels = new Uint32Array(width * height);
    let above = new Uint8Array(stride);
    for (let y = 0; y < height; y++) {
        const begin = y * (stride + 1);
        const row = unfiltered(data[begin] ?? 0, data.subarray(begin + 1, begin + 1 + stride), above, bytes);
        for (let x = 0; x < width; x++) {
            const at = x * bytes;
            pixels[y * width + x] = ((row[at] ?? 0) << 16) | ((row[at + 1] ?? 0) << 8) | (row[at + 2] ?? 0);
        }
        above = row;
    }

    return { width, height, pixels };
}

/**
 * Undoes the filter of a row, as PNG's specification has them (9.2).
 *
 * @param {number} filter
 * @param {Uint8Array} data
 * @param {Uint8Array} above
 * @param {number} bytes of a pixel
 * @returns {Uint8Array<ArrayBuffer>}
 */
function unfiltered(filter, data, above, bytes) {
    const row = new Uint8Array(data.length);
    for (let i = 0; i < data.length; i++) {
        const left = row[i - bytes] ?? 0;
        const up = above[i] ?? 0;
        const corner = above[i - bytes] ?? 0;
        const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
        row[i] = (data[i] ?? 0) + predicted;
    }

    return row;
}

/** @param {number} left @param {number} up @param {number} corner */
function paeth(left, up, corner) {
    const estimate = left + up - corner;
    const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];

    return a <= b && a <= c ? left : b <= c ? up : corner;
}

/**
 * @param {Counted[]} colours
 * @returns {number[]} at most MOST
 */
function chosen(colours) {
    const boxes = [boxOf(colours)];
    while (boxes.length < MOST) {
        boxes.sort((a, b) => b.weight - a.weight);
        const box = boxes[0];
        if (box === undefined || box.colours.length < 2) {
            break;
        }
        boxes.splice(0, 1, ...halves(box).map(boxOf));
    }

    // The colour with the most pixels stands for its box: backgrounds and lines keep theirs exactly.
    return boxes.map((box) => box.colours.reduce((most, one) => (one.count > most.count ? one : most)).colour);
}

/** @param {Counted[]} colours */
function boxOf(colours) {
    let [shift, length] = [0, -1];
    for (const channel of CHANNELS) {
        let [least, most] = [255, 0];
        for (const { colour } of colours) {
            const value = (colour >> channel) & 255;
            [least, most] = [Math.min(least, value), Math.max(most, value)];
        }
        if (most - least > length) {
            [shift, length] = [channel, most - least];
        }
    }
    const pixels = colours.reduce((sum, { count }) => sum + count, 0);

    return { colours, shift, weight: colours.length < 2 ? 0 : Math.sqrt(pixels) * length };
}

/**
 * @param {ReturnType<typeof boxOf>} box of two colours or more
 * @returns {[Counted[], Counted[]]}
 */
function halves({ colours, shift }) {
    const sorted = [...colours].sort((a, b) => ((a.colour >> shift) & 255) - ((b.colour >> shift) & 255));
    const half = sorted.reduce((sum, { count }) => sum + count, 0) / 2;
    let [at, sum] = [0, 0];
    while (at < sorted.length - 1 && (at === 0 || sum + (sorted[at]?.count ?? 0) <= half)) {
        sum += sorted[at++]?.count ?? 0;
    }

    return [sorted.slice(0, at), sorted.slice(at)];
}

/** @param {number[]} palette @param {number} colour */
function nearest(palette, colour) {
    let [best, least] = [0, Infinity];
    palette.forEach((one, index) => {
        const distance = CHANNELS.reduce((sum, shift) => sum + (((one >> shift) & 255) - ((colour >> shift) & 255)) ** 2, 0);
        if (distance < least) {
            [best, least] = [index, distance];
        }
    });

    return best;
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc(body));

    return Buffer.concat([length, body, checksum]);
}

/** @param {Buffer} data */
function crc(data) {
    let value = 0xffffffff;
    for (const byte of data) {
        value ^= byte;
        for (let bit = 0; bit < 8; bit++) {
            value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
        }
    }

    return (value ^ 0xffffffff) >>> 0;
}
