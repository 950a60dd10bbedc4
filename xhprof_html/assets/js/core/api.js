/** Data of the server, and the notice shown while it loads. */
import { buttonFor, h } from './dom.js';

/** @type {Map<string, Promise<any>>} */
const shared = new Map();

/** @type {(url: string) => any} */
let answer = () => null;

/**
 * Answers requests from data in the page, for a page without a server like the file that a run is exported to.
 *
 * @param {(url: string) => any} answers as api.php would, decoded, or the bytes of a run file; null for a request that goes to the server
 */
export function answerLocally(answers) {
    answer = answers;
}

/**
 * @typedef {{ signal?: AbortSignal, onProgress?: (received: number, total: number) => void }} Options bytes before compression; total
 *     is 0 where the server does not know it
 */

/**
 * @param {string} url of api.php
 * @param {Options} [options]
 * @returns {Promise<any>} rejects with an Error whose message is a sentence for the reader, or with an AbortError
 */
export async function loadJson(url, options) {
    const here = answer(url);
    if (here !== null) {
        return here;
    }
    const { response, body } = await fetched(url, 'application/json', options);
    const data = decoded(body);
    if (response.ok && data === undefined) {
        throw new Error('The response of the server is damaged.');
    }
    if (!response.ok || data === null || typeof data !== 'object' || data.error !== undefined) {
        throw failure(response, data);
    }

    return data;
}

/**
 * @param {string} url of api.php
 * @param {Options} [options]
 * @returns {Promise<ArrayBuffer>} a run file; rejects as loadJson() does
 */
export async function loadBytes(url, options) {
    const here = answer(url);
    if (here !== null) {
        return here;
    }
    const { response, body } = await fetched(url, 'application/octet-stream', options);
    if (!response.ok) {
        throw failure(response, decoded(body));
    }

    return body;
}

/**
 * The same, but each URL is requested once per page.
 *
 * @param {string} url
 * @returns {Promise<any>}
 */
export function loadShared(url) {
    let promise = shared.get(url);
    if (promise === undefined) {
        promise = loadJson(url);
        shared.set(url, promise);
        promise.catch(() => shared.delete(url));
    }

    return promise;
}

/**
 * A part of another page.
 *
 * @param {string} address
 * @param {string} selector
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ page: Document, part: Element }>} rejects on failure: an ordinary load of the page shows why
 */
export async function loadPart(address, selector, signal) {
    const response = await fetch(address, { signal: signal ?? null, headers: { Accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const part = page.querySelector(selector);
    if (!response.ok || part === null) {
        throw new Error(`The server failed (status ${response.status}).`);
    }

    return { page, part };
}

/**
 * @param {string} url
 * @param {string} type that is wanted; errors are JSON
 * @param {Options} [options]
 * @returns {Promise<{ response: Response, body: ArrayBuffer }>}
 */
async function fetched(url, type, { signal, onProgress } = {}) {
    /** @type {Response} */
    let response;
    try {
        response = await fetch(url, { signal: signal ?? null, headers: { Accept: `${type}, application/json` } });
    } catch (error) {
        throw signal?.aborted ? error : new Error('The server does not answer.');
    }
    if (onProgress === undefined || response.body === null) {
        return { response, body: await response.arrayBuffer() };
    }
    const total = Number(response.headers.get('X-XHProf-Bytes') ?? 0);
    const reader = response.body.getReader();
    const parts = [];
    let received = 0;
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
        received += step.value.byteLength;
        parts.push(step.value);
        onProgress(received, total);
    }

    return { response, body: await new Blob(parts).arrayBuffer() };
}

/**
 * @param {ArrayBuffer} body
 * @returns {any} undefined for what is no JSON
 */
function decoded(body) {
    try {
        return JSON.parse(new TextDecoder().decode(body));
    } catch {
        return undefined;
    }
}

/**
 * @param {Response} response
 * @param {any} data
 * @returns {Error}
 */
function failure(response, data) {
    return Object.assign(new Error(String(data?.error?.message ?? `The server failed (status ${response.status}).`)), {
        code: String(data?.error?.code ?? ''),
        status: response.status,
    });
}

/**
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
    return error instanceof Error ? error.message : String(error);
}

/**
 * Does slow work and shows that in an element, as busy() does.
 *
 * @param {HTMLElement} element
 * @param {string} text
 * @param {(progress: (text: string, part?: number, whole?: number) => void) => Promise<void>} work
 * @param {(message: string) => void} [fail] shows why it has failed; the element does unless given
 * @returns {Promise<boolean>} whether it was done
 */
export async function working(element, text, work, fail) {
    const wait = busy(element, text);
    try {
        await work((words, part = 0, whole = 0) => {
            wait.setText(words);
            wait.progress(part, whole);
        });
    } catch (error) {
        wait.done();
        (fail ?? wait.fail)(messageOf(error));

        return false;
    }
    wait.done();

    return true;
}

/**
 * Shows in an element that something is loading; appears only when that takes more than a blink.
 *
 * @param {HTMLElement} element whose position is not static
 * @param {string} text "Loading the call tree…"
 * @param {() => void} [cancel] for work that can be cancelled: called by a button
 * @returns {{ progress: (part: number, whole: number) => void, setText: (text: string) => void, done: () => void, fail: (message: string) => void }}
 *     `fail` leaves the message in its place
 */
export function busy(element, text, cancel) {
    const label = h('span', {}, text);
    const meter = h('progress', { max: 1, 'aria-label': text });
    const box = h('div', { class: 'busy', role: 'status' }, label, meter);
    if (cancel !== undefined) {
        const button = buttonFor(cancel, {}, 'Cancel');
        box.append(button);
    }
    element.setAttribute('aria-busy', 'true');
    const timer = setTimeout(() => element.append(box), 120);
    const end = () => {
        clearTimeout(timer);
        box.remove();
        element.removeAttribute('aria-busy');
    };

    return {
        progress(part, whole) {
            if (whole > 0) {
                meter.value = part / whole;
            } else {
                // It does not know its end, or is at another piece of work.
                meter.removeAttribute('value');
            }
        },
        setText(words) {
            label.textContent = words;
        },
        done: end,
        fail(message) {
            end();
            element.append(h('p', { class: 'warning failed', role: 'alert' }, message));
        },
    };
}
