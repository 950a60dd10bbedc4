/** The page of the file that a comparison is exported to: its views without a server. */
import { startFile } from '../standalone/frame.js';

/** Modules of the views; each starts on the elements marked for it. */
const VIEWS = /** @type {Record<string, () => Promise<unknown>>} */ ({
    functions: () => import('./compare.js'),
    flame: () => import('./flame-diff.js'),
    calltree: () => import('./calltree-diff.js'),
    sandwich: () => import('./sandwich-diff.js'),
});

startFile(VIEWS);
