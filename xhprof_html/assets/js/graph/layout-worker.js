/** Lays out one graph after the other. The first loads Graphviz; if that fails, a plain layout takes its place. */
import { serve } from '../core/worker.js';
import { fromPlain, toDot } from './geometry.js';
import { layered } from './layered.js';

/** @typedef {import('./geometry.js').Spec} Spec */

/** @type {Promise<import('../../vendor/graphviz/graphviz.js').Graphviz | null> | undefined} */
let graphviz;

/** @returns {Promise<import('../../vendor/graphviz/graphviz.js').Graphviz | null>} */
async function load() {
    try {
        return await (await import('../../vendor/graphviz/graphviz.js')).Graphviz.load();
    } catch {
        // Not installed, or WebAssembly is forbidden here.
        return null;
    }
}

const jobs = {
    /**
     * @param {{ spec: Spec, useGraphviz: boolean }} what
     * @returns {Promise<import('./graph-data.js').Laid>}
     */
    async layOut({ spec, useGraphviz }) {
        try {
            graphviz ??= useGraphviz ? load() : Promise.resolve(null);
            const program = await graphviz;
            const began = performance.now();
            const layout = program === null || spec.nodes.length === 0 ? layered(spec) : fromPlain(program.layout(toDot(spec), 'plain', 'dot'), spec);

            return { layout, milliseconds: performance.now() - began, isPlain: program === null };
        } catch {
            // dot gives up on graphs that are too large for it.
            return { layout: layered(spec), milliseconds: 0, isPlain: true };
        }
    },
};

/** @typedef {typeof jobs} LayoutJobs */

serve(jobs);
