/** Lays out one graph after the other. The first call loads Graphviz. */
import { serve } from '../core/worker.js';
import { fromPlain, toDot } from './geometry.js';

/** @typedef {import('../../vendor/graphviz/graphviz.js').Graphviz} Graphviz */

/** @type {Promise<Graphviz> | undefined} */
let graphviz;

/** @returns {Promise<Graphviz>} */
async function load() {
    try {
        return await (await import('../../vendor/graphviz/graphviz.js')).Graphviz.load();
    } catch {
        throw new Error('Graphviz cannot run in this browser, which may forbid WebAssembly.');
    }
}

const jobs = {
    /**
     * @param {{ spec: import('./geometry.js').Spec }} what
     * @returns {Promise<import('./graph-data.js').Laid>}
     */
    async layOut({ spec }) {
        graphviz ??= load();
        const program = await graphviz;
        const began = performance.now();
        try {
            return { layout: fromPlain(spec.nodes.length === 0 ? '' : program.layout(toDot(spec), 'plain', 'dot'), spec), milliseconds: performance.now() - began };
        } catch {
            throw new Error('Graphviz failed on this graph: choose fewer functions.');
        }
    },
};

/** @typedef {typeof jobs} LayoutJobs */

serve(jobs);
