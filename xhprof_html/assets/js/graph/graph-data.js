/**
 * Data of the call graph: the server chooses the part worth drawing, a worker lays it out. A request for either cancels the one
 * before.
 */
import { loadJson, loadShared } from '../core/api.js';
import { score } from '../core/names.js';
import { WorkerClient } from '../core/worker.js';
import { Matching } from '../profile/matching.js';
import { patternIn } from '../profile/search.js';

/**
 * @typedef {import('./geometry.js').Spec} Spec
 * @typedef {import('./geometry.js').Layout} Layout
 * @typedef {{ layout: Layout, milliseconds: number }} Laid
 *
 * @typedef {object} GraphNode
 * @property {string} name
 * @property {number} incl
 * @property {number} excl
 * @property {number} ct
 * @property {boolean} recursive
 * @property {{ incl: number, excl: number, ct: number }} [before]
 * @property {number} callers how many functions call it whose calls are not drawn
 * @property {number} callees how many it calls
 * @property {('incl' | 'excl')[]} [machine] figures whose change is the machine's
 *
 * @typedef {object} GraphEdge
 * @property {number} from index in nodes
 * @property {number} to
 * @property {number} weight orders choice and layout: the inclusive figure of the calls; of two runs the larger one
 * @property {number} now inclusive figure
 * @property {number} ct
 * @property {number} [before]
 * @property {number} [ctBefore]
 * @property {boolean} [machine] whether their change is the machine's
 * @property {boolean} critical
 *
 * @typedef {object} Graph
 * @property {GraphNode[]} nodes the heaviest first
 * @property {GraphEdge[]} edges the heaviest first
 * @property {{ from: number, to: number }[]} vias for functions without drawn callers: callers over calls that are not drawn
 * @property {number} total 100 %
 * @property {number} functions how many there are in all
 * @property {number | null} focus index in nodes
 *
 * @typedef {object} Choice as api.php?get=graph gives it
 * @property {Graph} graph
 * @property {string} metric
 * @property {{ k: string, unit: import('../core/format.js').Unit, label: string }[]} metrics
 * @property {{ threshold: number, nodes: number, critical: boolean, levels: boolean, focus: string }} settings that it was made with
 * @property {string} [machine] words for changes that are
 * @property {Record<string, string>} hashes index in nodes => hash of a name that no URL can hold
 */

export class GraphData {
    /** @type {WorkerClient<import('./layout-worker.js').LayoutJobs> | null} */
    #layout = null;
    #url;
    #names;
    /** @type {AbortController | undefined} */
    #asking;

    /**
     * @param {string} url of get=graph
     * @param {string[]} names URLs of get=functions: of the run, or of both
     */
    constructor(url, names) {
        this.#url = url;
        this.#names = names;
    }

    /**
     * @param {URLSearchParams} config
     * @returns {Promise<Choice>}
     */
    choose(config) {
        this.#asking?.abort();
        this.#asking = new AbortController();

        return loadJson(`${this.#url}&${config}`, { signal: this.#asking.signal });
    }

    /**
     * @param {string} query
     * @returns {Promise<string[]>} functions that answer it, the best first
     */
    async find(query) {
        const all = await Promise.all(this.#names.map((url) => loadShared(url)));
        const names = [...new Set(all.flatMap((/** @type {{ names: string[] }} */ one) => one.names))];
        if (patternIn(query) !== null) {
            const { matches } = await new Matching(names).find(query);

            return names.filter((_, at) => matches?.[at] === 1);
        }

        return names.map((name) => ({ name, points: score(name, query) }))
            .filter(({ points }) => points > 0)
            .sort((a, b) => b.points - a.points || a.name.length - b.name.length)
            .map(({ name }) => name);
    }

    /**
     * @param {string} name
     * @param {URLSearchParams} config
     * @param {AbortSignal} signal
     * @returns {Promise<import('../core/inspector.js').SymbolData>} of the run, as it is drawn
     */
    symbol(name, config, signal) {
        return loadJson(`${this.#url}&${config}&symbol=${encodeURIComponent(name)}`, { signal });
    }

    /**
     * @param {Spec} spec
     * @returns {Promise<Laid>} rejects with an error named AbortError where another one was asked for, or cancel() was called; else
     *     with one whose message is a sentence for the reader
     */
    async layOut(spec) {
        if (this.#layout?.isBusy) {
            this.#stop();
        }
        this.#layout ??= new WorkerClient(new Worker(new URL('./layout-worker.js', import.meta.url), { type: 'module' }));

        const worker = this.#layout;
        try {
            return await worker.call('layOut', { spec });
        } catch (error) {
            // Graphviz may be out of memory: the next layout gets a new one.
            if (worker === this.#layout) {
                this.#stop();
            }
            throw error;
        }
    }

    cancel() {
        this.#asking?.abort();
        this.#stop();
    }

    /** Graphviz cannot be interrupted otherwise. */
    #stop() {
        this.#layout?.stop();
        this.#layout = null;
    }
}
