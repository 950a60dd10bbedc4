/** Searches names off the page's thread: see Matching. */
import { matchNames } from './search.js';

addEventListener('message', ({ data: { names, text } }) => postMessage(matchNames(names, text)));
