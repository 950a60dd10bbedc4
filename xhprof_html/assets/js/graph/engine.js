/** The two workers of the call graph: one knows the run and chooses, one lays out. Each answers the latest question only. */

/**
 * @typedef {import('./data-worker.js').Wish} Wish
 * @typedef {import('./select.js').Graph} Graph
 * @typedef {import('./geometry.js').Spec} Spec
 * @typedef {import('./geometry.js').Layout} Layout
 * @typedef {{ graph: Graph, found: boolean, metrics: { k: string, unit: import('../core/format.js').Unit, label: string }[], metric: string, canHide: boolean, hashes: Record<string, string> }} Choice
 * @typedef {{ layout: Layout, milliseconds: number, isPlain: boolean }} Laid
 */

/** A worker that is asked one thing at a time. */
class Line {
    /** @type {Worker | undefined} */
    #worker;
    #last = 0;
    /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
    #waiting = new Map();
    /** @type {() => Worker} */
    #start;

    /** @param {() => Worker} start */
    constructor(start) {
        this.#start = start;
    }

    /**
     * @param {object} question
     * @returns {Promise<any>} rejects with an Error for the reader, or one named AbortError when stop() was called
     */
    ask(question) {
        const id = ++this.#last;
        this.#worker ??= this.#listen(this.#start());
        const worker = this.#worker;

        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject });
            worker.postMessage({ id, ...question });
        });
    }

    get isBusy() {
        return this.#waiting.size > 0;
    }

    /** Ends what it does; the next question starts it anew. */
    stop() {
        this.#worker?.terminate();
        this.#worker = undefined;
        for (const { reject } of this.#waiting.values()) {
            reject(new DOMException('Stopped', 'AbortError'));
        }
        this.#waiting.clear();
    }

    /**
     * @param {Worker} worker
     * @returns {Worker}
     */
    #listen(worker) {
        worker.onmessage = ({ data }) => {
            const { resolve, reject } = this.#waiting.get(data.id) ?? {};
            this.#waiting.delete(data.id);
            if (data.error === undefined) {
                resolve?.(data);
            } else {
                reject?.(new Error(data.error));
            }
        };
        worker.onerror = () => {
            for (const { reject } of this.#waiting.values()) {
                reject(new Error('A part of this page could not be loaded.'));
            }
            this.#waiting.clear();
        };

        return worker;
    }
}

export class Engine {
    #data = new Line(() => new Worker(new URL('./data-worker.js', import.meta.url), { type: 'module' }));
    #layout = new Line(() => new Worker(new URL('./layout-worker.js', import.meta.url), { type: 'module' }));
    #urls;
    #useGraphviz;

    /**
     * @param {string[]} urls of get=edges: the run, or before and after
     * @param {boolean} useGraphviz whether its files are there
     */
    constructor(urls, useGraphviz) {
        // Relative ones would be the worker's.
        this.#urls = urls.map((url) => new URL(url, document.baseURI).href);
        this.#useGraphviz = useGraphviz;
    }

    /**
     * @param {Wish} wish
     * @returns {Promise<Choice>}
     */
    choose(wish) {
        return this.#data.ask({ urls: this.#urls, wish });
    }

    /**
     * @param {string} query
     * @returns {Promise<string[]>}
     */
    async find(query) {
        return (await this.#data.ask({ urls: this.#urls, query })).names;
    }

    /**
     * @param {string} name
     * @param {Wish} wish
     * @returns {Promise<import('../core/inspector.js').SymbolData>} of the run, as it is drawn
     */
    async symbol(name, wish) {
        return (await this.#data.ask({ urls: this.#urls, wish, name })).symbol;
    }

    /**
     * @param {Spec} spec
     * @returns {Promise<Laid>}
     */
    layOut(spec) {
        // The last one is not wanted any more: Graphviz cannot be interrupted otherwise.
        if (this.#layout.isBusy) {
            this.#layout.stop();
        }

        return this.#layout.ask({ spec, useGraphviz: this.#useGraphviz });
    }

    cancel() {
        this.#layout.stop();
    }
}
