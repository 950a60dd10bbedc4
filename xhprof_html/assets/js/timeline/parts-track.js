/** The track of where the time was: how each moment in sight is divided among the parts, and a legend of the part in sight. */
import { h } from '../core/dom.js';
import { partsLegend } from '../flame/colours.js';
import { showLegend } from '../paths/controls.js';

/**
 * @typedef {import('../profile/time-parts.js').Part} Part
 *
 * @typedef {{from: number, to: number, count: number, sums: Float64Array}} Buckets as of RangeJobs.parts()
 */

/** CSS pixels of a bucket. */
const WIDTH = 2;

export class PartsTrack {
    /** Of the whole run, and of the part in sight. @type {Buckets[]} */
    #known = [];
    #asked = 0;

    /**
     * @param {import('./tracks.js').Tracks} tracks
     * @param {Pick<import('./page.js').Kind, 'parts' | 'noun'>} kind
     * @param {Part[]} parts
     */
    constructor(tracks, kind, parts) {
        this.tracks = tracks;
        this.kind = kind;
        this.parts = parts;
        this.legend = h('p', { class: 'flame-legend' });
    }

    /** @param {{from: number, to: number}} range */
    async load({ from, to }) {
        const asked = ++this.#asked;
        const count = Math.max(1, Math.ceil(this.tracks.view.scroller.clientWidth / WIDTH));
        const sums = await this.kind.parts({ from, to, count });
        if (asked === this.#asked) {
            this.#known = [...this.#known.slice(0, 1), { from, to, count, sums }];
            this.tracks.showParts(this.parts.map(({ key }) => `--time-${key}`), this.#known);
            this.#describe(sums);
        }
    }

    /** @param {Float64Array} sums */
    #describe(sums) {
        const totals = this.parts.map((_, part) => {
            let sum = 0;
            for (let at = part; at < sums.length; at += this.parts.length) {
                sum += sums[at];
            }

            return sum;
        });
        showLegend(this.legend, { title: 'Where the time in sight was', legend: partsLegend(this.parts, totals) }, this.kind.noun[0] === 'call' ? 'An estimate within a call path: each of its calls is split as all of them together' : 'By samples');
    }
}
