/**
 * Places of boxes and lines: writes the input of Graphviz and parses its output. Neither contains names of functions. All
 * functions here are pure.
 *
 * @typedef {object} Spec input of a layout, in pixels
 * @property {{ width: number, height: number, isMain?: boolean }[]} nodes isMain: of the path that is kept straight
 * @property {{ from: number, to: number, weight: number }[]} edges weight 0 to 2: heavy ones are kept straight and short
 * @property {boolean} [isAcross] callees at the right of their callers instead of below
 *
 * @typedef {{ x: number, y: number }} Point
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height
 * @property {Point[]} nodes their middles
 * @property {Point[][]} edges 1 + 3n points of Bézier curves, from the caller's box to the callee's
 */

const INCH = 72;

/** Room between callers and callees, in inches. */
const RANK_GAP = { across: 0.72, down: 0.5 };

/** Nodes above which Graphviz works with limits, so that a layout takes seconds at most: edges get longer, not wrong. */
const LARGE = 250;

/**
 * Writes the graph in Graphviz's language.
 *
 * @param {Spec} spec
 * @returns {string}
 */
export function toDot(spec) {
    const inches = (/** @type {number} */ pixels) => (pixels / INCH).toFixed(3);
    const limits = spec.nodes.length > LARGE ? 'nslimit=1,nslimit1=1,mclimit=0.5,' : '';
    const lines = [
        `digraph{graph[${limits}${spec.isAcross ? `rankdir=LR,ranksep=${RANK_GAP.across},nodesep=0.2` : `rankdir=TB,ranksep=${RANK_GAP.down},nodesep=0.22`}]node[shape=box,fixedsize=true,label=""]edge[dir=none,${spec.isAcross ? 'tailport=e,headport=w' : 'tailport=s,headport=n'}]`,
        ...spec.nodes.map(({ width, height, isMain }, at) => `${at}[width=${inches(width)},height=${inches(height)}${isMain ? ',group=main' : ''}]`),
        ...spec.edges.map(({ from, to, weight }) => `${from}->${to}[weight=${1 + Math.round(weight * 20)}]`),
    ];

    return `${lines.join('\n')}}`;
}

/**
 * Parses the output of Graphviz.
 *
 * @param {string} text in its output format "plain"
 * @param {Spec} spec the input that this is the output for
 * @returns {Layout}
 */
export function fromPlain(text, spec) {
    /** @type {Layout} */
    const layout = { width: 0, height: 0, nodes: spec.nodes.map(() => ({ x: 0, y: 0 })), edges: spec.edges.map(() => []) };
    const index = new Map(spec.edges.map(({ from, to }, at) => [`${from} ${to}`, at]));
    const point = (/** @type {string[]} */ words, /** @type {number} */ at) => ({
        x: Number(words[at]) * INCH,
        y: layout.height - Number(words[at + 1]) * INCH,
    });
    // A long line is folded by a backslash at its end.
    for (const line of text.replaceAll('\\\n', '').split('\n')) {
        const words = line.split(' ');
        if (words[0] === 'graph') {
            layout.width = Number(words[2]) * INCH;
            layout.height = Number(words[3]) * INCH;
        } else if (words[0] === 'node') {
            layout.nodes[Number(words[1])] = point(words, 2);
        } else if (words[0] === 'edge') {
            const at = index.get(`${words[1]} ${words[2]}`);
            const count = Number(words[3]);
            if (at !== undefined) {
                layout.edges[at] = Array.from({ length: count }, (_, step) => point(words, 4 + 2 * step));
            }
        }
    }
    spec.edges.forEach(({ from, to }, at) => {
        layout.edges[at] = straightened(layout.edges[at] ?? [], layout.nodes[from], layout.nodes[to], spec.isAcross ?? false);
    });

    return layout;
}

/**
 * Replaces Graphviz's curve by a simple bend where no other box is between the two boxes.
 *
 * @param {Point[]} points
 * @param {Point | undefined} from
 * @param {Point | undefined} to
 * @param {boolean} isAcross
 * @returns {Point[]}
 */
function straightened(points, from, to, isAcross) {
    const start = points[0];
    const end = points.at(-1);
    const along = isAcross ? 'x' : 'y';
    if (start === undefined || end === undefined || from === undefined || to === undefined) {
        return points;
    }
    const gap = end[along] - start[along];
    if (gap < 8 || gap > 1.6 * INCH * (isAcross ? RANK_GAP.across : RANK_GAP.down)) {
        return points;
    }
    const bend = gap * 0.55;

    return isAcross
        ? [start, { x: start.x + bend, y: start.y }, { x: end.x - bend, y: end.y }, end]
        : [start, { x: start.x, y: start.y + bend }, { x: end.x, y: end.y - bend }, end];
}

/**
 * Finds the middle of an edge.
 *
 * @param {Point[]} points of Bézier curves
 * @returns {Point} half way along the curves
 */
export function middle(points) {
    const curves = Math.max(1, Math.floor((points.length - 1) / 3));
    const first = 3 * Math.floor(curves / 2);
    const [a, b, c, d] = [points[first], points[first + 1], points[first + 2], points[first + 3]];
    if (a === undefined || b === undefined || c === undefined || d === undefined) {
        return points[0] ?? { x: 0, y: 0 };
    }
    if (curves % 2 === 0) {
        return a;
    }

    return { x: (a.x + 3 * b.x + 3 * c.x + d.x) / 8, y: (a.y + 3 * b.y + 3 * c.y + d.y) / 8 };
}

/** Pixels between the places that are tried for a label, and how many of them are tried in each direction. */
const STEP = 8;
const STEPS = 24;

/**
 * Finds the place nearest to a point where a label covers no box and no other label.
 *
 * @param {Point} at
 * @param {{ width: number, height: number }} size of the label
 * @param {{ x: number, y: number, width: number, height: number }[]} taken boxes, and labels that have their place, by their middles
 * @returns {Point} the point itself if every place near it is taken
 */
export function freePlace(at, size, taken) {
    const reach = STEP * STEPS;
    const near = taken.filter((box) => Math.abs(box.x - at.x) < reach + (box.width + size.width) / 2
        && Math.abs(box.y - at.y) < reach + (box.height + size.height) / 2);
    const isFree = (/** @type {Point} */ { x, y }) => near.every((box) => Math.abs(box.x - x) >= (box.width + size.width) / 2 + 2
        || Math.abs(box.y - y) >= (box.height + size.height) / 2 + 2);
    for (let far = 0; far <= STEPS; far++) {
        for (let across = -far; across <= far; across++) {
            for (const down of Math.abs(across) === far ? Array.from({ length: 2 * far + 1 }, (_, i) => i - far) : [-far, far]) {
                const place = { x: at.x + across * STEP, y: at.y + down * STEP };
                if (isFree(place)) {
                    return place;
                }
            }
        }
    }

    return at;
}
