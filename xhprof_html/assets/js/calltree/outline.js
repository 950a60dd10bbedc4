/**
 * The rows of a call tree that are to be seen: which are open, in which order, what a search keeps. Any number of them: a
 * million rows are a column of numbers. Pure.
 */

import { longer } from '../profile/merge.js';

/**
 * @typedef {import('./sources.js').Source} Source
 * @typedef {import('./sources.js').TopDown | import('./sources.js').BottomUp} AnySource
 * @typedef {(a: number, b: number) => number} Compare two rows of one parent
 */

export class Outline {
    /** Rows in sight, top to bottom; the first `count` count. @type {Int32Array} */
    rows = new Int32Array(64);
    count = 0;
    /** Per row whether its kids show. @type {Uint8Array} */
    #open = new Uint8Array(1024);
    /** @type {Uint8Array | null} what was open before the search */
    #before = null;
    /** @type {Uint8Array | null} per row whether the search keeps it; rows behind its end are kept */
    #kept = null;

    /**
     * @param {AnySource} source
     * @param {Compare} compare
     */
    constructor(source, compare) {
        this.source = source;
        this.compare = compare;
        this.#arrange();
    }

    /** @param {Compare} compare the new order; what is open stays so */
    sort(compare) {
        this.compare = compare;
        this.#arrange();
    }

    /**
     * Keeps rows that match, with those above them, which are opened, and below them. Without a search all is open that was
     * before it.
     *
     * @param {Uint8Array | null} matches per function
     */
    filter(matches) {
        if (matches === null) {
            this.#open = this.#before ?? this.#open;
            this.#before = null;
            this.#kept = null;
        } else {
            const { kept, open } = this.source.found(matches);
            this.#before ??= this.#open;
            this.#kept = kept;
            this.#open = open ?? this.#before.slice();
        }
        this.#arrange();
    }

    /**
     * @param {number} row
     * @returns {boolean}
     */
    isOpen(row) {
        return row < this.#open.length && this.#open[row] === 1;
    }

    /** @param {number} index of the row in sight whose kids are to show */
    open(index) {
        const row = this.rows[index];
        if (index < 0 || index >= this.count || this.isOpen(row)) {
            return;
        }
        this.#setOpen(row, 1);
        this.#splice(index + 1, 0, this.#below(row));
    }

    /** @param {number} index of the row in sight whose kids are to go */
    close(index) {
        const row = this.rows[index];
        if (index < 0 || index >= this.count || !this.isOpen(row)) {
            return;
        }
        const behind = this.#behind(index);
        this.#setOpen(row, 0);
        this.#splice(index + 1, behind - index - 1, new Int32Array(0));
    }

    /**
     * Opens a row and all below it; of callers, which are made as they are opened, one level
     * more than is open.
     *
     * @param {number} index
     */
    openAll(index) {
        const behind = this.#behind(index);
        const root = this.rows[index];
        for (const row of this.#all(root)) {
            this.#setOpen(row, 1);
        }
        this.#splice(index + 1, behind - index - 1, this.#below(root));
    }

    /**
     * Goes on with what was open in another outline of the same tree.
     *
     * @param {Outline} before
     * @param {import('../profile/graft.js').Change} change of the tree since
     */
    goOn(before, { at, removed, added }) {
        const open = before.#before ?? before.#open;
        const end = Math.min(open.length, at + removed);
        this.#open = new Uint8Array(Math.max(this.#open.length, open.length - removed + added));
        this.#open.set(open.subarray(0, at));
        this.#open.set(open.subarray(end), at + added);
        this.#arrange();
    }

    /** Closes all. */
    closeAll() {
        this.#open.fill(0);
        this.#arrange();
    }

    /**
     * Opens the costliest row below each, from one on.
     *
     * @param {number} index
     * @returns {number} where its end is now in sight
     */
    hotPath(index) {
        const { source } = this;
        let row = this.rows[Math.max(0, index)];
        for (;;) {
            const kids = this.#kids(row);
            let hottest = -1;
            for (const kid of kids) {
                if (hottest < 0 || source.cost(kid) > source.cost(hottest)) {
                    hottest = kid;
                }
            }
            if (hottest < 0 || !source.continues(row, hottest)) {
                break;
            }
            this.#setOpen(row, 1);
            row = hottest;
        }
        this.#arrange();

        return this.indexOf(row);
    }

    /**
     * @param {number} row is brought in sight: all above it are opened
     * @returns {number} its index, -1 if the search hides it
     */
    reveal(row) {
        let isHidden = false;
        for (let at = this.source.parent(row); at >= 0; at = this.source.parent(at)) {
            isHidden ||= !this.isOpen(at);
            this.#setOpen(at, 1);
        }
        if (isHidden) {
            this.#arrange();
        }

        return this.indexOf(row);
    }

