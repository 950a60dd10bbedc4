/**
 * Draws the frames of a picture that are in sight. Frames narrower than a pixel are drawn as one with their neighbours, which
 * are skipped by searching: a level costs as much as it has pixels, not as it has frames.
 */
import { nextNot } from '../core/bisect.js';
import { lastBefore } from './layout.js';

/**
 * The part of the picture on the canvas, in CSS pixels.
 *
 * @typedef {{from: number, to: number, width: number, height: number, scroll: number, row: number, up: boolean,
 *     ratio: number}} Camera
 *
 * from, to: along the axis of figures; scroll: how far the first row is above the canvas; up: callers below callees; ratio: of
 * device to CSS pixels.
 *
 * @typedef {{
 *     colour: Uint8Array, fills: string[], inks: string[], ground: string, gone?: number,
 *     framed?: boolean, matches: Uint8Array | null, lit: Uint8Array | null, selected: number, root: number, matched: Int32Array | null, chosen: Int32Array | null,
 * }} Skin
 *
 * colour: per node, an index into fills and inks, which begin with those of SPECIAL; gone: the index of frames drawn as an
 * outline; framed: the selected function's frames keep their colour and have a border; matches: per function, null without a
 * search; lit: per node, those that stand out while there is no search; selected: a function or -1; root: the zoomed frame; matched,
 * chosen: running counts of frames along layout.index, of those that match or are lit and of the selected function's.
 */

/** The first colours of every skin: frames a search leaves out or above the zoomed one, frames it finds, the selected function's. */
export const SPECIAL = { faint: 0, hit: 1, selected: 2 };

/** Width from which frames have a label. */
const LABEL = 26;
const PADDING = 4;
/** Smallest part of a pixel that is drawn. */
const SPECK = 0.12;

/**
 * @param {Camera} camera
 * @param {number} levels
 * @returns {number} CSS pixels by which the first level is below the upper edge of a picture that does not fill the canvas
 */
function slack(camera, levels) {
    return camera.up ? Math.max(0, camera.height - levels * camera.row) : 0;
}

/**
 * @param {Camera} camera
 * @param {number} levels
 * @param {number} level
 * @returns {number} upper edge of a level on the canvas
 */
export function topOf(camera, levels, level) {
    return (camera.up ? levels - 1 - level : level) * camera.row - camera.scroll + slack(camera, levels);
}

/**
 * @param {Camera} camera
 * @param {number} levels
 * @param {number} y
 * @returns {number} the level there, which may be outside the picture
 */
export function levelAt(camera, levels, y) {
    const row = Math.floor((y + camera.scroll - slack(camera, levels)) / camera.row);

    return camera.up ? levels - 1 - row : row;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import('./layout.js').FrameLayout} layout
 * @param {Camera} camera
 * @param {Skin} skin
 * @param {((node: number, room: number) => string) | null} label null for none
 */
export function draw(context, layout, camera, skin, label) {
    const { ratio } = camera;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = skin.ground;
    context.fillRect(0, 0, camera.width, camera.height);
    /** @type {number[][]} per colour: left, top, width of its rectangles */
    const rectangles = skin.fills.map(() => []);
    /** @type {number[]} node, left, top, width, colour */
    const labels = [];
    /** @type {number[]} left, top, width of framed frames */
    const framed = [];
    const edges = [levelAt(camera, layout.levels, 0), levelAt(camera, layout.levels, camera.height)];
    const deepest = Math.min(layout.levels - 1, Math.max(...edges));
    // Levels lower than a pixel: draw only some of them.
    const step = Math.max(1, Math.floor(1 / (camera.row * ratio)));
    for (let level = Math.max(0, Math.min(...edges)); level <= deepest; level += step) {
        collect(layout, camera, skin, level, topOf(camera, layout.levels, level), rectangles, labels, framed);
    }
    const height = camera.row > 6 ? camera.row - 1 : Math.max(camera.row, 1 / ratio);
    rectangles.forEach((some, colour) => {
        context.fillStyle = skin.fills[colour];
        for (let i = 0; i < some.length; i += 3) {
            context.fillRect(some[i], some[i + 1], some[i + 2], height);
        }
        if (colour === skin.gone && camera.row > 6) {
            outline(context, some, height, skin.inks[colour], [3, 2]);
        }
    });
    context.lineWidth = 2;
    if (camera.row > 6) {
        outline(context, framed, height, skin.fills[SPECIAL.selected], []);
    }
    context.lineWidth = 1;
    if (label !== null) {
        write(context, labels, skin.inks, camera.row, label);
    }
}

/**
 * @param {import('./layout.js').FrameLayout} layout
 * @param {Camera} camera
 * @param {Skin} skin
 * @param {number} level
 * @param {number} top
 * @param {number[][]} rectangles
 * @param {number[]} labels
 * @param {number[]} framed
 */
