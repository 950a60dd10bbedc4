/** The list of heap snapshots. */
import { pickers } from '../picker.js';

pickers(document);
