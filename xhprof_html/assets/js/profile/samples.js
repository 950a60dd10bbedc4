/** A run's samples: the call stack at each time. Pure. */
import { mergedMet } from './merge.js';
import { BadRun, column, namesIn } from './run-file.js';
import { placesOf } from './tree.js';

/** ns per µs, the unit of times in the server's data. */
const US = 1000;

export class Samples {
    /**
     * Trusts its columns: from outside, come through of().
     *
     * @param {string[]} names
     * @param {Float64Array} at begin of each sample's time, ns; a last entry is the end of the last one's
     * @param {Int32Array} stack per sample, an index into fn and parent; -1 where nothing ran
     * @param {Int32Array} fn per stack its innermost function
     * @param {Int32Array} parent per stack the one that called it, an earlier one; -1 for the first
     * @param {Int32Array} [counts] per entry how many samples it stands for; one each unless given
     */
    constructor(names, at, stack, fn, parent, counts) {
        this.names = names;
        this.at = at;
        this.stack = stack;
        this.fn = fn;
        this.parent = parent;
        this.n = stack.length;
        this.counts = counts ?? Int32Array.from(stack, (id) => (id < 0 ? 0 : 1));
        this.count = this.counts.reduce((sum, samples) => sum + samples, 0);
        this.duration = at[stack.length];
        /** Metric of the times. @type {import('./tree.js').Metric} */
        this.metric = { k: '', label: '', unit: 'ns' };
        this.depth = new Int32Array(fn.length);
        for (let id = 1; id < fn.length; id++) {
            this.depth[id] = this.depth[parent[id]] + 1;
        }
    }

    /**
     * @param {any} data the document "stacks" of api.php, null for none
     * @returns {Samples}
     * @throws {BadRun}
     */
    static of(data) {
        if (data === null) {
            throw new BadRun('This run has no samples.');
        }
        const names = namesIn(data.names, 'The samples');
        const fn = sampleColumn(data.stacks?.fn, 'stacks.fn', 0, names.length - 1);
        const parent = sampleColumn(data.stacks?.parent, 'stacks.parent', -1, fn.length - 1, fn.length);
        for (let id = 0; id < fn.length; id++) {
            if (parent[id] >= id || (parent[id] < 0) !== (id === 0)) {
                throw new BadRun(`Stack ${id} of the samples has no parent.`);
            }
        }
        const stack = sampleColumn(data.stack, 'stack', -1, fn.length - 1);
        const lasting = sampleColumn(data.t, 't', 0, 2 ** 44, stack.length);
        if (stack.length === 0 || fn.length === 0) {
            throw new BadRun('This run has no samples.');
        }
        const counts = data.n === undefined ? undefined : new Int32Array(sampleColumn(data.n, 'n', 0, 2 ** 31 - 1, stack.length));
        const at = new Float64Array(stack.length + 1);
        for (let i = 0; i < stack.length; i++) {
            at[i + 1] = at[i] + lasting[i] * US;
        }

        const samples = new Samples(names, at, new Int32Array(stack), new Int32Array(fn), new Int32Array(parent), counts);
        samples.metric = { k: String(data.metric?.k ?? ''), label: String(data.metric?.label ?? ''), unit: 'ns' };

        return samples;
    }

    /**
     * The frames of an icicle over real time: a call path that stays on the stack from one sample to the next is one frame.
     *
     * @returns {{fn: Int32Array, depth: Int32Array, x: Float64Array, width: Float64Array, self: Float64Array, ct: Float64Array}}
     *     ct: samples each was met in; frame 0 is the whole time
     */
    frames() {
        const [fn, depth, x, ends, ct] = Array.from({ length: 5 }, () => /** @type {number[]} */ ([]));
        /** Open frames and their stacks, by level. */
        const [open, stacks] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
        const close = (/** @type {number} */ keep, /** @type {number} */ time) => {
            while (open.length > keep) {
                ends[/** @type {number} */ (open.pop())] = time;
                stacks.pop();
            }
        };
        for (let i = 0; i < this.n; i++) {
            const others = [];
            let at = Math.max(0, this.stack[i]);
            while (at >= 0 && stacks[this.depth[at]] !== at) {
                others.push(at);
                at = this.parent[at];
            }
            close(at < 0 ? 0 : this.depth[at] + 1, this.at[i]);
            for (const stack of others.reverse()) {
                open.push(fn.length);
                stacks.push(stack);
                fn.push(this.fn[stack]);
                depth.push(this.depth[stack]);
                x.push(this.at[i]);
                ends.push(0);
                ct.push(0);
            }
            ct[open[open.length - 1]] += this.counts[i];
        }
        close(0, this.duration);
        const width = Float64Array.from(ends, (end, frame) => end - x[frame]);
        const self = width.slice();
        const counts = Float64Array.from(ct);
        const levels = Int32Array.from(depth);
        const { parent } = placesOf(levels);
        for (let frame = fn.length - 1; frame > 0; frame--) {
            self[parent[frame]] -= width[frame];
            counts[parent[frame]] += counts[frame];
        }

        for (let i = 0; i < this.n; i++) {
            self[0] -= this.stack[i] < 0 ? this.at[i + 1] - this.at[i] : 0;
        }

        return { fn: Int32Array.from(fn), depth: levels, x: Float64Array.from(x), width, self, ct: counts };
    }

    /**
     * The call paths of a range of time, merged: "wt" in ns, and in "ct" the samples, as in the library's
     * SampleColumns::part().
     *
     * @param {number} from ns
     * @param {number} to ns
     * @returns {import('./tree.js').Tree}
     */
    pathsOf(from, to) {
        const time = new Float64Array(this.fn.length);
        const count = new Float64Array(this.fn.length);
        for (let i = 0; i < this.n; i++) {
            const part = Math.min(to, this.at[i + 1]) - Math.max(from, this.at[i]);
            const id = this.stack[i];
            if (part > 0 && id >= 0) {
                time[id] += part;
                count[id] += Math.round((this.counts[i] * part) / (this.at[i + 1] - this.at[i]));
            }
        }
        const met = Uint8Array.from(time, (ns) => (ns > 0 ? 1 : 0));
        met[0] = 1;

        return mergedMet(this, met, time, count);
    }
}

/**
 * @param {any} values
 * @param {string} name
 * @param {number} least
 * @param {number} most
 * @param {number} [length]
 */
function sampleColumn(values, name, least, most, length) {
    return column(values, `The column "${name}" of the samples`, least, most, length);
}
