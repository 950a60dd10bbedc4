/** Asks the worker, one answer per question. */

/** @typedef {import('./jobs.js').Jobs} Jobs */

export class Engine {
    #worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    #last = 0;
    /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void, progress?: Function}>} */
    #waiting = new Map();

    constructor() {
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
        this.#worker.addEventListener('error', () => {
            for (const { reject } of this.#waiting.values()) {
                reject(new Error('The part of this page that computes has failed; there may be too little memory for this run.'));
            }
            this.#waiting.clear();
        });
    }

    /**
     * @template {'open' | 'picture' | 'functions' | 'sandwich' | 'openPair' | 'diffPicture' | 'openSamples' | 'range'} Job
     * @param {Job} job
     * @param {Parameters<Jobs[Job]>[0]} input
     * @param {(text: string, part?: number, whole?: number) => void} [progress]
     * @returns {Promise<Awaited<ReturnType<Jobs[Job]>>>}
     */
    ask(job, input, progress) {
        const id = ++this.#last;

        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject, progress });
            const absolute = Object.fromEntries(Object.entries(input).map(([key, value]) => [
                key, ['url', 'a', 'b'].includes(key) && typeof value === 'string' ? new URL(value, document.baseURI).href : value,
            ]));
            this.#worker.postMessage({ id, job, input: absolute });
        });
    }
}
