/** Colours of changes and their legend. flame.css defines the colours, light and dark. */
import { figure, labelInSentence, share } from '../core/format.js';
import { FIRST, SPECIALS } from '../flame/colours.js';
import { changeOf } from '../profile/diff.js';

/** Shares of the scale from which a change is one step darker, on either side. */
const CHANGES = [0.03, 0.15, 0.4, 0.8];

/**
 * Colours frames by their change, symmetric around zero.
 *
 * @param {import('./diff-jobs.js').DiffLayout} layout
 * @param {import('../profile/tree.js').Metric} metric
 * @param {'own' | 'incl'} by
 * @param {{ of_a: string, of_b: string }} [sides] words for them
 * @param {string} [machine] words for changes that are the machine's
 * @returns {import('../flame/colours.js').Colouring}
 */
export function byChange(layout, metric, by, sides = { of_a: 'the run before', of_b: 'the run after' }, machine = '') {
    const { unit } = metric;
    const less = [4, 3, 2, 1].map((step) => `--less-${step}`);
    const more = [1, 2, 3, 4].map((step) => `--more-${step}`);
    const variables = [...SPECIALS, ...less, '--same', ...more, '--machine', '--frame-gone'];
    const same = FIRST + less.length;
    const gone = variables.length - 1;
    const { only, scale, totals } = layout;
    const change = changeOf(layout, by);
    const colour = new Uint8Array(only.length);
    for (let node = 0; node < colour.length; node++) {
        const part = scale === 0 ? 0 : Math.abs(change(node)) / scale;
        // A new frame has changed, however little it costs.
        let step = only[node] === 2 && part < CHANGES[0] ? 1 : 0;
        while (part >= CHANGES[step]) {
            step++;
        }
        colour[node] = only[node] === 1 ? gone : (layout.machine[node] === 1 ? gone - 1 : same + (change(node) < 0 ? -step : step));
    }
    // No change is larger than the larger side.
    const [whole, of] = totals.a >= totals.b ? [totals.a, sides.of_a] : [totals.b, sides.of_b];
    const end = `${figure(scale, unit)}${whole > 0 ? ` (${share(scale, whole)} of ${of})` : ''}`;

    return {
        colour,
        variables,
        gone,
        title: `${by === 'own' ? 'Change of self' : 'Change of total'} ${labelInSentence(metric)}`,
        legend: [
            { variable: less[0], text: `▼ ≤ -${end}` },
            { variable: less[2], text: 'less' },
            { variable: '--same', text: 'as before' },
            { variable: more[0], text: 'slightly more, or new' },
            { variable: more[2], text: 'more' },
            { variable: more[3], text: `▲ ≥ +${end}`, title: '99 of 100 changes are smaller' },
            ...(layout.machine.includes(1) ? [{ variable: '--machine', text: 'only wall time', title: machine }] : []),
            { variable: '--frame-gone', text: 'dashed: gone' },
        ],
    };
}
