/** Data of a heap's treemap: types, and in each its classes, owners, functions; read from the table beside it. */
import { squarify } from './squarify.js';

/**
 * @typedef {'bytes' | 'retained'} Figure
 * @typedef {object} Part
 * @property {string} name of the class, owner, holder; made visible
 * @property {string} short the same without its namespace
 * @property {string} url
 * @property {number} count
 * @property {number} bytes
 * @property {number} retained
 *
 * @typedef {object} Group
 * @property {string} name of the type
 * @property {string} short
 * @property {string} family chooses its colour: "data", "objects", "code", "engine", "native", "unreachable"
 * @property {string} url
 * @property {number} count
 * @property {number} bytes
 * @property {number} retained
 * @property {Part[]} parts
 *
 * @typedef {object} Tile
 * @property {Group} group
 * @property {Part | null} part null for the type itself, below its parts
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 */

/** Height of the line that names a type, and the room below which a type shows no parts, CSS pixels. */
const HEAD = 18;
const MIN_SIZE = 24;

/**
 * @param {HTMLTableElement} table whose bodies are types: the first row of each is the type's, the others are its parts'
 * @returns {Group[]}
 */
export function groupsOf(table) {
    return [...table.tBodies].flatMap((body) => {
        const [head, ...parts] = [...body.rows].map((row) => ({
            name: row.dataset.name ?? '',
            short: row.dataset.short ?? '',
            family: row.dataset.family ?? '',
            url: row.querySelector('a')?.getAttribute('href') ?? '',
            count: Number(row.dataset.count ?? 0),
            bytes: Number(row.dataset.bytes ?? 0),
            retained: Number(row.dataset.retained ?? 0),
        }));

        return head === undefined ? [] : [{ ...head, parts }];
    });
}

/**
 * @param {Group[]} groups
 * @param {Figure} by
 * @param {number} width
 * @param {number} height
 * @returns {Tile[]} each type before its parts, the largest first
 */
export function layout(groups, by, width, height) {
    /** @type {Tile[]} */
    const tiles = [];
    const sorted = groups.filter((group) => group[by] > 0).sort((a, b) => b[by] - a[by]);
    const boxes = squarify(sorted.map((group) => group[by]), { x: 0, y: 0, width, height });
    for (const [index, group] of sorted.entries()) {
        const box = /** @type {import('./squarify.js').Box} */ (boxes[index]);
        tiles.push({ group, part: null, ...box });
        const inner = { x: box.x + 2, y: box.y + HEAD, width: box.width - 4, height: box.height - HEAD - 2 };
        const parts = group.parts.filter((part) => part[by] > 0).sort((a, b) => b[by] - a[by]);
        if (inner.width < MIN_SIZE || inner.height < MIN_SIZE || parts.length === 0) {
            continue;
        }
        const rectangles = squarify(parts.map((part) => part[by]), inner);
        parts.forEach((part, at) => tiles.push({ group, part, .../** @type {import('./squarify.js').Box} */ (rectangles[at]) }));
    }

    return tiles;
}

/**
 * @param {Tile[]} tiles
 * @param {number} x
 * @param {number} y
 * @returns {number} index of the innermost tile at a point, -1 where there is none
 */
export function tileAt(tiles, x, y) {
    for (let index = tiles.length - 1; index >= 0; index--) {
        const tile = /** @type {Tile} */ (tiles[index]);
        if (x >= tile.x && x < tile.x + tile.width && y >= tile.y && y < tile.y + tile.height) {
            return index;
        }
    }

    return -1;
}

/**
 * The tile that an arrow key leads to: the nearest in that direction.
 *
 * @param {Tile[]} tiles
 * @param {number} from
 * @param {number} dx -1, 0 or 1
 * @param {number} dy
 * @returns {number} `from` where there is none
 */
export function neighbour(tiles, from, dx, dy) {
    const at = tiles[from];
    if (at === undefined) {
        return tiles.length > 0 ? 0 : -1;
    }
    const isLeaf = leaves(tiles);
    const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
    let best = from;
    let least = Infinity;
    for (const [index, tile] of tiles.entries()) {
        if (index === from || !isLeaf[index]) {
            continue;
        }
        const along = dx !== 0 ? (tile.x + tile.width / 2 - x) * dx : (tile.y + tile.height / 2 - y) * dy;
        const aside = dx !== 0 ? Math.abs(tile.y + tile.height / 2 - y) : Math.abs(tile.x + tile.width / 2 - x);
        const distance = along + 2 * aside;
        if (along > 0.5 && distance < least) {
            least = distance;
            best = index;
        }
    }

    return best;
}

/**
 * @param {Tile[]} tiles
 * @returns {boolean[]} whether a tile has none on it
 */
export function leaves(tiles) {
    return tiles.map((tile, index) => tile.part !== null || tiles[index + 1]?.part == null);
}
