/** Where the time was, from moment to moment. Pure. */
import { firstNot } from '../core/bisect.js';
import { NodeParts, partMetrics, sharesOf } from './time-parts.js';
import { limitOf } from './tree.js';

/**
 * @typedef {import('./time-parts.js').Kinds} Kinds
 * @typedef {import('./time-parts.js').Where} Where
 */

export class PartsOverTime {
    /**
     * @param {Kinds} kinds
     * @param {Float32Array} shares of each unit one for each part, 1 together; a unit is a call path or a function
     * @param {{fn: ArrayLike<number>, depth: ArrayLike<number>, x: Float64Array, width: Float64Array, self: Float64Array}} frames
     * @param {ArrayLike<number>} units per frame
     * @param {{t: Float64Array, unit: ArrayLike<number>}} steps in order of time: from t[i] to the next one that unit is innermost, -1 for none
     */
    constructor({ parts, cpu }, shares, frames, units, steps) {
        this.parts = parts;
        this.by = cpu.length > 0 ? 'calls' : 'samples';
        this.shares = shares;
        this.frames = frames;
        this.units = units;
        this.steps = steps;
    }

    /**
     * By the call paths of a timeline. How the time of one call was spent is not recorded: each call of a call path is split as all of
     * them together. Calls that were too short to be kept are part of their callers' time, and so are their parts.
     *
     * @param {import('./timeline.js').Timeline} timeline
     * @param {Kinds} kinds
     * @returns {PartsOverTime | null} null where the tree has not the times that are split
     */
    static ofTimeline(timeline, kinds) {
        const { tree, calls } = timeline;
        if (partMetrics(kinds, tree).length === 0) {
            return null;
        }
        const frames = timeline.frames();
        const units = new Int32Array(frames.call.length);
        const kept = new Float64Array(tree.n);
        for (let frame = 0; frame < units.length; frame++) {
            units[frame] = frames.call[frame] < 0 ? 0 : calls.node[frames.call[frame]];
            kept[units[frame]] += frames.self[frame];
        }
        const nodes = new NodeParts(tree, kinds);
        const n = kinds.parts.length;
        const shares = new Float32Array(tree.n * n);
        for (let node = tree.n - 1; node >= 0; node--) {
            nodes.each(node, (part, ns) => {
                shares[node * n + part] += ns;
            });
            const sum = scaled(shares, node * n, n, kinds);
            const above = node === 0 ? 0 : sum - kept[node];
            for (let part = 0; above > 0 && part < n; part++) {
                shares[tree.parent[node] * n + part] += above * shares[node * n + part];
            }
        }

        return new PartsOverTime(kinds, shares, frames, units, stepsOf(frames, units));
    }

    /**
     * By the functions that samples met.
     *
     * @param {import('./samples.js').Samples} samples
     * @param {Kinds} kinds
     * @returns {PartsOverTime | null} null of samples of CPU time, which do not meet what waits, and where nothing is known
     */
    static ofSamples(samples, kinds) {
        if (samples.metric.k !== 'wt' || kinds.cpu.length > 0 || kinds.metrics.length === 0) {
            return null;
        }
        const frames = samples.frames();
        const n = kinds.parts.length;
        const shares = new Float32Array(samples.names.length * n);
        sharesOf(samples.names, kinds).forEach(([, idle], fn) => {
            idle.forEach(({ part, share }) => {
                shares[fn * n + part] += share;
            });
            scaled(shares, fn * n, n, kinds);
        });

        const { at, stack, fn } = samples;

        return new PartsOverTime(kinds, shares, frames, frames.fn, { t: at, unit: stack.map((id) => (id < 0 ? -1 : fn[id])) });
    }

    /**
     * @param {number} from ns
     * @param {number} to ns
     * @param {number} count of buckets of equal length
     * @returns {Float64Array} ns, of each bucket one for each part
     */
    buckets(from, to, count) {
        const { shares, steps: { t, unit } } = this;
        const n = this.parts.length;
        const sums = new Float64Array(count * n);
        const size = (to - from) / count;
        for (let i = Math.max(0, firstNot(0, t.length, (place) => t[place] <= from) - 1); i + 1 < t.length && t[i] < to; i++) {
            if (unit[i] < 0) {
                continue;
            }
            const first = unit[i] * n;
            const end = Math.min(to, t[i + 1]);
            let start = Math.max(from, t[i]);
            for (let bucket = Math.min(count - 1, Math.floor((start - from) / size)); start < end; bucket++) {
                const edge = bucket >= count - 1 ? end : Math.min(end, from + (bucket + 1) * size);
                if (edge > start) {
                    for (let part = 0; part < n; part++) {
                        sums[Math.min(bucket, count - 1) * n + part] += (edge - start) * shares[first + part];
                    }
                    start = edge;
                }
            }
        }

        return sums;
    }

