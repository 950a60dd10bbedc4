/** What the time of call paths was spent on: the same inputs through the library and through the scripts; and how pictures use it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FIRST, byPart } from '../../xhprof_html/assets/js/flame/colours.js';
import { TreeJobs } from '../../xhprof_html/assets/js/paths/tree-jobs.js';
import { NodeParts, partMetrics, partsBelow } from '../../xhprof_html/assets/js/profile/time-parts.js';
import { answerLocally } from '../../xhprof_html/assets/js/core/api.js';
import { METRICS, random, runFile, treeOf } from './support.mjs';

/** Trees of families of programs. Times in ns. */
const CASES = {
    'a program that computes, asks and sleeps': {
        names: ['main()', 'page', 'PDOStatement::execute', 'usleep', 'md5', 'curl_exec'], fn: [0, 1, 2, 4, 3, 5], depth: [0, 1, 2, 2, 1, 1], ct: [1, 1, 9, 9, 1, 1],
        self: { wt: [10000, 50000, 900000, 80000, 500000, 300000], cpu: [9000, 40000, 100000, 80000, 2000, 5000] },
    },
    'a recursion that waits on each level': {
        names: ['main()', 'walk', 'file_get_contents'], fn: [0, 1, 2, 1, 2, 1], depth: [0, 1, 2, 2, 3, 3], ct: [1, 1, 2, 3, 4, 5],
        self: { wt: [1000, 20000, 60000, 30000, 90000, 7000], cpu: [1000, 15000, 20000, 10000, 30000, 7000] },
    },
    'code that is compiled, and a collection': {
        names: ['main()', 'load::a.php', 'gc_collect_cycles', 'eval::b'], fn: [0, 1, 2, 3], depth: [0, 1, 1, 1], ct: [1, 1, 1, 1],
        self: { wt: [4000, 90000, 30000, 8000], cpu: [3000, 50000, 29000, 8000] },
    },
    'user and system time': {
        names: ['main()', 'fwrite'], fn: [0, 1], depth: [0, 1], ct: [1, 3], self: { wt: [5000, 70000], ut: [2000, 10000], st: [1000, 20000] },
    },
    'operations say what for': {
        names: ['main()', 'page', 'PDO::query', 'Client::send'], fn: [0, 1, 2, 3], depth: [0, 1, 2, 2], ct: [1, 1, 9, 2],
        self: { wt: [1000, 30000, 500000, 90000], cpu: [1000, 20000, 50000, 30000] },
        operations: [['sql', 'SELECT 1', 2, 9, 480000, 60000, 1], ['http', 'GET x', 3, 2, 40000, 30000, 1]],
    },
    'samples of wall time': {
        names: ['main()', 'page', 'PDOStatement::execute', 'usleep'], fn: [0, 1, 2, 3], depth: [0, 1, 2, 1], ct: [1, 2, 8, 1], samples: 12,
        self: { wt: [100000, 200000, 800000, 100000] },
    },
    'names that objects have': {
        names: ['main()', 'constructor', '__proto__', 'toString'], fn: [0, 1, 2, 3], depth: [0, 1, 1, 1], ct: [1, 1, 1, 1],
        self: { wt: [100, 200, 300, 400], cpu: [50, 100, 150, 200] },
    },
};

