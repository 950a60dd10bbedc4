/** Data of the server, and the notice shown while it loads. */
import { h } from './dom.js';

/** @type {Map<string, Promise<any>>} */
const shared = new Map();

/** @type {(url: string) => any} */
let answer = () => null;

/**
 * For a page without a server, like the file that a run is exported to: answers requests from data in the page.
 *
 * @param {(url: string) => any} answers as api.php would; null for a request that goes to the server
 */
export function answerLocally(answers) {
    answer = answers;
}

/**
 * @param {string} url of api.php
 * @param {{ signal?: AbortSignal, onProgress?: (received: number, total: number) => void }} [options] bytes before compression;
 *     total is 0 where the server does not know it
 * @returns {Promise<any>} rejects with an Error whose message is a sentence for the reader, or with an AbortError
 */
export async function loadJson(url, { signal, onProgress } = {}) {
    const here = answer(url);
    if (here !== null) {
        return here;
    }
    /** @type {Response} */
    let response;
    try {
        response = await fetch(url, { signal: signal ?? null, headers: { Accept: 'application/json' } });
    } catch (error) {
        throw signal?.aborted ? error : new Error('The server does not answer.');
    }
    const text = onProgress === undefined || response.body === null ? await response.text() : await read(response, onProgress);
    let data;
    try {
        data = JSON.parse(text);
    } catch {
        throw new Error(response.ok ? 'The response of the server is damaged.' : `The server failed (status ${response.status}).`);
    }
    if (!response.ok || data === null || typeof data !== 'object' || data.error !== undefined) {
        throw Object.assign(new Error(String(data?.error?.message ?? `The server failed (status ${response.status}).`)), {
            code: String(data?.error?.code ?? ''),
            status: response.status,
        });
    }

    return data;
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
 * @param {Response} response
 * @param {(received: number, total: number) => void} onProgress
 * @returns {Promise<string>}
 */
async function read(response, onProgress) {
    const total = Number(response.headers.get('X-XHProf-Bytes') ?? 0);
    const decoder = new TextDecoder();
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    /** @type {string[]} */
    const parts = [];
    let received = 0;
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
        received += step.value.byteLength;
        parts.push(decoder.decode(step.value, { stream: true }));
        onProgress(received, total);
    }
    parts.push(decoder.decode());

    return parts.join('');
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
        const button = h('button', { type: 'button' }, 'Cancel');
        button.addEventListener('click', cancel);
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
