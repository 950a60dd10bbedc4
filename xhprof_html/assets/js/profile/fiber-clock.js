/** What the calls of a timeline lie in, also where fibers ran. Pure. The library has the same in xhprof_lib/src/Profile. */

/** The calls that are open at a time: each fiber has a stack of them. Calls end with their callers, whatever the file says. */
export class OpenCalls {
    /** @type {Map<number, number[]>} */
    #open = new Map();
    #ends;

    /** @param {import('./timeline.js').Timeline} timeline */
    constructor({ calls, duration }) {
        this.calls = calls;
        this.duration = duration;
        this.#ends = new Float64Array(calls.t.length);
    }

    /**
     * All calls begin once, in the order of the timeline.
     *
     * @param {number} call
     * @returns {{start: number, end: number, caller: number}} caller: -1 if the call is the outermost of its fiber
     */
    begin(call) {
        const { t, d, fiber } = this.calls;
        const ends = this.#ends;
        const number = fiber === null ? 0 : fiber[call];
        let stack = this.#open.get(number);
        if (stack === undefined) {
            this.#open.set(number, stack = []);
        }
        while (stack.length > 0 && ends[stack[stack.length - 1]] <= t[call]) {
            stack.pop();
        }
        const caller = stack.length === 0 ? -1 : stack[stack.length - 1];
        const most = caller < 0 ? this.duration : ends[caller];
        ends[call] = Math.min(most, t[call] + d[call]);
        stack.push(call);

        return { start: Math.min(most, t[call]), end: ends[call], caller };
    }

    /**
     * @param {number} fiber
     * @param {number} time
     * @returns {number} the innermost call of the fiber that is open after this time; -1 for none
     */
    innermost(fiber, time) {
        const stack = this.#open.get(fiber) ?? [];
        let last = stack.length - 1;
        while (last >= 0 && this.#ends[stack[last]] <= time) {
            last--;
        }

        return last < 0 ? -1 : stack[last];
    }
}

/**
 * When the fibers of a run were on the engine's stack: from when a call of another fiber has resumed them until they suspended or
 * ended, also while one ran that they had resumed. A timeline has when they ran, but for what was shorter than its threshold: see
 * #skip().
 *
 * @typedef {{start: number, end: number, fiber: number, node: number}} Period node: of the call that has resumed the fiber
 */
class FiberPeriods {
    /** What is on the stack, the running fiber last. @type {{start: number, fiber: number, node: number}[]} */
    #stack = [];
    /** Its fibers. @type {Set<number>} */
    #stacked = new Set();
    /** By their ends. @type {Period[]} */
    #periods = [];
    /** The first call that has not begun. */
    #next = 0;
    /** The fiber that was seen last for the first time. */
    #newest = 0;
    /** Per fiber its first call. @type {Map<number, number>} */
    #first = new Map();
    #ct;

    /** @param {import('./timeline.js').Timeline} timeline */
    constructor(timeline) {
        this.timeline = timeline;
        this.open = new OpenCalls(timeline);
        this.#ct = timeline.tree.exclusive('ct');
        const { fiber, t } = timeline.calls;
        for (let call = t.length - 1; fiber !== null && call >= 0; call--) {
            this.#first.set(fiber[call], call);
        }
        this.#push(0, 0, 0);
    }

    /** @returns {Period[]} those of each fiber are in the order of time */
    all() {
        const { slices, duration } = this.timeline;
        let last = 0;
        for (let i = 0; slices !== null && i < slices.t.length; i++) {
            const start = Math.max(last, slices.t[i]);
            const end = Math.min(duration, slices.t[i] + slices.d[i]);
            if (end > start) {
                this.#skip(last, start);
                this.#run(slices.value[i], start);
                last = end;
            }
        }
        this.#skip(last, duration);
        while (this.#stack.length > 0) {
            this.#pop(duration);
        }

        return this.#periods;
    }