    /**
     * @param {number} row
     * @returns {number} -1 where it is not in sight
     */
    indexOf(row) {
        const index = this.rows.indexOf(row);

        return index < this.count ? index : -1;
    }

    /**
     * @param {number} index
     * @returns {number} index of the row that it is below, -1 for none
     */
    parentOf(index) {
        const parent = this.source.parent(this.rows[index] ?? 0);
        let at = index - 1;
        while (at >= 0 && this.rows[at] !== parent) {
            at--;
        }

        return parent < 0 ? -1 : at;
    }

    /**
     * @param {number} index
     * @param {-1 | 1} step
     * @param {(row: number) => boolean} wanted
     * @returns {number} index of the next row that is wanted, around the ends too; -1 for none
     */
    next(index, step, wanted) {
        for (let i = 1; i <= this.count; i++) {
            const at = (((index + step * i) % this.count) + this.count) % this.count;
            if (wanted(this.rows[at])) {
                return at;
            }
        }

        return -1;
    }

    /** @returns {number} the deepest level in sight */
    deepest() {
        let deepest = 0;
        for (let index = 0; index < this.count; index++) {
            deepest = Math.max(deepest, this.source.level(this.rows[index]));
        }

        return deepest;
    }

    #arrange() {
        const roots = this.#sorted(this.source.roots);
        /** @type {Growing} */
        const rows = { values: new Int32Array(Math.max(64, this.count)), count: 0 };
        for (const root of roots) {
            push(rows, root);
            this.#collect(root, rows);
        }
        this.rows = rows.values;
        this.count = rows.count;
    }

    /**
     * @param {number} row
     * @returns {Int32Array} rows in sight below it
     */
    #below(row) {
        /** @type {Growing} */
        const rows = { values: new Int32Array(64), count: 0 };
        this.#collect(row, rows);

        return rows.values.subarray(0, rows.count);
    }

    /**
     * @param {number} root
     * @param {Growing} rows gets those in sight below it
     */
    #collect(root, rows) {
        /** @type {{kids: Int32Array, at: number}[]} */
        const stack = this.isOpen(root) ? [{ kids: this.#kids(root), at: 0 }] : [];
        while (stack.length > 0) {
            const top = stack[stack.length - 1];
            if (top.at === top.kids.length) {
                stack.pop();
                continue;
            }
            const row = top.kids[top.at++];
            push(rows, row);
            if (this.isOpen(row)) {
                stack.push({ kids: this.#kids(row), at: 0 });
            }
        }
    }

    /**
     * @param {number} root
     * @returns {Generator<number>} it, and the rows below it that are there to be opened
     */
    * #all(root) {
        const { source } = this;
        const waiting = [root];
        for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
            const hadKids = source.isWhole || this.isOpen(row);
            yield row;
            if (hadKids) {
                for (const kid of source.kids(row)) {
                    if (source.opens(kid)) {
                        waiting.push(kid);
                    }
                }
            }
        }
    }

    /** @param {number} row */
    #kids(row) {
        return this.#sorted(this.source.kids(row));
    }

    /** @param {Int32Array} rows of one parent */
    #sorted(rows) {
        const kept = this.#kept;
        const shown = kept === null ? rows : rows.filter((row) => row >= kept.length || kept[row] === 1);

        return shown.length > 1 ? (shown === rows ? rows.slice() : shown).sort(this.compare) : shown;
    }

    /**
     * @param {number} index
     * @returns {number} index of the first row behind it that is not below it
     */
    #behind(index) {
        const { source } = this;
        const level = source.level(this.rows[index]);
        let at = index + 1;
        while (at < this.count && source.level(this.rows[at]) > level) {
            at++;
        }

        return at;
    }

    /**
     * @param {number} at
     * @param {number} out rows that go
     * @param {Int32Array} come rows that come
     */
    #splice(at, out, come) {
        const count = this.count - out + come.length;
        if (count > this.rows.length) {
            this.rows = longer(this.rows, Math.max(count, 2 * this.rows.length));
        }
        this.rows.copyWithin(at + come.length, at + out, this.count);
        this.rows.set(come, at);
        this.count = count;
    }

    /**
     * @param {number} row
     * @param {0 | 1} open
     */
    #setOpen(row, open) {
        if (row >= this.#open.length) {
            this.#open = longer(this.#open, Math.max(row + 1, 2 * this.#open.length));
        }
        this.#open[row] = open;
    }
}

/** @typedef {{values: Int32Array, count: number}} Growing rows, as many as the count */

/**
 * @param {Growing} rows
 * @param {number} row
 */
function push(rows, row) {
    if (rows.count === rows.values.length) {
        rows.values = longer(rows.values, 2 * rows.count);
    }
    rows.values[rows.count++] = row;
}
