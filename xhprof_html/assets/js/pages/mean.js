/** The page of several runs. */
import { sortInPlace } from '../table/sort-in-place.js';

sortInPlace();
