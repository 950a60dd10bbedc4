/** The page of a route's trend: cells of the picture can be chosen. */
import { latencyMap } from '../trend/latency-map.js';

for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-latency-map]'))) {
    latencyMap(figure, JSON.parse(figure.dataset.latencyMap ?? '{}'));
}
