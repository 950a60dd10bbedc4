/** The page of a route's trend: cells of the picture can be chosen. */
import { latencyMap } from '../trend/latency-map.js';

for (const figure of document.querySelectorAll('[data-latency-map]')) {
    if (figure instanceof HTMLElement) {
        latencyMap(figure, JSON.parse(figure.dataset.latencyMap ?? '{}'));
    }
}
