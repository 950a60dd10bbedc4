/** The format of run files: what is written comes back, and nothing but a result or an error comes of a damaged one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BadRun, readRun } from '../../xhprof_html/assets/js/profile/run-file.js';
import { fileOf, numbers, random, runFile } from './support.mjs';

/** @param {any} value @returns {any} with lists for typed arrays, and usual objects */
const plain = (value) => (ArrayBuffer.isView(value) ? Array.from(/** @type {any} */ (value))
    : value === null || typeof value !== 'object' ? value
        : Array.isArray(value) ? value.map(plain) : Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)])));

const DOCUMENTS = {
    meta: { v: 1, id: 'a', source: 'shop', 'dotted.key': 1, list: [1, 'two', { three: 3 }] },
    tree: {
        order: 'preorder', n: 3, names: ['main()', 'Größe::日本語', '', '😀\0"\\', '\ufeffbom'], fn: [0, 1, 4], depth: [0, 1, 1], ct: [1, 1, 1],
        call_line: [0, 70000, 3], self: { wt: [5, 2 ** 32 - 1, 0], mu: [-1, 2 ** 31 - 1, -(2 ** 31)], pmu: [2 ** 53, -(2 ** 53), 2 ** 32], none: [0, 256, 65535] },
    },
    timeline: { unit: 'ns', duration: 12, t: [], node: [], gc: { t: [3], d: [9] } },
};

describe('a run file', () => {
    const run = readRun(runFile(DOCUMENTS));

    test('has its documents, columns at their places', () => {
        for (const [name, document] of Object.entries(DOCUMENTS)) {
            // JSON has a list of the metadata, columns are typed arrays.
            assert.deepEqual(plain(run.document(name)), document, name);
        }
        assert.equal(run.document('operations'), null);
        assert.deepEqual(['sections', 'v', 'toString', '__proto__'].map((name) => run.document(name)), [null, null, null, null]);
        assert.equal(run.head.tree.n, 3);
    });

    test('has each column in its type, over the bytes of the file', () => {
        const types = /** @type {[string, any][]} */ ([
            ['tree.fn', Uint8Array], ['tree.self.none', Uint16Array], ['tree.self.wt', Uint32Array], ['tree.self.mu', Int32Array], ['tree.self.pmu', Float64Array],
        ]);
        const buffer = runFile(DOCUMENTS);
        for (const [name, type] of types) {
            const column = /** @type {any} */ (readRun(buffer).column(name));
            assert.equal(column.constructor, type, name);
            assert.equal(column.buffer, buffer, name);
        }
        assert.deepEqual(run.column('tree.ct'), Uint8Array.of(1, 1, 1));
        assert.deepEqual(run.column('tree.names'), DOCUMENTS.tree.names);
        assert.throws(() => run.column('tree.none'), { message: 'This run is damaged: it has no section "tree.none".' });
    });

    test('has the same value many times in the smallest type', () => {
        const same = (/** @type {number} */ value) => readRun(fileOf({ v: 1, a: {} }, { 'a.b': { type: 'same', value, n: 2 } })).column('a.b');
        assert.deepEqual(
            [0, 255, 256, 65536, 2 ** 32 - 1, -1, -(2 ** 31), 2 ** 32, -(2 ** 31) - 1, 2 ** 53].map(same),
            [
                Uint8Array.of(0, 0), Uint8Array.of(255, 255), Uint16Array.of(256, 256), Uint32Array.of(65536, 65536), new Uint32Array(2).fill(2 ** 32 - 1),
                Int32Array.of(-1, -1), new Int32Array(2).fill(-(2 ** 31)), new Float64Array(2).fill(2 ** 32), new Float64Array(2).fill(-(2 ** 31) - 1),
                new Float64Array(2).fill(2 ** 53),
            ],
        );
    });

    test('may have any names of columns, and a list where PHP has no members', () => {
        const made = readRun(fileOf('{"v":1,"a":{"self":[],"__proto__":{"x":1}},"sections":{"a.self.__proto__":{"type":"same","value":7,"n":1},'
            + '"a.__proto__.y":{"type":"same","value":8,"n":1},"a.end":{"type":"same","value":9,"n":1}}}')).document('a');
        assert.deepEqual(made.self.__proto__, Uint8Array.of(7));
        assert.deepEqual({ ...made.__proto__ }, { x: 1, y: Uint8Array.of(8) });
        assert.deepEqual(made.end, Uint8Array.of(9));
        assert.equal(/** @type {any} */ ({}).x, undefined);
    });

    test('is as large as its documents', () => {
        const many = { tree: { names: Array.from({ length: 70000 }, (_, i) => `ƒ${i}`), fn: Array.from({ length: 70000 }, (_, i) => i), ct: new Array(70000).fill(3) } };
        assert.deepEqual(plain(readRun(runFile(many)).document('tree')), many.tree);
    });
});

