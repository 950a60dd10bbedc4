/** The calls of a run in order of time, with their beginnings and ends. Pure. */
import { longer, mergedMet } from './merge.js';
import { BadRun, column, namesIn } from './run-file.js';

/**
 * Things that happened at a time, in order of their starts: t and d in ns.
 *
 * @typedef {{t: Float64Array, d: Float64Array, value: Float64Array}} Marks
 *
 * A track above the calls. What mark i is, in words: texts[text[i]]. nested: marks may lie within others. count: how many were recorded,
 * where some of them are no mark.
 *
 * @typedef {{key: string, label: string, t: Float64Array, d: Float64Array, nested: boolean, text: Uint32Array, texts: string[], count?: number}} Track
 */

/** ns; half a year. */
const LONGEST = 2 ** 54;

export class Timeline {
    /**
     * Trusts its columns: from outside, come through of().
     *
     * @param {import('./tree.js').Tree} tree of the same run
     * @param {number} duration ns
     * @param {{t: Float64Array, d: Float64Array, node: Int32Array, fiber: Int32Array | null, memory: Float64Array | null}} calls by
     *     start, callers before callees
     * @param {Marks | null} slices when each fiber ran, its number the value; null where there was only one
     */
    constructor(tree, duration, calls, slices) {
        this.tree = tree;
        this.names = tree.names;
        this.duration = duration;
        this.calls = calls;
        this.slices = slices;
        /** Per node of the tree, how many calls its entries are. */
        this.ct = callsOf(calls.node, tree);
        /** The number of all calls, without main(). */
        this.count = this.ct.reduce((sum, count) => sum + count, -1);
        this.threshold = 0;
        this.asked = 0;
        /** Calls that were left out, as their paths were folded. */
        this.folded = 0;
        /** @type {Track[]} */
        this.tracks = [];
        /** Metric of the times. @type {import('./tree.js').Metric} */
        this.metric = tree.known.find(({ k }) => k === 'wt') ?? { k: 'wt', label: 'wt', unit: 'ns' };
        /** @type {ReturnType<Timeline['frames']> | null} */
        this.made = null;
    }

    /**
     * @param {any} data the document "timeline" of a run file, null for none
     * @param {import('./tree.js').Tree} tree
     * @param {any} [operations] its document "operations", null for none
     * @returns {Timeline}
     * @throws {BadRun}
     */
    static of(data, tree, operations = null) {
        const nodes = nodesOf(tree);
        if (data === null) {
            throw new BadRun('This run has no timeline.');
        }
        const t = wide(data.t, 't', LONGEST);
        const n = t.length;
        const d = wide(data.d, 'd', LONGEST, n);
        const node = new Int32Array(timeColumn(data.node, 'node', nodes.length - 1, n));
        for (let call = 0; call < n; call++) {
            node[call] = nodes[node[call]];
        }
        if (node.includes(-1)) {
            throw new BadRun('Calls of the timeline are not in the call tree.');
        }
        const fiber = data.fiber === undefined ? null : new Int32Array(timeColumn(data.fiber, 'fiber', 2 ** 31 - 1, n));
        const memory = data.memory === undefined ? null : wide(data.memory, 'memory', Number.MAX_SAFE_INTEGER, n);
        ordered(t, 't');
        const duration = Number.isInteger(data.duration) && data.duration >= 0 ? Math.max(1, data.duration) : NaN;
        if (!(duration <= LONGEST)) {
            throw new BadRun('The timeline has no duration.');
        }
        const timeline = new Timeline(tree, duration, { t, d, node, fiber, memory }, fiber === null ? null : marks(data.fibers, 'fibers', 'fiber'));
        timeline.threshold = Number(data.threshold) || 0;
        timeline.asked = Number(data.asked_threshold) || 0;
        timeline.folded = Number(data.folded) || 0;
        const waited = operations === null ? null : timeline.#operations(textsOf(operations, tree.n, nodes));
        timeline.tracks = [...(waited === null ? [] : [waited]), ...timeline.#tracksOf(data)];

        return timeline;
    }

    /**
     * @param {any} data
     * @returns {Track[]}
     */
    #tracksOf(data) {
        const tracks = [];
        /** @type {[string, string, Marks | null, (value: number) => string][]} */
        const known = [
            ['fibers', 'Fibers', this.slices, (fiber) => (fiber === 0 ? 'No fiber' : `Fiber ${fiber}`)],
            ['spans', 'Spans', data.spans === undefined ? null : marks(data.spans, 'spans', 'name'), (name) => this.names[name] ?? ''],
            ['gc', 'Garbage collector', data.gc === undefined ? null : marks(data.gc, 'gc', 'freed'), (freed) => `Garbage collection, ${freed} freed`],
            ['marks', 'Marks', data.alloc_marks === undefined ? null : marks(data.alloc_marks, 'alloc_marks', 'mark'), (mark) => `Mark ${mark}`],
        ];
        for (const [key, label, of, text] of known) {
            if (of !== null && of.t.length > 0) {
                const values = [...new Set(of.value)];
                const place = new Map(values.map((value, i) => [value, i]));
                const nested = of.t.some((start, i) => i > 0 && start < of.t[i - 1] + of.d[i - 1]);
                tracks.push({
                    key, label, t: of.t, d: of.d, nested, text: Uint32Array.from(of.value, (value) => place.get(value) ?? 0), texts: values.map(text),
                });
            }
        }

        return tracks;
    }

