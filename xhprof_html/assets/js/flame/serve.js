/**
 * Does jobs off the page's thread: answers each {id, job, input} with {id, result} or {id, error}; meanwhile {id, progress}.
 *
 * @param {any} jobs an object whose methods they are
 */
export function serve(jobs) {
    addEventListener('message', async (/** @type {MessageEvent} */ { data: { id, job, input } }) => {
        const progress = (/** @type {any[]} */ ...parts) => postMessage({ id, progress: parts });
        try {
            const { copy, transfer } = copyForTransfer(await jobs[job](input, progress));
            postMessage({ id, result: copy }, { transfer });
        } catch (error) {
            postMessage({ id, error: error instanceof Error ? error.message : String(error) });
        }
    });
}

/**
 * Copies the columns of an answer, so that they can be transferred to the page without another copy; the trees keep the
 * originals.
 *
 * @param {any} answer
 * @returns {{copy: any, transfer: Transferable[]}}
 */
function copyForTransfer(answer) {
    /** @type {Map<ArrayBufferView, ArrayBufferView>} */
    const copies = new Map();
    /** @type {(value: any) => any} */
    const copyOf = (value) => {
        if (ArrayBuffer.isView(value)) {
            const copy = copies.get(value) ?? /** @type {any} */ (value).slice();
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
