/**
 * The page of the file that a run is exported to: its views without a server. The modules of the views are those of the pages;
 * the file itself answers their requests to api.php.
 */
import { inspector } from '../core/inspector.js';
import { valueIn } from '../core/state.js';
import { answerOf, startFile } from '../standalone/frame.js';
import { Run } from '../standalone/run.js';

/** Modules of the views; each starts on the elements marked for it. */
const VIEWS = /** @type {Record<string, () => Promise<unknown>>} */ ({
    functions: () => import('./functions.js'),
    calltree: () => import('./calltree.js'),
    flame: () => import('./flame.js'),
    sandwich: () => import('./sandwich.js'),
    timeline: () => Promise.all([import('./timeline.js'), import('./samples.js')]),
});

/** @type {Promise<Run> | null} */
let run = null;

/**
 * @param {string} name of a function
 * @returns {Promise<any>} as get=symbol answers
 */
async function symbol(name) {
    const functions = document.querySelector('[data-functions]')?.getAttribute('data-functions') ?? '';
    run ??= Promise.all([answerOf(functions), answerOf('api.php?get=calls')]).then(([rows, calls]) => {
        if (rows === null || calls === null) {
            throw new Error('Callers and callees are not in this file.');
        }

        return new Run(rows, calls);
    });
    const links = document.querySelector('[data-view=sandwich]') === null ? {} : { 'Sandwich': `?view=sandwich&sel=${encodeURIComponent(name)}` };

    return { ...(await run).symbol(name), links };
}

startFile(VIEWS, (address) => (valueIn(address.replace(/^[^?]*/, ''), 'get') === 'symbol' ? symbol(valueIn(address.replace(/^[^?]*/, ''), 'symbol')) : null));
const results = document.querySelector('[data-pane=functions] [data-functions]');
if (results !== null) {
    const aside = document.createElement('aside');
    aside.className = 'inspector';
    aside.setAttribute('aria-label', 'Selected function');
    aside.dataset.inspector = '';
    results.after(aside);
    results.parentElement?.classList.add('with-inspector');
    inspector(aside, symbol);
}
