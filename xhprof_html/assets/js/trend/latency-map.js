/**
 * The picture of a route's wall times over its windows, as the server has drawn it. The pointer or the arrow keys choose a cell: it is
 * outlined, and a line of text shows what it holds.
 */
import { grouped, share } from '../core/format.js';

/**
 * @typedef {object} LatencyColumn
 * @property {string} time of its first window
 * @property {string} url of its last window
 * @property {number} count requests
 * @property {number[]} counts by row; none without requests
 * @property {string} text
 */

/** @typedef {{ rows: [string, string][], columns: LatencyColumn[] }} LatencyCells rows: lower and upper edge, from the bottom up */

/** @typedef {{ x: number, y: number }} Place */

/**
 * @param {LatencyCells} cells
 * @param {Place} place
 * @returns {string}
 */
function cellText({ rows, columns }, { x, y }) {
    const column = columns[x];
    const [from, to] = rows[y] ?? ['', ''];
    if (column === undefined) {
        return '';
    }
    const count = column.counts[y] ?? 0;

    return column.count === 0
        ? `${column.time}: ${column.text}`
        : `${column.time}, ${from} to ${to}: ${grouped(count)} ${count === 1 ? 'request' : 'requests'} (${share(count, column.count)}) of ${column.text}`;
}

/**
 * @param {LatencyCells} cells
 * @param {Place | null} place null: no cell was chosen yet
 * @param {string} key
 * @returns {Place | null} the cell that a key leads to; null for other keys
 */
function cellByKey({ rows, columns }, place, key) {
    const last = { x: columns.length - 1, y: rows.length - 1 };
    const counts = columns[last.x]?.counts ?? [];
    // At first the cell with most requests of the last column.
    const at = place ?? { x: last.x, y: Math.max(0, counts.indexOf(Math.max(...counts))) };
    const moved = {
        ArrowLeft: { ...at, x: at.x - 1 },
        ArrowRight: { ...at, x: at.x + 1 },
        ArrowUp: { ...at, y: at.y + 1 },
        ArrowDown: { ...at, y: at.y - 1 },
        Home: { ...at, x: 0 },
        End: { ...at, x: last.x },
    }[key];
    if (moved === undefined) {
        return null;
    }

    return place === null ? at : { x: Math.max(0, Math.min(moved.x, last.x)), y: Math.max(0, Math.min(moved.y, last.y)) };
}

/**
 * @param {HTMLElement} figure
 * @param {LatencyCells} cells
 */
export function latencyMap(figure, cells) {
    const area = figure.querySelector('.cells');
    const here = figure.querySelector('.here');
    const text = figure.querySelector('[data-latency-text]');
    if (!(area instanceof HTMLElement) || !(text instanceof HTMLElement) || here === null) {
        return;
    }
    /** @type {Place | null} */
    let place = null;
    const size = Number(here.getAttribute('width'));
    const choose = (/** @type {Place} */ chosen) => {
        place = chosen;
        here.setAttribute('x', String(chosen.x * size));
        here.setAttribute('y', String((cells.rows.length - 1 - chosen.y) * size));
        here.setAttribute('visibility', 'visible');
        text.textContent = cellText(cells, chosen);
    };
    const open = () => location.assign(cells.columns[place?.x ?? -1]?.url ?? location.href);
    area.tabIndex = 0;
    area.setAttribute('role', 'application');
    area.setAttribute('aria-label', 'Cells of the picture');
    text.hidden = false;
    area.addEventListener('pointermove', (event) => {
        const box = area.getBoundingClientRect();
        const part = (/** @type {number} */ at, /** @type {number} */ length, /** @type {number} */ count) =>
            Math.max(0, Math.min(Math.floor(at / length * count), count - 1));
        choose({
            x: part(event.clientX - box.left, box.width, cells.columns.length),
            y: cells.rows.length - 1 - part(event.clientY - box.top, box.height, cells.rows.length),
        });
    });
    area.addEventListener('click', open);
    area.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey) {
            return;
        }
        const next = cellByKey(cells, place, event.key);
        if (next !== null) {
            event.preventDefault();
            choose(next);
        } else if (event.key === 'Enter' && place !== null) {
            open();
        }
    });
}