    /**
     * The calls that waited for something; those within another one are part of it.
     *
     * @param {{ofNode: Int32Array, texts: string[], count: number}} operations
     * @returns {Track | null} null for none
     */
    #operations({ ofNode, texts, count }) {
        const { t, d, node } = this.calls;
        /** @type {number[]} */
        const found = [];
        for (let i = 0, end = -1; i < t.length; i++) {
            if (ofNode[node[i]] >= 0 && t[i] >= end) {
                found.push(i);
                end = t[i] + d[i];
            }
        }
        const pick = (/** @type {Float64Array} */ values) => Float64Array.from(found, (i) => values[i]);

        return found.length === 0 ? null : {
            key: 'operations', label: 'Operations', t: pick(t), d: pick(d), nested: false, text: Uint32Array.from(found, (i) => ofNode[node[i]]), texts, count,
        };
    }

    /**
     * Memory in use over time, at the ends of calls.
     *
     * @returns {{t: Float64Array, bytes: Float64Array} | null} in order of time
     */
    memory() {
        const { t, d, memory } = this.calls;
        if (memory === null || t.length === 0) {
            return null;
        }
        // Loops: from() and map() with a function take ten times as long.
        const ends = new Float64Array(t.length);
        for (let i = 0; i < ends.length; i++) {
            ends[i] = t[i] + d[i];
        }
        const order = orderOfEnds(t, ends);
        const [at, bytes] = [new Float64Array(ends.length), new Float64Array(ends.length)];
        for (let i = 0; i < order.length; i++) {
            at[i] = ends[order[i]];
            bytes[i] = memory[order[i]];
        }

        return { t: at, bytes };
    }

    /**
     * The frames of an icicle over real time; frame 0 is the whole. Where there are fibers, a call has a frame for each time that its
     * fiber ran. Callees lie within their callers, whatever the file says.
     *
     * @returns {{fn: Int32Array, depth: Int32Array, x: Float64Array, width: Float64Array, self: Float64Array, ct: Float64Array, call: Int32Array}}
     *     call: index of the call, -1 of frame 0; ct: 1 for the first frame of a call, else 0
     */
    frames() {
        return (this.made ??= new Layout(this).frames());
    }

    /**
     * @param {import('./lit.js').LitIn} litIn
     * @returns {Uint8Array} per frame of frames() 1 for the calls of a finding: by their paths, as a fiber's frames lack its callers
     */
    litFrames(litIn) {
        const { call } = this.frames();
        const nodes = litIn(this.tree);
        const frames = new Uint8Array(call.length);
        for (let frame = 0; frame < frames.length; frame++) {
            frames[frame] = nodes[call[frame] < 0 ? 0 : this.calls.node[call[frame]]];
        }

        return frames;
    }

    /**
     * The call paths of a range of time, merged: "wt" in ns, and in "ct" the calls that were kept and ran in it. The library computes
     * the same in xhprof_lib/src/Profile/TimelinePart.php.
     *
     * @param {number} from ns
     * @param {number} to ns
     * @returns {import('./tree.js').Tree}
     */
    pathsOf(from, to) {
        const { depth, x, width, call } = this.frames();
        const { tree } = this;
        const time = new Float64Array(tree.n);
        const count = new Float64Array(tree.n);
        const met = new Uint8Array(tree.n);
        const parents = new Int32Array(depth.length + 1);
        // A call of a fiber has several frames.
        const counted = new Uint8Array(this.calls.t.length);
        met[0] = 1;
        count[0] = 1;
        for (let frame = 0; frame < depth.length; frame++) {
            const node = call[frame] < 0 ? 0 : this.calls.node[call[frame]];
            parents[depth[frame]] = node;
            const part = Math.min(to, x[frame] + width[frame]) - Math.max(from, x[frame]);
            if (part > 0 || (part === 0 && width[frame] === 0)) {
                time[node] += part;
                met[node] = 1;
                if (frame > 0) {
                    count[node] += 1 - counted[call[frame]];
                    counted[call[frame]] = 1;
                    time[parents[depth[frame] - 1]] -= part;
                }
            }
        }
        const known = tree.known.includes(this.metric) ? tree.known : [this.metric, ...tree.known];
        const calls = count.map((entries, node) => Math.min(entries, this.ct[node]));

        return mergedMet(tree, met, time.map((own) => Math.max(0, own)), calls, known);
    }
}

