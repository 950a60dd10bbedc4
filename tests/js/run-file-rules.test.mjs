/** What a run file may hold: tests/run-files.json, which the reader in PHP judges too (tests/lib/RunFileRulesTest.php). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { BadRun, readRun } from '../../xhprof_html/assets/js/profile/run-file.js';

/** @type {{name: string, good: boolean, head: any, rest: string, line?: string}[]} */
const CASES = JSON.parse(readFileSync(new URL('../run-files.json', import.meta.url), 'utf8'));

/**
 * @param {any} head a text is taken as it is
 * @param {string} rest hexadecimal digits
 * @param {string} line the first one, with %d for the length of the head
 * @returns {ArrayBuffer}
 */
function fileOf(head, rest, line) {
    const json = typeof head === 'string' ? head : JSON.stringify(head);
    const length = Math.ceil((line.length + Buffer.byteLength(json) + 8) / 8) * 8;
    const text = `${line.replace('%d', String(length))}${json}`;
    const bytes = Buffer.concat([Buffer.from(`${text.padEnd(length - 1)}\n`), Buffer.from(rest, 'hex')]);

    return /** @type {ArrayBuffer} */ (Uint8Array.from(bytes).buffer);
}

describe('a run file is judged as in PHP', () => {
    for (const { name, good, head, rest, line = 'xhprof-run 1 %d\n' } of CASES) {
        test(name, () => {
            const read = () => {
                const run = readRun(fileOf(head, rest, line));
                Object.keys(run.head).map((document) => run.document(document));
            };
            if (good) {
                read();
            } else {
                assert.throws(read, BadRun);
            }
        });
    }
});