/** @param {Record<string, any>} sections @param {any} [head] */
const withSections = (sections, head = { v: 1, a: {} }) => fileOf(head, sections);
const u8 = { type: 'u8', n: 3, data: Uint8Array.of(1, 2, 3) };
/** @param {any} section @param {any} [end] */
const text = (section, end = numbers([1, 3])) => withSections({ 'a.t': { type: 'text', n: 2, bytes: 3, data: Uint8Array.of(97, 98, 99), ...section }, 'a.t.end': end });
/** @param {string} start @returns {ArrayBuffer} */
const begins = (start) => /** @type {ArrayBuffer} */ (new TextEncoder().encode(start).buffer);
const head = '{"v":1,"sections":{}}          \n';

describe('a damaged run file', () => {
    const cases = /** @type {[string, ArrayBuffer, RegExp][]} */ ([
        ['empty', new ArrayBuffer(0), /does not begin as one/],
        ['another file', begins('{"v":1,"kind":"tree"}'), /does not begin as one/],
        ['no length', begins('xhprof-run 1 \n{}'), /first line is wrong/],
        ['a length below zero', begins(`xhprof-run 1 -8\n${head}`), /first line is wrong/],
        ['half a length', begins(`xhprof-run 1 48.5\n${head}`), /first line is wrong/],
        ['version 0', begins(`xhprof-run 0 48\n${head}`), /first line is wrong/],
        ['no version', begins(`xhprof-run x 48\n${head}`), /does not begin as one/],
        ['a newer version', fileOf({ v: 2 }, {}, '2'), /^This run was written by a newer XHProf \(format 2\)\.$/],
        ['a newer version of another first line', begins('xhprof-run 12 head=7'), /written by a newer XHProf \(format 12\)\.$/],
        ['a length that is no multiple of 8', begins(`xhprof-run 1 47\n${head}`), /first line is wrong/],
        ['a length within the first line', begins(`xhprof-run 1 8\n${head}`), /first line is wrong/],
        ['a length beyond the file', begins(`xhprof-run 1 56\n${head}`), /first line is wrong/],
        ['a head of 4 MB and more', fileOf(`{"v":1,"sections":{},"x":"${'x'.repeat(4 << 20)}"}`), /first line is wrong/],
        ['no JSON', fileOf('{"v":1,'), /head is no JSON/],
        ['a head that is no UTF-8', spoilt(), /head is no JSON/],
        ['a head that is null', fileOf('null'), /head is no JSON of an object/],
        ['a head that is a number', fileOf('1'), /head is no JSON of an object/],
        ['a head of another version', fileOf({ v: 2 }), /head has another version/],
        ['no sections', fileOf('{"v":1}'), /part of its head is of another kind/],
        ['sections that are text', fileOf('{"v":1,"sections":"x"}'), /part of its head is of another kind/],
        ['more sections than any run', withSections(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`a.${i}`, numbers([1])]))), /too many sections/],
        ['a section that is nothing', fileOf('{"v":1,"a":{},"sections":{"a.b":null}}'), /part of its head is of another kind/],
        ['a section of no document', withSections({ 'b.c': u8 }), /section "b\.c" is wrong/],
        ['a section that is a document', withSections({ a: u8 }), /section "a" is wrong/],
        ['a section of the version', withSections({ 'v.a': u8 }), /its section ".*" is wrong/],
        ['a section of the sections', withSections({ 'sections.a': u8 }), /its section ".*" is wrong/],
        ['a section of a prototype', withSections({ 'toString.name': u8 }), /its section ".*" is wrong/],
        ['a name with an empty step', withSections({ 'a..b': u8 }), /its section ".*" is wrong/],
        ['a name that is none', withSections({ 'a.b c': u8 }), /its section ".*" is wrong/],
        ['a name without end', withSections({ [`a.${'x'.repeat(1e5)}`]: { ...u8, type: 'u9' } }), /its section ".*" is wrong/],
        ['an unknown type', withSections({ 'a.b': { ...u8, type: 'toString' } }), /its section ".*" is wrong/],
        ['no type', withSections({ 'a.b': { n: 1, at: 0 } }), /its section ".*" is wrong/],
        ['n that is missing', withSections({ 'a.b': { ...u8, n: undefined } }), /its section ".*" is wrong/],
        ['n below zero', withSections({ 'a.b': { ...u8, n: -1 } }), /its section ".*" is wrong/],
        ['n that is a fraction', withSections({ 'a.b': { ...u8, n: 1.5 } }), /its section ".*" is wrong/],
        ['n that is text', withSections({ 'a.b': { ...u8, n: '3' } }), /its section ".*" is wrong/],
        ['n beyond 2^31', withSections({ 'a.b': { type: 'same', value: 0, n: 2 ** 31 + 1 } }), /its section ".*" is wrong/],
        ['more equal values than a file of its size has', withSections({ 'a.b': { type: 'same', value: 0, n: 2 ** 20 }, 'a.c': numbers([0]) }), /sections are larger than the file/],
        ['sections that overlap', withSections({ 'a.b': { type: 'u32', n: 2, data: new Uint8Array(8) }, 'a.c': { type: 'u8', n: 1, at: 0 } }), /sections are larger than the file/],
        ['a value that is no number', withSections({ 'a.b': { type: 'same', value: null, n: 1 } }), /its section ".*" is wrong/],
        ['a value that is a fraction', withSections({ 'a.b': { type: 'same', value: 0.5, n: 1 } }), /its section ".*" is wrong/],
        ['a value beyond 2^53', withSections({ 'a.b': { type: 'same', value: 2 ** 54, n: 1 } }), /its section ".*" is wrong/],
        ['no place', withSections({ 'a.b': { type: 'u8', n: 1 } }), /its section ".*" is wrong/],
        ['a place below zero', withSections({ 'a.b': { ...u8, at: -8 } }), /its section ".*" is wrong/],
        ['a place between', withSections({ 'a.b': { ...u8, n: 1, at: 4 } }), /its section ".*" is wrong/],
        ['a place behind the file', withSections({ 'a.b': { ...u8, at: 16 } }), /its section ".*" is wrong/],
        ['one value more than there is', withSections({ 'a.b': { type: 'u32', n: 3, data: new Uint8Array(8) } }), /its section ".*" is wrong/],
        ['a text longer than the file', text({ bytes: 17 }), /its section ".*" is wrong/],
        ['a text of no length', text({ bytes: undefined }), /its section ".*" is wrong/],
        ['texts without ends', withSections({ 'a.t': { type: 'text', n: 1, bytes: 1, data: Uint8Array.of(97) } }), /texts of "a\.t" have no ends/],
        ['other ends than texts', text({}, numbers([1, 2, 3])), /texts of "a\.t(\.end)?" have no ends/],
        ['ends that are texts', withSections({
            'a.t': { type: 'text', n: 1, bytes: 1, data: Uint8Array.of(97) }, 'a.t.end': { type: 'text', n: 1, bytes: 1, data: Uint8Array.of(97) }, 'a.t.end.end': numbers([1]),
        }), /texts of "a\.t(\.end)?" have no ends/],
    ]);
    for (const [what, file, message] of cases) {
        test(what, () => assert.throws(() => readRun(file), (error) => isPlain(error, message)));
    }

    const later = /** @type {[string, ArrayBuffer, RegExp][]} */ ([
        ['texts that end before they begin', text({}, numbers([3, 1])), /texts end in wrong places/],
        ['texts that end behind the section', text({}, numbers([1, 4])), /end in wrong places/],
        ['ends below zero', text({}, numbers([-1, 3])), /end in wrong places/],
        ['texts that are no UTF-8', text({ data: Uint8Array.of(97, 0xff, 99) }), /one of its texts is no UTF-8/],
        ['texts cut within a character', text({ data: Uint8Array.of(0xc3, 0xa4, 99) }), /is no UTF-8/],
        ['a fraction', withSections({ 'a.b': { type: 'f64', n: 1, data: new Uint8Array(Float64Array.of(0.5).buffer) } }), /"a\.b" has a value that is no whole number/],
        ['infinity', withSections({ 'a.b': { type: 'f64', n: 1, data: new Uint8Array(Float64Array.of(Infinity).buffer) } }), /no whole number/],
        ['beyond 2^53', withSections({ 'a.b': { type: 'f64', n: 1, data: new Uint8Array(Float64Array.of(2 ** 54).buffer) } }), /no whole number/],
        ['a column where the head has a value', withSections({ 'a.b': u8 }, { v: 1, a: { b: 1 } }), /two values are at "a\.b"/],
        ['a column below a value', withSections({ 'a.b.c': u8 }, { v: 1, a: { b: 1 } }), /two values are at "a\.b\.c"/],
        ['a column below nothing', withSections({ 'a.b.c': u8 }, { v: 1, a: { b: null } }), /two values are at "a\.b\.c"/],
        ['a column below a column', withSections({ 'a.b': u8, 'a.b.c': u8 }), /two values are at "a\.b\.c"/],
        ['a column above a column', withSections({ 'a.b.c': u8, 'a.b': u8 }), /two values are at "a\.b"/],
        ['a document that is a number', withSections({ 'a.b': u8 }, { v: 1, a: 7 }), /part of its head is of another kind/],
    ]);
    for (const [what, file, message] of later) {
        test(what, () => {
            const run = readRun(file);
            assert.throws(() => run.document('a'), (error) => isPlain(error, message));
        });
    }

    test('cut anywhere', () => {
        const whole = runFile(DOCUMENTS);
        for (let length = 0; length < whole.byteLength - 7; length++) {
            assert.throws(() => all(whole.slice(0, length)), BadRun, String(length));
        }
    });
});

