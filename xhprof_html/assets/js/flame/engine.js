/** Inputs that are URLs, relative to the page; a worker would read them from where its own module is. */
const URLS = ['url', 'a', 'b', 'names'];

/**
 * Asks a worker (serve.js), one answer per question.
 *
 * @template J the class whose methods its jobs are
 */
export class Engine {
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

    /** Ends the worker; its questions are rejected with an AbortError. */
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
     * @template {keyof J} K
     * @param {K} job
     * @param {J[K] extends (input: infer I, ...rest: any[]) => any ? I : never} input
     * @param {(text: string, part?: number, whole?: number) => void} [progress]
     * @returns {Promise<J[K] extends (...all: any[]) => infer R ? Awaited<R> : never>}
     */
    ask(job, input, progress) {
        const id = ++this.#last;

        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject, progress });
            const absolute = Object.fromEntries(Object.entries(/** @type {object} */ (input)).map(([key, value]) => [
                key, URLS.includes(key) && typeof value === 'string' && value !== '' ? new URL(value, document.baseURI).href : value,
            ]));
            this.#worker.postMessage({ id, job, input: absolute });
        });
    }
}