/**
 * How many calls the entries are: see calls() in xhprof_lib/src/Profile/TimelinePart.php.
 *
 * @param {Int32Array} node of each entry
 * @param {import('./tree.js').Tree} tree
 * @returns {Float64Array} per node; of main() 1
 */
function callsOf(node, tree) {
    const entries = new Float64Array(tree.n);
    node.forEach((at) => entries[at]++);
    entries[0] = 1;
    const ct = tree.exclusive('ct');
    const left = new Float64Array(tree.names.length);
    const calls = entries.map((count, at) => (at === 0 ? 1 : Math.min(count, ct[at])));
    calls.forEach((count, at) => (left[tree.fn[at]] += Math.max(0, ct[at] - count)));

    return calls.map((count, at) => {
        const more = Math.min(entries[at] - count, left[tree.fn[at]]);
        left[tree.fn[at]] -= more;

        return count + more;
    });
}

/**
 * @param {Float64Array} t
 * @param {Float64Array} ends
 * @returns {Uint32Array} calls by their ends
 */
function orderOfEnds(t, ends) {
    const order = new Uint32Array(t.length);
    const open = [];
    let filled = 0;
    for (let i = 0; i < t.length; i++) {
        while (open.length > 0 && ends[open[open.length - 1]] <= t[i]) {
            order[filled++] = /** @type {number} */ (open.pop());
        }
        open.push(i);
    }
    while (open.length > 0) {
        order[filled++] = /** @type {number} */ (open.pop());
    }
    // Calls of one fiber lie within each other, and this is the order. Those of several may overlap.
    for (let i = 1; i < order.length; i++) {
        if (ends[order[i - 1]] > ends[order[i]]) {
            return order.sort((a, b) => ends[a] - ends[b] || a - b);
        }
    }

    return order;
}

/** Lays out the calls of a timeline. */
class Layout {
    /** @param {Timeline} timeline */
    constructor(timeline) {
        const { calls, slices } = timeline;
        this.timeline = timeline;
        const most = calls.t.length + 1;
        this.n = 0;
        this.room = slices === null ? most : 0;
        this.depth = new Int32Array(this.room);
        this.x = new Float64Array(this.room);
        this.end = new Float64Array(this.room);
        this.call = new Int32Array(this.room);
        this.first = new Float64Array(this.room);
    }