    /**
     * What ran in this time was too short for the timeline. Calls that began in it have fibers; without any, the fiber that ran before
     * has suspended, as those that a loop resumes do.
     *
     * @param {number} from
     * @param {number} to
     */
    #skip(from, to) {
        if (to <= from) {
            return;
        }
        this.#beginUntil(from);
        const fiber = this.#beginUntil(to);
        if (this.#stacked.has(fiber)) {
            this.#popTo(fiber, from);
        } else if (this.#stack.length > 1) {
            this.#pop(from);
        }
    }

    /**
     * @param {number} fiber
     * @param {number} time
     */
    #run(fiber, time) {
        if (this.#stacked.has(fiber)) {
            this.#popTo(fiber, time);

            return;
        }
        let node = this.#resumer(time);
        if (node !== 0 && this.#hasResumedTheFirst(fiber)) {
            this.#pop(time);
            node = 0;
        }
        this.#push(fiber, time, node);
        this.#newest = Math.max(this.#newest, fiber);
    }

    /**
     * @param {number} time
     * @returns {number} the node of the innermost open call of all fibers on the stack
     */
    #resumer(time) {
        this.#beginUntil(time);
        const last = this.#stack[this.#stack.length - 1];
        const call = this.open.innermost(last.fiber, time);

        return call < 0 ? last.node : this.timeline.calls.node[call];
    }

    /**
     * @param {number} time
     * @returns {number} the fiber of the last call that began since the last time; -1 for none
     */
    #beginUntil(time) {
        const { t, fiber } = this.timeline.calls;
        const first = this.#next;
        for (; this.#next < t.length && t[this.#next] <= time; this.#next++) {
            this.open.begin(this.#next);
        }

        return this.#next === first || fiber === null ? -1 : fiber[this.#next - 1];
    }

    /**
     * Whether a fiber that is seen now had resumed the one that ran at the start of the run, which has suspended. No call of the
     * run has resumed it, so what it calls is called by main(), and began there.
     *
     * @param {number} fiber
     */
    #hasResumedTheFirst(fiber) {
        const first = this.#first.get(fiber);
        const node = first === undefined ? 0 : this.timeline.calls.node[first];

        return this.#stack.length === 1 && fiber > this.#newest && this.timeline.tree.depth[node] === 1 && this.#ct[node] > 0;
    }

    /**
     * @param {number} fiber
     * @param {number} start
     * @param {number} node
     */
    #push(fiber, start, node) {
        this.#stack.push({ start, fiber, node });
        this.#stacked.add(fiber);
    }

    /**
     * @param {number} fiber
     * @param {number} time
     */
    #popTo(fiber, time) {
        while (this.#stack[this.#stack.length - 1].fiber !== fiber) {
            this.#pop(time);
        }
    }

    /** @param {number} end */
    #pop(end) {
        const popped = this.#stack.pop();
        if (popped !== undefined) {
            this.#stacked.delete(popped.fiber);
            this.#periods.push({ end, ...popped });
        }
    }
}

/** How long each fiber of a run had been on the engine's stack at a time, within a range of it, and what has resumed it. */
export class FiberClock {
    /**
     * Per fiber its periods within the range, and its time before each, ns.
     *
     * @type {Map<number, (Period & {before: number})[]>}
     */
    #periods = new Map();

    /**
     * @param {import('./timeline.js').Timeline} timeline
     * @param {number} from ns
     * @param {number} to ns
     */
    constructor(timeline, from, to) {
        for (const { start, end, fiber, node } of new FiberPeriods(timeline).all()) {
            const part = { start: Math.max(from, start), end: Math.min(to, end), fiber, node, before: 0 };
            if (part.end > part.start) {
                const periods = this.#periods.get(fiber) ?? [];
                const last = periods[periods.length - 1];
                part.before = last === undefined ? 0 : last.before + last.end - last.start;
                periods.push(part);
                this.#periods.set(fiber, periods);
            }
        }
    }

    /**
     * @param {number} fiber
     * @param {number} start
     * @param {number} end
     * @returns {number} ns of the range that the fiber was on the stack between two times
     */
    between(fiber, start, end) {
        return this.#at(fiber, end) - this.#at(fiber, start);
    }

    /**
     * The same, by what has resumed the fiber.
     *
     * @param {number} fiber
     * @param {number} start
     * @param {number} end
     * @param {(node: number, time: number) => void} visit
     */
    byResumer(fiber, start, end, visit) {
        const periods = this.#periods.get(fiber) ?? [];
        for (let i = Math.max(0, this.#begun(fiber, start) - 1); i < periods.length && periods[i].start < end; i++) {
            visit(periods[i].node, Math.max(0, Math.min(end, periods[i].end) - Math.max(start, periods[i].start)));
        }
    }

    /**
     * @param {number} fiber
     * @param {number} time
     */
    #at(fiber, time) {
        const period = this.#periods.get(fiber)?.[this.#begun(fiber, time) - 1];

        return period === undefined ? 0 : period.before + Math.min(time, period.end) - period.start;
    }

    /**
     * @param {number} fiber
     * @param {number} time
     * @returns {number} how many periods of the fiber have begun
     */
    #begun(fiber, time) {
        const periods = this.#periods.get(fiber) ?? [];
        let [low, high] = [0, periods.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (periods[middle].start <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }

        return low;
    }
}
