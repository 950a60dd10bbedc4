/**
 * A plain layout for when Graphviz cannot be loaded: functions in rows by their distance from the start, each row ordered by the
 * places of its callers and callees. Readable, with more crossings. Pure.
 *
 * @typedef {import('./geometry.js').Spec} Spec
 * @typedef {import('./geometry.js').Layout} Layout
 * @typedef {import('./geometry.js').Point} Point
 */

const ROW_GAP = 34;
const GAP = 18;
const ROUNDS = 8;

/**
 * @param {Spec} spec
 * @returns {Layout}
 */
export function layered(spec) {
    if (!spec.isAcross) {
        return rowsOf(spec);
    }
    const turn = (/** @type {Point} */ { x, y }) => ({ x: y, y: x });
    const { width, height, nodes, edges } = rowsOf({ ...spec, nodes: spec.nodes.map((node) => ({ width: node.height, height: node.width })) });

    return { width: height, height: width, nodes: nodes.map(turn), edges: edges.map((points) => points.map(turn)) };
}

/**
 * @param {Spec} spec
 * @returns {Layout} from top to bottom
 */
function rowsOf(spec) {
    const edges = withoutCycles(spec);
    const rank = ranks(spec.nodes.length, edges);
    /** @type {number[][]} */
    const rows = [];
    rank.forEach((row, at) => (rows[row] ??= []).push(at));
    const x = positionNodes(spec, rows, edges, rank);
    const height = Math.max(0, ...spec.nodes.map((node) => node.height));
    const y = (/** @type {number} */ at) => (rank[at] ?? 0) * (height + ROW_GAP) + height / 2;
    const nodes = spec.nodes.map((_, at) => ({ x: x[at] ?? 0, y: y(at) }));

    return {
        width: Math.max(0, ...nodes.map((node, at) => node.x + (spec.nodes[at]?.width ?? 0) / 2)),
        height: rows.length * (height + ROW_GAP) - ROW_GAP,
        nodes,
        edges: spec.edges.map(({ from, to }) => curve(nodes[from] ?? { x: 0, y: 0 }, nodes[to] ?? { x: 0, y: 0 }, height)),
    };
}

/**
 * @param {Spec} spec
 * @returns {{ from: number, to: number, weight: number }[]} with the back edges of cycles reversed
 */
function withoutCycles(spec) {
    /** @type {{ to: number, at: number }[][]} */
    const out = spec.nodes.map(() => []);
    spec.edges.forEach(({ from, to }, at) => out[from]?.push({ to, at }));
    const back = new Set();
    /** @type {number[]} 1 while below it, 2 when done */
    const mark = spec.nodes.map(() => 0);
    spec.nodes.forEach((_, start) => {
        /** @type {{ node: number, next: number }[]} */
        const stack = mark[start] === 0 ? [{ node: start, next: 0 }] : [];
        while (stack.length > 0) {
            const top = /** @type {{ node: number, next: number }} */ (stack.at(-1));
            mark[top.node] = 1;
            const edge = out[top.node]?.[top.next++];
            if (edge === undefined) {
                mark[top.node] = 2;
                stack.pop();
            } else if (mark[edge.to] === 1) {
                back.add(edge.at);
            } else if (mark[edge.to] === 0) {
                stack.push({ node: edge.to, next: 0 });
            }
        }
    });

    return spec.edges.map((edge, at) => (back.has(at) ? { ...edge, from: edge.to, to: edge.from } : edge)).filter((edge) => edge.from !== edge.to);
}

/**
 * @param {number} count
 * @param {{ from: number, to: number }[]} edges without cycles
 * @returns {number[]} the longest way from a function without callers
 */
function ranks(count, edges) {
    const rank = new Array(count).fill(0);
    const left = new Array(count).fill(0);
    /** @type {number[][]} */
    const out = Array.from({ length: count }, () => []);
    for (const { from, to } of edges) {
        left[to]++;
        out[from]?.push(to);
    }
    const queue = left.flatMap((callers, at) => (callers === 0 ? [at] : []));
    for (const at of queue) {
        for (const to of out[at] ?? []) {
            rank[to] = Math.max(rank[to], rank[at] + 1);
            if (--left[to] === 0) {
                queue.push(to);
            }
        }
    }

    return rank;
}

/**
 * @param {Spec} spec
 * @param {number[][]} rows
 * @param {{ from: number, to: number, weight: number }[]} edges
 * @param {number[]} rank
 * @returns {number[]} middles
 */
function positionNodes(spec, rows, edges, rank) {
    /** @type {number[]} */
    const x = new Array(spec.nodes.length).fill(0);
    /** @type {{ other: number, weight: number }[][]} */
    const above = spec.nodes.map(() => []);
    /** @type {{ other: number, weight: number }[][]} */
    const below = spec.nodes.map(() => []);
    for (const { from, to, weight } of edges) {
        const pull = (0.02 + weight) / Math.max(1, (rank[to] ?? 0) - (rank[from] ?? 0));
        above[to]?.push({ other: from, weight: pull });
        below[from]?.push({ other: to, weight: pull });
    }
    const width = (/** @type {number} */ at) => spec.nodes[at]?.width ?? 0;
    for (let round = 0; round <= ROUNDS; round++) {
        const down = round % 2 === 0;
        for (const row of down ? rows : [...rows].reverse()) {
            const wanted = new Map(row.map((at) => {
                const pulls = (down ? above : below)[at] ?? [];
                const weight = pulls.reduce((sum, pull) => sum + pull.weight, 0);

                return [at, weight > 0 ? pulls.reduce((sum, pull) => sum + (x[pull.other] ?? 0) * pull.weight, 0) / weight : x[at] ?? 0];
            }));
            row.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
            placeRow(row, wanted, width, x);
        }
    }
    const left = Math.min(0, ...x.map((middle, at) => middle - width(at) / 2));

    return x.map((middle) => middle - left);
}

/**
 * Places a row as near to its wanted positions as possible, without overlaps: neighbours that collide move as one block.
 *
 * @param {number[]} row in order
 * @param {Map<number, number>} wanted
 * @param {(at: number) => number} width
 * @param {number[]} x is written
 */
function placeRow(row, wanted, width, x) {
    /** @type {{ nodes: number[], width: number, sum: number }[]} sum of wanted left edges */
    const blocks = [];
    const left = (/** @type {{ nodes: number[], sum: number }} */ block) => block.sum / block.nodes.length;
    for (const at of row) {
        let block = { nodes: [at], width: width(at) + GAP, sum: (wanted.get(at) ?? 0) - width(at) / 2 };
        for (let last = blocks.at(-1); last !== undefined && left(last) + last.width > left(block); last = blocks.at(-1)) {
            blocks.pop();
            block = {
                nodes: [...last.nodes, ...block.nodes],
                width: last.width + block.width,
                sum: last.sum + block.sum - last.width * block.nodes.length,
            };
        }
        blocks.push(block);
    }
    for (const block of blocks) {
        let position = left(block);
        for (const at of block.nodes) {
            x[at] = position + width(at) / 2;
            position += width(at) + GAP;
        }
    }
}

/**
 * @param {Point} from
 * @param {Point} to
 * @param {number} height of a box
 * @returns {Point[]}
 */
function curve(from, to, height) {
    const down = to.y >= from.y ? 1 : -1;
    const start = { x: from.x, y: from.y + down * height / 2 };
    const end = { x: to.x, y: to.y - down * height / 2 };
    const bend = Math.max(14, Math.abs(end.y - start.y) / 2);

    return [start, { x: start.x, y: start.y + down * bend }, { x: end.x, y: end.y - down * bend }, end];
}