    frames() {
        const { timeline } = this;
        this.#add(0, 0, timeline.duration, -1, 0);
        if (timeline.slices === null) {
            this.#one();
        } else {
            this.#fibers(timeline.slices);
        }
        const { n } = this;
        const { calls, tree } = timeline;
        const depth = this.depth.subarray(0, n);
        const x = this.x.subarray(0, n);
        const call = this.call.subarray(0, n);
        const width = new Float64Array(n);
        const fn = new Int32Array(n);
        const self = new Float64Array(n);
        const parents = new Int32Array(n + 1);
        for (let frame = 0; frame < n; frame++) {
            width[frame] = this.end[frame] - x[frame];
            fn[frame] = tree.fn[frame === 0 ? 0 : calls.node[call[frame]]];
            self[frame] += width[frame];
            parents[depth[frame]] = frame;
            if (frame > 0) {
                self[parents[depth[frame] - 1]] -= width[frame];
            }
        }
        for (let frame = 0; frame < n; frame++) {
            self[frame] = Math.max(0, self[frame]);
        }

        return { fn, depth, x, width, self, ct: this.first.subarray(0, n), call };
    }

    /** All calls lie within each other, or beside. */
    #one() {
        const { t, d } = this.timeline.calls;
        const open = [0];
        for (let i = 0; i < t.length; i++) {
            while (open.length > 1 && this.end[open[open.length - 1]] <= t[i]) {
                open.pop();
            }
            const outer = this.end[open[open.length - 1]];
            const start = Math.min(t[i], outer);
            open.push(this.#add(open.length, start, Math.min(t[i] + d[i], outer), i, 1));
        }
    }

    /**
     * Each fiber has its own stack of calls, which is there while it runs.
     *
     * @param {Marks} slices
     */
    #fibers(slices) {
        const { t, d, fiber } = this.timeline.calls;
        const whole = this.timeline.duration;
        /** @type {Map<number, {calls: number[], next: number, open: number[]}>} */
        const stacks = new Map();
        for (let i = 0; i < t.length; i++) {
            const number = /** @type {Int32Array} */ (fiber)[i];
            const stack = stacks.get(number) ?? { calls: [], next: 0, open: [] };
            stack.calls.push(i);
            stacks.set(number, stack);
        }
        const seen = new Uint8Array(t.length);
        let before = 0;
        for (let s = 0; s < slices.t.length; s++) {
            const from = Math.max(before, slices.t[s]);
            const to = Math.min(whole, slices.t[s] + slices.d[s]);
            const stack = stacks.get(slices.value[s]);
            if (stack === undefined || to <= from) {
                continue;
            }
            before = to;
            const { calls, open } = stack;
            const close = (/** @type {number} */ time) => {
                while (open.length > 0 && t[open[open.length - 1]] + d[open[open.length - 1]] <= time) {
                    open.pop();
                }
            };
            const ends = [whole];
            const show = (/** @type {number} */ i, /** @type {number} */ level, /** @type {number} */ start) => {
                const end = Math.min(t[i] + d[i], to, ends[level - 1]);
                ends[level] = end;
                this.#add(level, Math.min(start, end), end, i, seen[i] === 1 ? 0 : 1);
                seen[i] = 1;
            };
            for (; stack.next < calls.length && t[calls[stack.next]] < from; stack.next++) {
                close(t[calls[stack.next]]);
                open.push(calls[stack.next]);
            }
            close(from);
            open.forEach((i, index) => show(i, index + 1, from));
            for (; stack.next < calls.length && t[calls[stack.next]] < to; stack.next++) {
                const i = calls[stack.next];
                close(t[i]);
                open.push(i);
                show(i, open.length, t[i]);
            }
        }
    }

    /**
     * @param {number} depth
     * @param {number} from
     * @param {number} to
     * @param {number} call
     * @param {number} first
     * @returns {number}
     */
    #add(depth, from, to, call, first) {
        if (this.n === this.room) {
            this.#grow();
        }
        const frame = this.n++;
        this.depth[frame] = depth;
        this.x[frame] = from;
        this.end[frame] = to;
        this.call[frame] = call;
        this.first[frame] = first;

        return frame;
    }

    #grow() {
        this.room = Math.max(1024, 2 * this.room);
        this.depth = longer(this.depth, this.room);
        this.x = longer(this.x, this.room);
        this.end = longer(this.end, this.room);
        this.call = longer(this.call, this.room);
        this.first = longer(this.first, this.room);
    }
}

