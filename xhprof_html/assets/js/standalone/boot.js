/**
 * Starts the file that a run is exported to (XHProf\Export\Html): makes modules of the sources in it, imported ones first. It is
 * not a module itself: the file contains it unchanged, and the file's policy allows it by its hash.
 *
 * A worker of a page opened from a disk cannot be a module and cannot load the page's URLs: it gets the sources as text, makes
 * modules of them itself, and has the run file that it asks for in its script.
 */
(() => {
    /**
     * @typedef {[path: string, source: string][]} Modules
     * @typedef {{ text: string, isPacked: boolean }} Embedded
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
     * Unpacks embedded data. It is part of the worker's script too.
     *
     * @param {Embedded} data
     * @returns {Promise<ArrayBuffer>}
     */
    function unpack({ text, isPacked }) {
        const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
        const stream = new Blob([bytes]).stream();

        return new Response(isPacked ? stream.pipeThrough(new DecompressionStream('gzip')) : stream).arrayBuffer();
    }

    /**
     * Starts a worker, as its script: calls that come before its modules are loaded wait.
     *
     * @param {Record<string, string>} urls
     * @param {string} entry
     * @param {Embedded} data a run file, the answer to its requests
     */
    function work(urls, entry, data) {
        /** @type {unknown[]} */
        const early = [];
        const hold = (/** @type {Event} */ event) => early.push(/** @type {MessageEvent} */ (event).data);
        addEventListener('message', hold);
        const api = urls['core/api.js'];
        // A worker that loads nothing needs no answers.
        (api === undefined ? Promise.resolve() : Promise.all([import(api), unpack(data)])
            .then(([module, run]) => module.answerLocally(() => run)))
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
        /**
         * @param {string} id
         * @returns {Embedded}
         */
        const embedded = (id) => {
            const element = document.getElementById(id);

            return { text: element?.textContent ?? '', isPacked: element?.dataset.packed !== undefined };
        };
        const file = {
            /** @returns {Promise<string>} what the file has of the run as JSON */
            async json() {
                const data = embedded('xhprof-run');

                return data.isPacked ? new TextDecoder().decode(await unpack(data)) : data.text;
            },
            /**
             * @param {string} path of the worker's module
             * @returns {string} URL of a script
             */
            worker(path) {
                const needed = modules.filter(([name]) => workers[path]?.includes(name));
                const data = needed.some(([name]) => name === 'core/api.js') ? embedded('xhprof-columns') : null;
                const parts = [link, `work(link(${JSON.stringify(needed)}), ${JSON.stringify(path)}, ${JSON.stringify(data)});`, work, unpack];

                return URL.createObjectURL(new Blob([parts.join('\n')], { type: 'text/javascript' }));
            },
        };
        Object.assign(globalThis, { xhprofFile: file });
        import(link(modules)[entry] ?? '').catch(fail);
    } catch (reason) {
        fail(reason);
    }
})();
