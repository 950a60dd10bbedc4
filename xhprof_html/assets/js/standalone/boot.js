/**
 * Starts a file that is sent (XHProf\Share\HtmlFile): makes modules of the sources in it, imported ones first. It is
 * not a module itself: the file contains it unchanged, and the file's policy allows it by its hash.
 *
 * A worker of a page opened from a disk cannot be a module and cannot load the page's URLs: it gets the sources as text, makes
 * modules of them itself, and has the answers to what it asks for in its script.
 */
(() => {
    /**
     * @typedef {[path: string, source: string][]} Modules
     * @typedef {{ text: string, isPacked: boolean, isJson: boolean }} Embedded
     */

    /**
     * Makes a URL of each module. It is part of the worker's script too, and so must not use anything from outside.
     *
     * @param {Modules} modules
     * @returns {Record<string, string>} URL by path
     */
    function link(modules) {
        /** @type {Record<string, string>} */
        const urls = {};
        for (const [path, source] of modules) {
            const linked = source.replace(/"@@([\w./-]+)@@"/g, (_, name) => JSON.stringify(urls[name] ?? ''));
            urls[path] = URL.createObjectURL(new Blob([linked], { type: 'text/javascript' }));
        }

        return urls;
    }

    /**
     * The name of an answer: the address without the server, and without what the file does not choose by. It is part of the
     * worker's script too.
     *
     * @param {string} address
     * @returns {string}
     */
    function keyOf(address) {
        return address.replace(/^.*\//, '').replace(/&(?:documents|version|timeline|corrected)=[^&]*/g, '');
    }

    /**
     * Unpacks an answer. It is part of the worker's script too.
     *
     * @param {Embedded} data
     * @returns {Promise<any>} of JSON, or the bytes of a run file
     */
    async function unpack({ text, isPacked, isJson }) {
        if (isJson && !isPacked) {
            return JSON.parse(text);
        }
        const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
        const stream = new Blob([bytes]).stream();
        const unpacked = new Response(isPacked ? stream.pipeThrough(new DecompressionStream('gzip')) : stream);

        return isJson ? unpacked.json() : unpacked.arrayBuffer();
    }

    /**
     * Starts a worker, as its script: calls that come before its modules are loaded wait.
     *
     * @param {Record<string, string>} urls
     * @param {string} entry
     * @param {Record<string, Embedded>} answers by their keys
     */
    function work(urls, entry, answers) {
        /** @type {unknown[]} */
        const early = [];
        const hold = (/** @type {Event} */ event) => early.push(/** @type {MessageEvent} */ (event).data);
        addEventListener('message', hold);
        const api = urls['core/api.js'];
        const find = (/** @type {string} */ address) => {
            const found = answers[keyOf(address)];

            return found === undefined ? null : unpack(found);
        };
        // A worker that loads nothing needs no answers.
        (api === undefined ? Promise.resolve() : import(api).then((module) => module.answerLocally(find)))
            .then(() => import(urls[entry] ?? ''))
            .then(() => {
                removeEventListener('message', hold);
                early.forEach((data) => dispatchEvent(new MessageEvent('message', { data })));
            });
    }

    /** @param {unknown} reason */
    const fail = (reason) => {
        const place = document.getElementById('problem');
        if (place !== null) {
            place.hidden = false;
            place.textContent = `The views of this file cannot be shown by this browser: ${reason instanceof Error ? reason.message : String(reason)}`;
        }
    };
    try {
        /** @type {{ modules: Modules, workers: Record<string, string[]>, entry: string }} */
        const { modules, workers, entry } = JSON.parse(document.getElementById('xhprof-modules')?.textContent ?? '');
        /** @type {Record<string, Embedded>} */
        const answers = {};
        for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('script[data-answer]'))) {
            answers[keyOf(element.dataset.answer ?? '')] = {
                text: element.textContent ?? '',
                isPacked: element.dataset.packed !== undefined,
                isJson: element.getAttribute('type') === 'application/json',
            };
        }
        const file = {
            /**
             * @param {string} address
             * @returns {Promise<any> | null} what the file has in the server's place
             */
            answer(address) {
                const found = answers[keyOf(address)];

                return found === undefined ? null : unpack(found);
            },
            /**
             * @param {string} path of the worker's module
             * @returns {string} URL of a script
             */
            worker(path) {
                const needed = modules.filter(([name]) => workers[path]?.includes(name));
                const asked = needed.some(([name]) => name === 'core/api.js') ? answers : {};
                const parts = [
                    link, keyOf, unpack, work, `work(link(${JSON.stringify(needed)}), ${JSON.stringify(path)}, ${JSON.stringify(asked)});`,
                ];

                return URL.createObjectURL(new Blob([parts.join('\n')], { type: 'text/javascript' }));
            },
        };
        Object.assign(globalThis, { xhprofFile: file });
        import(link(modules)[entry] ?? '').catch(fail);
    } catch (reason) {
        fail(reason);
    }
})();