/** What the library has for the trees: `kinds` of api.php, the parts of the run in ns, and of each function with its callees. */
const LIBRARY = JSON.parse(execFileSync(process.env.PHP_BINARY ?? 'php', ['-r', `require $argv[1]; require $argv[2];
    $folder = sys_get_temp_dir() . '/xhprof-parts-' . bin2hex(random_bytes(6));
    mkdir($folder);
    $store = new XHProf\\Store\\RunFolder($folder);
    $answers = [];
    foreach (json_decode(stream_get_contents(STDIN), true) as $i => $case) {
        $tree = XHProf\\Profile\\CallTree::fromArray(array_diff_key($case, ['operations' => 1, 'samples' => 1]));
        $store->save($tree->toEdges(), 's', "case$i", isset($case['samples']) ? ['samples' => $case['samples']] : [], $tree);
        if (isset($case['operations'])) {
            XHProf\\Tests\\Lib\\Support\\RunFiles::put($folder, "case$i.s", ['operations' => XHProf\\Tests\\Lib\\Support\\OperationsRun::data($case['operations'])]);
        }
        $runs = new XHProf\\Web\\Run\\RunOpener($store, XHProf\\App\\Pages::all());
        $request = new XHProf\\Web\\Http\\Request('GET', ['run' => "case$i", 'source' => 's']);
        $times = $runs->named($request)->run->times();
        $answers[] = [
            'kinds' => json_decode((new XHProf\\Web\\Api\\KindsEndpoint($runs))->respond($request)->content()),
            'whole' => (object) $times->whole()->ns,
            'functions' => (object) array_map(static fn (string $name): object => (object) $times->ofFunction($name)->ns, array_combine($case['names'], $case['names'])),
        ];
    }
    foreach (new FilesystemIterator($folder) as $file) {
        unlink((string) $file);
    }
    rmdir($folder);
    echo json_encode($answers);`,
fileURLToPath(new URL('../../xhprof_lib/autoload.php', import.meta.url)), fileURLToPath(new URL('../lib/Support/OperationsRun.php', import.meta.url))], {
    input: JSON.stringify(Object.values(CASES)), encoding: 'utf8',
}));

const treeOfCase = ({ operations, samples, ...tree }) => treeOf({ metrics: METRICS, ...tree });

/** Sums of a tree, by the key of the part. */
function sums(parts, nodes) {
    const of = {};
    nodes.forEach((node) => parts.each(node, (part, ns) => {
        of[parts.parts[part].key] = (of[parts.parts[part].key] ?? 0) + ns;
    }));

    return Object.fromEntries(Object.entries(of).map(([key, ns]) => [key, Math.round(ns)]).filter(([, ns]) => ns > 0));
}

const close = (actual, expected, what) => {
    assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort(), what);
    for (const [key, ns] of Object.entries(expected)) {
        // Shares have six digits.
        assert.ok(Math.abs(actual[key] - ns) <= 2, `${what}: ${key} ${actual[key]}, not ${ns}`);
    }
};

describe('the scripts and the library', () => {
    for (const [at, [name, json]] of Object.entries(CASES).entries()) {
        test(`agree on ${name}`, () => {
            const tree = treeOfCase(json);
            const { kinds, whole, functions } = LIBRARY[at];
            const parts = new NodeParts(tree, kinds);
            close(sums(parts, [...tree.fn.keys()]), whole, name);
            assert.equal(Object.values(sums(parts, [...tree.fn.keys()])).reduce((sum, ns) => sum + ns, 0), tree.inclusive('wt')[0], 'they add up to the wall time');
            for (const [fn, function_] of tree.names.entries()) {
                const nodes = [];
                for (let node = 0; node < tree.n; node++) {
                    if (tree.fn[node] === fn) {
                        for (let below = node; below < tree.end[node]; below++) {
                            nodes.push(below);
                        }
                        node = tree.end[node] - 1;
                    }
                }
                close(sums(parts, nodes), functions[function_], `${name}: ${function_}`);
                const below = partsBelow(tree, kinds, fn);
                close(Object.fromEntries(below.parts.map(({ key, us }) => [key, Math.round(us * 1000)]).filter(([, ns]) => ns > 0)), functions[function_], `bar of ${function_}`);
            }
        });
    }

    test('agree on trees by chance, in the sums of the groups', () => {
        // More CPU than wall time of a node is none: only there the scripts, which draw each node, differ.
        const pick = random(5);
        const { kinds } = LIBRARY[0];
        const n = 300;
        const tree = treeOf({
            metrics: METRICS, names: CASES['a program that computes, asks and sleeps'].names, fn: [0, ...Array.from({ length: n - 1 }, () => 1 + Math.floor(pick() * 5))],
            depth: [0, ...Array.from({ length: n - 1 }, (_, i) => 1 + i % 4)], ct: Array(n).fill(1),
            self: { wt: Array.from({ length: n }, () => Math.floor(pick() * 1e6)), cpu: Array.from({ length: n }, () => Math.floor(pick() * 1e6)) },
        });
        const parts = new NodeParts(tree, kinds);
        const columns = partMetrics(kinds, tree).map(({ k }) => parts.column(k));
        for (let node = 0; node < n; node++) {
            const wall = tree.exclusive('wt')[node];
            assert.ok(columns.every((column) => column[node] >= 0));
            assert.ok(Math.abs(columns.reduce((sum, column) => sum + column[node], 0) - wall) < 1e-3 * wall + 1e-6, `node ${node}`);
        }
    });
});

