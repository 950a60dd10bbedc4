/** A treemap's geometry: rectangles as square as they can be (Bruls, Huizing, van Wijk 2000). No DOM. */

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/**
 * @param {number[]} values largest first; those of 0 or less get no area
 * @param {Box} box to be filled
 * @returns {Box[]} one per value
 */
export function squarify(values, box) {
    /** @type {Box[]} */
    const boxes = values.map(() => ({ x: box.x, y: box.y, width: 0, height: 0 }));
    const sum = values.reduce((all, value) => all + Math.max(0, value), 0);
    if (!(sum > 0) || !(box.width > 0) || !(box.height > 0)) {
        return boxes;
    }
    const scale = box.width * box.height / sum;
    let { x, y, width, height } = box;
    let first = 0;
    while (first < values.length && width > 0 && height > 0) {
        const side = Math.min(width, height);
        let behind = first;
        let area = 0;
        let worst = Infinity;
        // A row takes values as long as its rectangles do not get longer.
        while (behind < values.length) {
            const next = Math.max(0, values[behind] ?? 0) * scale;
            const thick = (area + next) / side;
            const ratio = Math.max((values[first] ?? 0) * scale / (thick * thick), thick * thick / next);
            if (next <= 0 || ratio > worst) {
                break;
            }
            worst = ratio;
            area += next;
            behind++;
        }
        if (behind === first) {
            break;
        }
        const isColumn = height <= width;
        const thick = Math.min(area / side, isColumn ? width : height);
        let along = isColumn ? y : x;
        for (let i = first; i < behind; i++) {
            const long = area > 0 ? side * (values[i] ?? 0) * scale / area : 0;
            boxes[i] = isColumn ? { x, y: along, width: thick, height: long } : { x: along, y, width: long, height: thick };
            along += long;
        }
        if (isColumn) {
            x += thick;
            width -= thick;
        } else {
            y += thick;
            height -= thick;
        }
        first = behind;
    }

    return boxes;
}
