/** The page of the file that a heap snapshot is exported to: its views without a server. */
import { startFile } from '../standalone/frame.js';

/** Its module starts on the elements of all views that it finds. */
const load = () => import('./heap.js');

startFile({ overview: load, tree: load, classes: load });
