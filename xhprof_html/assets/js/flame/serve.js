import { messageOf } from '../core/api.js';

/**
 * Does jobs off the page's thread: answers each {id, job, input} with {id, result} or {id, error}; meanwhile {id, progress}.
 *
 * @param {any} jobs an object whose methods they are; kept() says which columns it needs again, all unless there is this method
 */
export function serve(jobs) {
    addEventListener('message', async (/** @type {MessageEvent} */ { data: { id, job, input } }) => {
        const progress = (/** @type {any[]} */ ...parts) => postMessage({ id, progress: parts });
        try {
            const { copy, transfer } = forTransfer(await jobs[job](input, progress), jobs.kept && new Set(jobs.kept()));
            postMessage({ id, result: copy }, { transfer });
        } catch (error) {
            postMessage({ id, error: messageOf(error) });
        }
    });
}

/**
 * The columns of an answer move to the page. Of those that the jobs keep, copies do.
 *
 * @param {any} answer
 * @param {Set<ArrayBufferView>} [kept]
 * @returns {{copy: any, transfer: Transferable[]}}
 */
function forTransfer(answer, kept) {
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
    const copy = copyOf(answer);

    return { copy, transfer: [...copies.values()].map((column) => column.buffer) };
}
