/**
 * Data of a heap's treemaps, as nested items: by holder, from the server's part of the dominator tree; by type, from the table on
 * the page. And where the items' areas are.
 */
import { grouped } from '../core/format.js';
import { squarify } from './squarify.js';

/**
 * @typedef {'bytes' | 'retained'} Figure
 *
 * @typedef {object} Item
 * @property {string} name made visible, as the tooltip has it
 * @property {string} short the same for an area
 * @property {string} family chooses its colour: "data", "objects", "code", "engine", "native", "unreachable"
 * @property {string} url its page; '' for none
 * @property {string} at address that the map can be opened at; '' where it has no parts
 * @property {number} value bytes that its area shows
 * @property {number} own
 * @property {number} retained
 * @property {number} count of what is in it, or of its parts
 * @property {Item[]} parts
 *
 * @typedef {object} Branch a node of the dominator tree, as the server sends it
 * @property {string} name
 * @property {string} by
 * @property {string} family
 * @property {string} at
 * @property {string} url
 * @property {number} own
 * @property {number} retained
 * @property {number} count
 * @property {number} more
 * @property {number} moreBytes
 * @property {string} moreFamily of most of these bytes; '' where that is not known
 * @property {string[]} kinds of these, the most bytes first
 * @property {Branch[]} children
 *
 * @typedef {object} Tile
 * @property {Item} item
 * @property {boolean} isLeaf nothing is on it
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 */

/** Height of the line that names an item with parts, and the room below which no parts are shown, CSS pixels. */
const HEAD = 18;
const MIN_SIZE = 24;

/** A tile below this area is left out. */
const MIN_AREA = 6;

/**
 * @param {HTMLTableElement} table whose bodies are types: the first row of each is the type's, the others are its parts'
 * @param {Figure} by
 * @returns {Item[]}
 */
export function itemsOfTable(table, by) {
    return [...table.tBodies].flatMap((body) => {
        const [head, ...parts] = [...body.rows].map((row) => {
            const bytes = Number(row.dataset.bytes ?? 0);
            const retained = Number(row.dataset.retained ?? 0);

            return {
                name: row.dataset.name ?? '',
                short: row.dataset.short ?? '',
                family: row.dataset.family ?? '',
                url: row.querySelector('a')?.getAttribute('href') ?? '',
                at: '',
                value: by === 'retained' ? retained : bytes,
                own: bytes,
                retained,
                count: Number(row.dataset.count ?? 0),
                parts: /** @type {Item[]} */ ([]),
            };
        });

        return head === undefined ? [] : [{ ...head, parts: parts.map((part) => ({ ...part, name: `${head.name}: ${part.name}` })) }];
    });
}

/**
 * Lists what a node holds: its parts, its own bytes, and as one item the parts that are too small to be listed.
 *
 * @param {Branch} branch
 * @param {string | null} list page that lists all its parts; null below the top: there the map can be opened at the node
 * @returns {Item[]}
 */
export function itemsOf(branch, list = null) {
    const items = branch.children.map((child) => {
        // What has no syntax in PHP is in braces: "{compiler's arena}".
        const by = child.by.replace(/^\{(.*)\}$/s, '$1');
        const name = by === '' || child.name.startsWith(by) || child.name.endsWith(by) ? child.name : `${child.by}  ${child.name}`;

        return {
            name,
            short: name,
            family: child.family,
            url: child.url,
            at: child.count > 0 ? child.at : '',
            value: child.retained,
            own: child.own,
            retained: child.retained,
            count: child.count,
            parts: itemsOf(child),
        };
    });
    const { more, moreBytes, own, kinds } = branch;
    const rest = { family: branch.family === '' ? 'engine' : branch.family, at: '', parts: [] };
    if (more > 0 && moreBytes > 0) {
        const [kind = ''] = kinds;
        const name = branch.at === '' ? 'everything else' : kinds.length === 1 ? `${grouped(more)} × ${kind}`
            : `${grouped(more)} smaller${kind === '' ? '' : `: ${kinds.join(', ')}`}`;
        items.push({
            ...rest, family: branch.moreFamily === '' ? rest.family : branch.moreFamily, name, short: name, at: list === null ? branch.at : '', url: list ?? '', value: moreBytes, own: 0, retained: moreBytes, count: more,
        });
    }
    // A node without parts is its own bytes anyway.
    if (items.length > 0 && own > 0) {
        items.push({ ...rest, name: `${branch.name}: itself`, short: 'itself', url: branch.url, value: own, own, retained: own, count: 1 });
    }

    return items;
}

/**
 * @param {Item[]} items
 * @param {number} width
 * @param {number} height
 * @returns {Tile[]} each item before its parts, the largest first
 */
export function layout(items, width, height) {
    /** @type {Tile[]} */
    const tiles = [];
    place(items, { x: 0, y: 0, width, height }, tiles);

    return tiles;
}

/**
 * @param {Item[]} items
 * @param {import('./squarify.js').Box} room
 * @param {Tile[]} tiles
 */
function place(items, room, tiles) {
    const sorted = items.filter((item) => item.value > 0).sort((a, b) => b.value - a.value);
    const boxes = squarify(sorted.map((item) => item.value), room);
    for (const [index, item] of sorted.entries()) {
        const box = /** @type {import('./squarify.js').Box} */ (boxes[index]);
        if (box.width * box.height < MIN_AREA && tiles.length > 0) {
            continue;
        }
        const tile = { item, isLeaf: true, ...box };
        tiles.push(tile);
        const inner = { x: box.x + 2, y: box.y + HEAD, width: box.width - 4, height: box.height - HEAD - 2 };
        if (inner.width >= MIN_SIZE && inner.height >= MIN_SIZE) {
            const before = tiles.length;
            place(item.parts, inner, tiles);
            tile.isLeaf = tiles.length === before;
        }
    }
}

/**
 * @param {Tile[]} tiles
 * @param {number} x
 * @param {number} y
 * @returns {number} index of the innermost tile at a point, -1 for none
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
 * @returns {number} `from` for none
 */
export function neighbour(tiles, from, dx, dy) {
    const at = tiles[from];
    if (at === undefined) {
        return tiles.length > 0 ? 0 : -1;
    }
    const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
    let best = from;
    let least = Infinity;
    for (const [index, tile] of tiles.entries()) {
        if (index === from || !tile.isLeaf) {
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