    /**
     * @param {number} name of a function, by its number
     * @param {number} from ns
     * @param {number} to ns
     * @returns {import('../core/inspector.js').TimeParts} of all that ran in it
     */
    below(name, from, to) {
        const { frames: { fn, depth, x, width }, shares, steps, parts, by } = this;
        const sums = new Float64Array(parts.length);
        for (let frame = 0, i = 0, level = Infinity; frame < fn.length; frame++) {
            level = depth[frame] <= level ? Infinity : level;
            const end = Math.min(to, x[frame] + width[frame]);
            if (fn[frame] !== name || level < Infinity || end <= from || x[frame] >= to) {
                continue;
            }
            // Its outermost calls come in order of time.
            level = depth[frame];
            for (; i + 1 < steps.t.length && steps.t[i + 1] <= x[frame]; i++);
            for (let at = i; at + 1 < steps.t.length && steps.t[at] < end; at++) {
                const ns = Math.min(end, steps.t[at + 1]) - Math.max(from, x[frame], steps.t[at]);
                for (let part = 0; ns > 0 && steps.unit[at] >= 0 && part < sums.length; part++) {
                    sums[part] += ns * shares[steps.unit[at] * sums.length + part];
                }
            }
        }

        return { by, parts: parts.map(({ key, label }, part) => ({ key, label, us: sums[part] / 1000 })).filter(({ us }) => us > 0) };
    }

    /** @returns {Where} of the frames */
    where() {
        return this.#most(this.frames.self, this.units, this.shares);
    }

    /**
     * @param {{fn: import('./run-file.js').Indexes, self: ArrayLike<number>}} layout of call paths of the same run
     * @returns {Where} by their functions: each is split as all its frames together
     */
    whereOf({ fn, self }) {
        const n = this.parts.length;
        const known = limitOf(fn);
        const shares = new Float32Array(known * n);
        for (let frame = 0; frame < this.units.length; frame++) {
            const name = this.frames.fn[frame];
            for (let part = 0; name < known && part < n; part++) {
                shares[name * n + part] += this.frames.self[frame] * this.shares[this.units[frame] * n + part];
            }
        }
        for (let name = 0; name < known; name++) {
            scaled(shares, name * n, n, null);
        }

        return this.#most(self, fn, shares);
    }

    /**
     * @param {ArrayLike<number>} self
     * @param {ArrayLike<number>} units per frame
     * @param {Float32Array} shares
     * @returns {Where}
     */
    #most(self, units, shares) {
        const n = this.parts.length;
        const of = new Uint8Array(units.length);
        const sums = new Float64Array(n);
        for (let frame = 0, most = 0; frame < of.length; frame++, most = 0) {
            for (let part = 0; part < n; part++) {
                const share = shares[units[frame] * n + part];
                sums[part] += self[frame] * share;
                if (share > most && self[frame] > 0) {
                    most = share;
                    of[frame] = part + 1;
                }
            }
        }

        return { of, sums, parts: this.parts };
    }
}

/**
 * Makes shares of figures, in place.
 *
 * @param {Float32Array} figures
 * @param {number} first
 * @param {number} n
 * @param {Kinds | null} kinds names the part of what has no figure; null for none
 * @returns {number} their sum
 */
function scaled(figures, first, n, kinds) {
    let sum = 0;
    for (let part = first; part < first + n; part++) {
        sum += figures[part];
    }
    for (let part = first; sum > 0 && part < first + n; part++) {
        figures[part] /= sum;
    }
    const rest = sum > 0 || kinds === null ? -1 : kinds.parts.findIndex(({ key }) => key === kinds.rest);
    if (rest >= 0) {
        figures[first + rest] = 1;
    }

    return sum;
}

/**
 * @param {{depth: ArrayLike<number>, x: Float64Array, width: Float64Array}} frames in preorder
 * @param {Int32Array} units per frame
 * @returns {{t: Float64Array, unit: Int32Array}}
 */
function stepsOf({ depth, x, width }, units) {
    const t = new Float64Array(2 * x.length + 1);
    const unit = new Int32Array(t.length);
    const open = [0];
    let n = 0;
    const add = (/** @type {number} */ time, /** @type {number} */ at) => {
        n = n > 0 && t[n - 1] >= time ? n - 1 : n;
        t[n] = n > 0 ? Math.max(time, t[n - 1]) : time;
        unit[n++] = units[at];
    };
    const close = (/** @type {number} */ keep) => {
        while (open.length > keep) {
            const last = /** @type {number} */ (open.pop());
            add(x[last] + width[last], open[open.length - 1] ?? last);
        }
    };
    add(x[0] ?? 0, 0);
    for (let i = 1; i < x.length; i++) {
        close(depth[i]);
        add(x[i], i);
        open.push(i);
    }
    close(0);

    return { t: t.subarray(0, n), unit: unit.subarray(0, n) };
}
