/** What the own time of call paths was spent on, by the rule of XHProf\Profile\TimeSplit. Pure. */

/**
 * @typedef {{key: string, label: string, group: string}} Part
 * @typedef {{parts: Part[], cpu: string[], rest: string, metrics: {k: string, label: string}[], functions: Record<string, {idle?: Record<string, number>, cpu?: Record<string, number>}>}} Kinds
 *     as api.php?get=kinds has them
 * @typedef {{of: Uint8Array, sums: Float64Array, parts: Part[]}} Where per frame the part that has most of its own time, from 1, 0 for
 *     none; the sums of all
 */

/**
 * @param {Kinds | null} kinds
 * @param {import('./tree.js').Tree} tree
 * @returns {import('./tree.js').Metric[]} of groups of parts; none where the tree has not the times that are split
 */
export function partMetrics(kinds, { self }) {
    return kinds !== null && ['wt', ...kinds.cpu].every((key) => self.has(key)) ? kinds.metrics.map(({ k, label }) => ({ k, label, unit: 'ns' })) : [];
}

/**
 * @param {string[]} names of functions
 * @param {Kinds} kinds
 * @returns {{part: number, share: number}[][][]} per function the shares of its CPU time, and of the rest
 */
export function sharesOf(names, { parts, rest, functions }) {
    const list = (/** @type {Record<string, number>} */ shares) => Object.entries(shares)
        .map(([key, share]) => ({ part: parts.findIndex((part) => part.key === key), share }));
    const usual = [list({ cpu: 1 }), list({ [rest]: 1 })];

    return names.map((name) => {
        const { cpu, idle } = Object.hasOwn(functions, name) ? functions[name] : {};

        return [cpu ? list(cpu) : usual[0], idle ? list(idle) : usual[1]];
    });
}

export class NodeParts {
    /**
     * @param {import('./tree.js').Tree} tree
     * @param {Kinds} kinds
     */
    constructor(tree, kinds) {
        this.tree = tree;
        this.parts = kinds.parts;
        this.cpu = kinds.cpu.map((key) => tree.exclusive(key));
        this.shares = sharesOf(tree.names, kinds);
    }

    /**
     * Clocks are read one after the other: a node that has more CPU than wall time was on the CPU all the time.
     *
     * @param {number} node
     * @param {(part: number, ns: number) => void} add is called with what adds up to its own wall time
     */
    each(node, add) {
        const wall = Math.max(0, this.tree.exclusive('wt')[node]);
        const cpu = Math.max(0, Math.min(wall, this.cpu.reduce((sum, column) => sum + column[node], 0)));
        this.shares[this.tree.fn[node]].forEach((shares, at) => shares.forEach(({ part, share }) => add(part, share * (at === 0 ? cpu : wall - cpu))));
    }

    /**
     * @param {string} metric of partMetrics()
     * @returns {Float64Array} own time per node
     */
    column(metric) {
        const isIn = this.parts.map(({ group }) => (metric === `time_${group}` ? 1 : 0));

        return Float64Array.from(this.tree.exclusive('wt'), (_, node) => {
            let sum = 0;
            this.each(node, (part, ns) => {
                sum += isIn[part] * ns;
            });

            return sum;
        });
    }

    /** @returns {Where} */
    where() {
        const of = new Uint8Array(this.tree.n);
        const sums = new Float64Array(this.parts.length);
        for (let node = 0, most = 0; node < of.length; node++, most = 0) {
            this.each(node, (part, ns) => {
                sums[part] += ns;
                if (ns > most) {
                    most = ns;
                    of[node] = part + 1;
                }
            });
        }

        return { of, sums, parts: this.parts };
    }
}

/**
 * @param {import('./tree.js').Tree} tree
 * @param {Kinds} kinds
 * @param {number} fn
 * @returns {import('../core/inspector.js').TimeParts} of a function with its callees, a recursion once, as get=symbol has it
 */
export function partsBelow(tree, kinds, fn) {
    const nodes = new NodeParts(tree, kinds);
    const sums = new Float64Array(kinds.parts.length);
    for (let node = 0, end = 0; node < tree.n; node++) {
        end = tree.fn[node] === fn ? Math.max(end, tree.end[node]) : end;
        if (node < end) {
            nodes.each(node, (part, ns) => {
                sums[part] += ns;
            });
        }
    }

    return {
        by: kinds.cpu.length > 0 ? 'calls' : 'samples',
        parts: kinds.parts.map(({ key, label }, part) => ({ key, label, us: sums[part] / 1000 })).filter(({ us }) => us > 0),
    };
}
