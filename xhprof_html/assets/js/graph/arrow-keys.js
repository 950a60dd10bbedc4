/** Finds the function that an arrow key leads to in a call graph. No DOM. */
import { HEIGHT, WIDTH } from './boxes.js';

/**
 * @param {string} key of an arrow
 * @param {number} at the function to go from
 * @param {{ edges: { from: number, to: number }[], positions: import('./geometry.js').Point[], isAcross: boolean }} graph the edges
 *     from the heaviest to the lightest; whether calls lead to the right, not down
 * @returns {number | undefined} the function at the heaviest call in that direction, or the next box of the same rank
 */
export function nodeInDirection(key, at, { edges, positions, isAcross }) {
    const [ahead, back] = isAcross ? ['ArrowRight', 'ArrowLeft'] : ['ArrowDown', 'ArrowUp'];
    if (key === ahead) {
        return edges.find((edge) => edge.from === at)?.to;
    }
    if (key === back) {
        return edges.find((edge) => edge.to === at)?.from;
    }
    const [along, across] = isAcross ? /** @type {const} */ (['y', 'x']) : /** @type {const} */ (['x', 'y']);
    const side = key === 'ArrowDown' || key === 'ArrowRight' ? 1 : -1;
    const origin = positions[at] ?? { x: 0, y: 0 };
    let best;
    let least = Infinity;
    positions.forEach((position, other) => {
        const distance = (position[along] - origin[along]) * side;
        if (distance > 1 && distance < least && Math.abs(position[across] - origin[across]) < (isAcross ? WIDTH : HEIGHT)) {
            best = other;
            least = distance;
        }
    });

    return best;
}