function collect(layout, camera, skin, level, top, rectangles, labels, framed) {
    const { x, width, index, start } = layout;
    const scale = camera.width / (camera.to - camera.from);
    const pixel = 1 / (scale * camera.ratio);
    const round = (/** @type {number} */ value) => Math.round(value * camera.ratio) / camera.ratio;
    const gap = camera.row > 6 ? 1 / camera.ratio : 0;
    const behind = start[level + 1];
    let last = -1;
    for (let i = Math.max(start[level], lastBefore(layout, level, camera.from)); i < behind;) {
        const node = index[i];
        if (x[node] >= camera.to) {
            break;
        }
        if (width[node] >= pixel) {
            const left = round(Math.max(0, (x[node] - camera.from) * scale));
            const right = round(Math.min(camera.width, (x[node] + width[node] - camera.from) * scale));
            i++;
            if (right <= left) {
                continue;
            }
            const colour = colourOf(layout, skin, node);
            const room = right - left;
            rectangles[colour].push(left, top, room > 3 ? room - gap : room);
            if (skin.framed && layout.fn[node] === skin.selected) {
                framed.push(left, top, room);
            }
            if (room >= LABEL) {
                labels.push(node, left, top, room, colour);
            }
            continue;
        }
        const limit = x[node] + pixel;
        let next = nextNot(i + 1, behind, (place) => x[index[place]] < limit);
        const end = index[next - 1];
        if (next - 1 > i && width[end] >= pixel) {
            next--;
        }
        const until = index[next - 1];
        const colour = colourOfRun(layout, skin, i, next);
        const left = round((x[node] - camera.from) * scale);
        const size = x[until] + width[until] - x[node];
        i = next;
        if (left < 0 || (size < pixel * SPECK && colour !== SPECIAL.hit && colour !== SPECIAL.selected)) {
            continue;
        }
        // A rectangle that touches the one before it, in the same colour, extends that one.
        const some = rectangles[colour];
        const before = some.length - 3;
        if (last === colour && before >= 0 && some[before + 1] === top && left - (some[before] + some[before + 2]) < 0.01) {
            some[before + 2] = left + 1 / camera.ratio - some[before];
        } else {
            some.push(left, top, 1 / camera.ratio);
        }
        last = colour;
    }
}

/**
 * @param {import('./layout.js').FrameLayout} layout
 * @param {Skin} skin
 * @param {number} node
 */
function colourOf(layout, skin, node) {
    const fn = layout.fn[node];
    const lit = skin.matches === null ? skin.lit : null;
    if (lit !== null && lit[node] === 1) {
        return SPECIAL.hit;
    }
    if (fn === skin.selected && !skin.framed) {
        return SPECIAL.selected;
    }
    if (skin.matches !== null) {
        return skin.matches[fn] === 1 ? SPECIAL.hit : SPECIAL.faint;
    }
    if (lit !== null) {
        return SPECIAL.faint;
    }

    return layout.depth[node] < layout.depth[skin.root] && node < skin.root && layout.end[node] > skin.root
        ? SPECIAL.faint : skin.colour[node];
}

/**
 * @param {import('./layout.js').FrameLayout} layout
 * @param {Skin} skin
 * @param {number} from
 * @param {number} behind
 */
function colourOfRun(layout, skin, from, behind) {
    const any = (/** @type {Int32Array | null} */ counts) => counts !== null && counts[behind] > counts[from];
    const isLit = skin.matches === null && skin.lit !== null;
    if (any(skin.chosen) && !(isLit && any(skin.matched))) {
        return SPECIAL.selected;
    }
    if (skin.matches !== null || isLit) {
        return any(skin.matched) ? SPECIAL.hit : SPECIAL.faint;
    }

    return skin.colour[layout.index[from]];
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number[]} some
 * @param {number} height
 * @param {string} ink
 * @param {number[]} dash
 */
function outline(context, some, height, ink, dash) {
    context.strokeStyle = ink;
    context.setLineDash(dash);
    for (let i = 0; i < some.length; i += 3) {
        if (some[i + 2] > 3) {
            context.strokeRect(some[i] + 0.5, some[i + 1] + 0.5, some[i + 2] - 1, height - 1);
        }
    }
    context.setLineDash([]);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number[]} labels
 * @param {string[]} inks
 * @param {number} row
 * @param {(node: number, room: number) => string} label
 */
function write(context, labels, inks, row, label) {
    context.textBaseline = 'middle';
    let ink = '';
    for (let i = 0; i < labels.length; i += 5) {
        const text = label(labels[i], labels[i + 3] - 2 * PADDING);
        if (text === '') {
            continue;
        }
        if (inks[labels[i + 4]] !== ink) {
            ink = inks[labels[i + 4]];
            context.fillStyle = ink;
        }
        context.fillText(text, labels[i + 1] + PADDING, labels[i + 2] + row / 2);
    }
}

/**
 * @param {import('./layout.js').FrameLayout} layout
 * @param {(fn: number, node: number) => boolean} wanted
 * @returns {Int32Array} how many of the frames before each position of layout.index are wanted; the last entry is the total
 */
export function runningCount(layout, wanted) {
    const { index, fn } = layout;
    const counts = new Int32Array(index.length + 1);
    for (let i = 0; i < index.length; i++) {
        counts[i + 1] = counts[i] + (wanted(fn[index[i]], index[i]) ? 1 : 0);
    }

    return counts;
}

/**
 * A frame's border, above all else.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {import('./layout.js').FrameLayout} layout
 * @param {Camera} camera
 * @param {number} node
 * @param {{thickness: number, ink: string}} look
 */
export function ring(context, layout, camera, node, { thickness, ink }) {
    const scale = camera.width / (camera.to - camera.from);
    const left = Math.max(-4, (layout.x[node] - camera.from) * scale);
    const right = Math.min(camera.width + 4, (layout.x[node] + layout.width[node] - camera.from) * scale);
    if (right < 0 || left > camera.width) {
        return;
    }
    const inset = thickness / 2;
    const top = topOf(camera, layout.levels, layout.depth[node]);
    context.strokeStyle = ink;
    context.lineWidth = thickness;
    context.strokeRect(left + inset, top + inset, Math.max(2, right - left - thickness), camera.row - 1 - thickness);
    context.lineWidth = 1;
}