test('20,000 changed files end in a result or an error', () => {
    const next = random(20);
    const below = (/** @type {number} */ n) => Math.floor(next() * n);
    const whole = new Uint8Array(runFile(DOCUMENTS));
    const length = Number(/\d+\n/.exec(new TextDecoder().decode(whole.subarray(0, 40)))?.[0]);
    const pieces = ['0', '9', '-', '.', 'e9', '"', ',', '{', '}', '[', ']', ':', 'u8', 'f64', 'same', 'text', '.end', 'null', '4294967296'].map((piece) => new TextEncoder().encode(piece));
    let read = 0;
    for (let round = 0; round < 20000; round++) {
        const file = whole.slice();
        for (let change = below(4); change >= 0; change--) {
            // Most changes in the head: that is what says where everything lies.
            const at = below(next() < 0.8 ? length : file.length);
            if (next() < 0.5) {
                file[at] = below(256);
            } else {
                file.set((pieces[below(pieces.length)] ?? new Uint8Array()).subarray(0, file.length - at), at);
            }
        }
        const cut = next() < 0.1 ? file.slice(0, below(file.length)) : file;
        try {
            all(cut.buffer);
            read++;
        } catch (error) {
            assert.ok(isPlain(error, /^This run (is damaged: .*|was written by a newer XHProf \(format \d+\))\.$/s), `round ${round}: ${error}`);
        }
    }
    assert.ok(read > 500 && read < 15000, `${read} were read`);
});

/** @param {ArrayBuffer} buffer */
function all(buffer) {
    const run = readRun(buffer);
    Object.keys(run.head).forEach((name) => run.document(name));
}

/** @param {any} error @param {RegExp} message */
function isPlain(error, message) {
    assert.ok(error instanceof BadRun, String(error?.stack));
    assert.match(error.message, message);

    return error.message.length < 200;
}

/** @returns {ArrayBuffer} */
function spoilt() {
    const file = new Uint8Array(fileOf({ v: 1, a: 'x' }));
    file[file.indexOf(120, 20)] = 0xff;

    return file.buffer;
}