describe('pictures', () => {
    const [{ kinds }] = LIBRARY;
    const json = CASES['a program that computes, asks and sleeps'];
    const open = async (given = kinds, tree = json) => {
        answerLocally(() => runFile({ tree: { metrics: METRICS, ...tree } }));
        const jobs = new TreeJobs();

        return { jobs, opened: await jobs.open({ url: 'api.php?x', kinds: given }, () => {}) };
    };
    const none = () => {};

    test('can be sized by the groups, which stand behind the times', async () => {
        const { jobs, opened } = await open();
        const labels = opened.metrics.map(({ label }) => label);
        assert.deepEqual(labels.slice(0, 5), ['Wall time', 'CPU time', 'On CPU', 'Waiting', 'Not running']);
        const waiting = await jobs.layout({ metric: 'time_waiting', order: 'heavy' }, none);
        // 800 µs of SQL, 498 of sleeping, 295 of HTTP.
        assert.equal(waiting.total, 800000 + 498000 + 295000);
        const cpu = await jobs.layout({ metric: 'time_cpu', order: 'time' }, none);
        const idle = await jobs.layout({ metric: 'time_not_running', order: 'time' }, none);
        assert.equal(cpu.total + waiting.total + idle.total, 1840000);
        const columns = await jobs.columns({ metric: 'time_waiting' }, none);
        assert.equal(columns.total, waiting.total);
        const rows = await jobs.functions({ metric: 'time_waiting' }, none);
        assert.equal(rows.inclusive[rows.fn.indexOf(1)], 800000);
        const { callees } = await jobs.sandwich({ fn: 1, metric: 'time_waiting', order: 'heavy', where: true }, none);
        assert.equal(callees?.total, 800000);
        assert.equal(callees?.where?.sums.reduce((sum, ns) => sum + ns, 0), 1030000);
    });

    test('can be coloured by what most of the own time of a frame was, also when they are changed', async () => {
        const { jobs } = await open();
        const key = (layout, node) => (layout.where.of[node] === 0 ? '' : kinds.parts[layout.where.of[node] - 1].key);
        const layout = await jobs.layout({ metric: 'wt', order: 'time', where: true }, none);
        assert.deepEqual([0, 1, 2, 3, 4, 5].map((node) => key(layout, node)), ['cpu', 'cpu', 'sql', 'cpu', 'sleep', 'http']);
        const colouring = byPart(layout, layout.where);
        assert.equal(colouring.variables[colouring.colour[2]], '--time-sql');
        assert.equal(colouring.variables[FIRST], '--space-none');
        assert.match(colouring.legend.map(({ text }) => text).join(', '), /^Computing 12\.\d %, SQL 43\.5 %, HTTP 16\.0 %, Sleeping 27\.1 %, Not running 0\.\d %$/);
        const hidden = await jobs.layout({ metric: 'wt', order: 'time', where: true, changes: { only: '', hide: ['page'], fold: false } }, none);
        assert.deepEqual(hidden.where?.sums.reduce((sum, ns) => sum + ns, 0), 1840000);
        assert.equal((await jobs.layout({ metric: 'wt', order: 'time' }, none)).where, undefined, 'only where it is asked for');
    });

    test('have no such metric where the run cannot tell', async () => {
        for (const [given, tree] of [[null, json], [{ ...kinds, metrics: [] }, json], [kinds, { ...json, self: { wt: json.self.wt } }]]) {
            const { jobs, opened } = await open(given, tree);
            assert.deepEqual(opened.metrics.filter(({ k }) => k.startsWith('time_')), []);
            assert.equal((await jobs.layout({ metric: 'wt', order: 'time', where: true }, none)).where, undefined);
        }
    });

    test('of samples of wall time are sized by what waited, and by what is not known', async () => {
        const at = Object.keys(CASES).indexOf('samples of wall time');
        const { opened, jobs } = await open(LIBRARY[at].kinds, CASES['samples of wall time']);
        assert.deepEqual(opened.metrics.map(({ label }) => label).filter((label) => label !== 'Calls'), ['Wall time', 'Waiting', 'Not known']);
        assert.equal((await jobs.layout({ metric: 'time_waiting', order: 'time' }, none)).total, 900000);
    });
});
