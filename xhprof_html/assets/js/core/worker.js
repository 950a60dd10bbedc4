/**
 * Calls between a page and its workers, in one protocol. The page calls a method of the worker's jobs with {id, job, input}. The worker
 * answers with {id, result} or {id, error}, and before that with {id, progress} as often as it likes. Columns of a result are
 * transferred. A worker that is stopped answers nothing more: its calls are rejected with an AbortError.
 */

/**
 * The page's end.
 *
 * @template J the class whose methods the worker's jobs are
 */
export class WorkerClient {
    #worker;
    #last = 0;
    /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void, progress?: Function}>} */
    #waiting = new Map();

    /** @param {Worker} worker */
    constructor(worker) {
        this.#worker = worker;
        this.#worker.addEventListener('message', ({ data }) => {
            const waiting = this.#waiting.get(data.id);
            if (data.progress !== undefined) {
                waiting?.progress?.(...data.progress);
                return;
            }
            this.#waiting.delete(data.id);
            if (data.error === undefined) {
                waiting?.resolve(data.result);
            } else {
                waiting?.reject(new Error(data.error));
            }
        });
        this.#worker.addEventListener('error', () => this.#reject(new Error('A part of this page has failed; there may be too little memory for this run.')));
    }

    get isBusy() {
        return this.#waiting.size > 0;
    }

    /** Ends the worker. */
    stop() {
        this.#worker.terminate();
        this.#reject(new DOMException('Stopped', 'AbortError'));
    }

    /** @param {Error} error */
    #reject(error) {
        for (const { reject } of this.#waiting.values()) {
            reject(error);
        }
        this.#waiting.clear();
    }

    /**
     * Calls a job.
     *
     * @template {keyof J} K
     * @param {K} job
     * @param {J[K] extends (input: infer I, ...rest: any[]) => any ? I : never} input
     * @param {(text: string, part?: number, whole?: number) => void} [progress]
     * @returns {Promise<J[K] extends (...all: any[]) => infer R ? Awaited<R> : never>}
     */
    call(job, input, progress) {
        const id = ++this.#last;

        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject, progress });
            this.#worker.postMessage({ id, job, input });
        });
    }
}

/**
 * Resolves a page's URL for a worker, which would resolve it against its own module.
 *
 * @param {string} [url]
 * @returns {string} '' for none
 */
export function absolute(url = '') {
    return url === '' ? '' : new URL(url, document.baseURI).href;
}

/**
 * The worker's end: does the jobs that the page calls.
 *
 * @param {any} jobs an object whose methods they are; its kept() lists the columns that it needs again, all unless it has this method
 */
export function serve(jobs) {
    addEventListener('message', async (/** @type {MessageEvent} */ { data: { id, job, input } }) => {
        const progress = (/** @type {any[]} */ ...parts) => postMessage({ id, progress: parts });
        try {
            const { copy, transfer } = forTransfer(await jobs[job](input, progress), jobs.kept && new Set(jobs.kept()));
            postMessage({ id, result: copy }, { transfer });
        } catch (error) {
            postMessage({ id, error: error instanceof Error ? error.message : String(error) });
        }
    });
}

/**
 * Prepares a result for the page: its columns move there, those that the jobs keep are copied.
 *
 * @param {any} result
 * @param {Set<ArrayBufferView>} [kept]
 * @returns {{copy: any, transfer: Transferable[]}}
 */
function forTransfer(result, kept) {
    /** @type {Map<ArrayBufferView, ArrayBufferView>} */
    const copies = new Map();
    /** @type {(value: any) => any} */
    const copyOf = (value) => {
        if (ArrayBuffer.isView(value)) {
            const moves = kept?.has(value) === false && value.byteLength === value.buffer.byteLength;
            const copy = copies.get(value) ?? (moves ? value : /** @type {any} */ (value).slice());
            copies.set(value, copy);

            return copy;
        }
        if (value === null || typeof value !== 'object') {
            return value;
        }
        if (Array.isArray(value)) {
            return typeof value[0] === 'object' ? value.map(copyOf) : value;
        }

        return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyOf(part)]));
    };
    const copy = copyOf(result);

    return { copy, transfer: [...copies.values()].map((column) => column.buffer) };
}