/**
 * @param {import('./tree.js').Tree} tree which may lack nodes of the run
 * @returns {Int32Array} per node of the run its number in the tree, -1 if it is not there
 */
function nodesOf(tree) {
    if (tree.pruned.nodes === 0) {
        return Int32Array.from(tree.fn.keys());
    }
    if (tree.rest === null) {
        throw new BadRun('The call tree of this run is too large for a timeline.');
    }
    const nodes = new Int32Array(tree.pruned.of).fill(-1);
    tree.rest.origin.forEach((origin, node) => {
        if (origin >= 0) {
            nodes[origin] = node;
        }
    });

    return nodes;
}

/**
 * Finds what the calls of each node waited for. The garbage collector has a track of its own.
 *
 * @param {any} data the document "operations"
 * @param {number} n nodes of the tree
 * @param {Int32Array} nodes of nodesOf()
 * @returns {{ofNode: Int32Array, texts: string[], count: number}} per node an index into texts, -1 for none: where there are several, the
 *     text that took longest; count: of all operations, as the view Operations has it
 */
function textsOf(data, n, nodes) {
    const texts = namesIn(data.texts, 'The record of operations');
    const kinds = namesIn(data.kinds, 'The record of operations');
    const kind = timeColumn(data.kind_of_text, 'kind_of_text', kinds.length - 1, texts.length);
    const text = timeColumn(data.text, 'text', texts.length - 1);
    const node = Int32Array.from(timeColumn(data.node, 'node', nodes.length - 1, text.length), (of) => nodes[of]);
    const total = timeColumn(data.total, 'total', Number.MAX_SAFE_INTEGER, text.length);
    const count = wide(data.ct, 'ct', Number.MAX_SAFE_INTEGER, text.length).reduce((sum, ct) => sum + ct, 0);
    const ofNode = new Int32Array(n).fill(-1);
    const longest = new Float64Array(n).fill(-1);
    for (let row = 0; row < text.length; row++) {
        if (node[row] >= 0 && kinds[kind[text[row]]] !== 'gc' && total[row] > longest[node[row]]) {
            longest[node[row]] = total[row];
            ofNode[node[row]] = text[row];
        }
    }

    return { ofNode, texts, count };
}

/**
 * @param {any} of
 * @param {string} name
 * @param {string} value
 * @returns {Marks}
 */
function marks(of, name, value) {
    if (of === null || typeof of !== 'object') {
        throw new BadRun(`The timeline has no "${name}".`);
    }
    const t = wide(of.t, `${name}.t`, LONGEST);
    ordered(t, `${name}.t`);

    return { t, d: wide(of.d, `${name}.d`, LONGEST, t.length), value: wide(of[value], `${name}.${value}`, Number.MAX_SAFE_INTEGER, t.length) };
}

/**
 * @param {Float64Array} values
 * @param {string} name
 */
function ordered(values, name) {
    for (let i = 1; i < values.length; i++) {
        if (values[i] < values[i - 1]) {
            throw new BadRun(`The column "${name}" of the timeline is not in order of time.`);
        }
    }
}

/**
 * @param {any} values
 * @param {string} name
 * @param {number} most
 * @param {number} [length]
 */
function timeColumn(values, name, most, length) {
    return column(values, `The column "${name}" of the timeline`, 0, most, length);
}

/**
 * @param {any} values
 * @param {string} name
 * @param {number} most
 * @param {number} [length]
 * @returns {Float64Array}
 */
function wide(values, name, most, length) {
    return new Float64Array(timeColumn(values, name, most, length));
}
