<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Functions\CountKind;
use XHProf\Functions\FlatReport;
use XHProf\Functions\MetricList;
use XHProf\Functions\SymbolReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\TimePart;
use XHProf\Profile\TreeMean;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Web\Api\TreeDocument;
use XHProf\Web\Http\Response;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** api.php: the figures are the library's, errors are JSON, nothing is sent twice. */
final class ApiTest extends PagesTestCase
{
    private const RUN = 'run=' . Fixtures::BEFORE . '&source=shop';
    private const TREE = 'run=' . Fixtures::CORRECTED . '&source=api';

    /**
     * @param list<string> $headers
     * @return array<string, mixed>
     */
    private static function json(string $query, int $status = 200, array $headers = []): array
    {
        $page = self::$server->get("api.php?$query", headers: $headers);
        self::assertSame($status, $page->status, "$query: " . substr($page->body, 0, 300));
        self::assertSame('application/json', $page->headers['content-type']);
        self::assertSame('nosniff', $page->headers['x-content-type-options']);
        self::assertSame(Response::CONTENT_SECURITY_POLICY, $page->headers['content-security-policy']);
        self::assertSame('private, no-store', $page->headers['cache-control']);
        self::assertStringNotContainsString(self::$runs, $page->body);
        $data = json_decode($page->body, true, 64, JSON_THROW_ON_ERROR);
        self::assertIsArray($data);
        self::assertSame(1, $data['v']);

        return $data;
    }

    private static function tree(): CallTree
    {
        $tree = (new RunFolder(self::$runs))->open(RunId::fromStrings(Fixtures::CORRECTED, 'api'))->tree();
        self::assertNotNull($tree);

        return $tree;
    }

    public function testFunctions(): void
    {
        $data = self::json('get=functions&' . self::RUN);
        $report = FlatReport::compute(self::profile(Fixtures::BEFORE), true);
        self::assertSame('functions', $data['kind']);
        self::assertSame(['wt', 'cpu', 'mu', 'pmu', 'ct'], array_column($data['metrics'], 'k'));
        self::assertSame(['us', 'us', 'bytes', 'bytes', 'count'], array_column($data['metrics'], 'unit'));
        self::assertSame($report->totals(), $data['total']);
        self::assertSame(array_keys($report->rows()), $data['names']);
        foreach (['ct', 'wt', 'excl_wt', 'cpu', 'excl_pmu'] as $column) {
            self::assertSame(array_column($report->rows(), $column), $data['m'][$column]);
        }
    }

    public function testCorrectedTimesAndAMean(): void
    {
        self::assertArrayNotHasKey('corrected_wt', self::json('get=functions&' . self::TREE)['m']);
        $both = self::json('get=functions&corrected=1&' . self::TREE);
        self::assertCount(count($both['names']), $both['m']['excl_corrected_wt']);
        self::assertContains('Corrected wall time', array_column($both['metrics'], 'label'));
        $mean = self::json('get=functions&source=shop&wts=1,3&run=' . Fixtures::BEFORE . ',' . Fixtures::AFTER);
        self::assertEqualsWithDelta(
            (self::profile(Fixtures::BEFORE)->totals()['wt'] + 3 * self::profile(Fixtures::AFTER)->totals()['wt']) / 4,
            $mean['total']['wt'],
            0.01,
        );
    }

    public function testEdges(): void
    {
        $data = self::json('get=edges&' . self::RUN);
        $edges = [];
        foreach ($data['c'] as $edge => $callee) {
            $caller = $data['p'][$edge] === -1 ? null : $data['names'][$data['p'][$edge]];
            $edges[EdgeKey::build($caller, $data['names'][$callee])] = array_combine(
                array_keys($data['m']),
                array_column($data['m'], $edge),
            );
        }
        self::assertSame(self::profile(Fixtures::BEFORE)->edges(), $edges);
    }

    /** What is drawn by function adds up to the bar. */
    public function testKinds(): void
    {
        $data = self::json('get=kinds&' . self::RUN);
        $run = (new RunFolder(self::$runs))->open(RunId::fromStrings(Fixtures::BEFORE, 'shop'));
        self::assertSame('kinds', $data['kind']);
        self::assertSame(array_column(TimePart::cases(), 'value'), array_column($data['parts'], 'key'));
        self::assertEquals($run->times()->whole()?->toArray(), $data['where']);
        self::assertSame([['cpu'], 'not_running'], [$data['cpu'], $data['rest']]);
        self::assertSame(['kind' => 'sql', 'idle' => ['sql' => 1]], $data['functions']['PDOStatement::execute']);
        $sums = [];
        foreach (FlatReport::compute(self::profile(Fixtures::BEFORE), true)->rows() as $name => $row) {
            $shares = $data['functions'][$name] ?? [];
            foreach ($shares['idle'] ?? [$data['rest'] => 1] as $part => $share) {
                $sums[$part] = ($sums[$part] ?? 0) + $share * (($row['excl_wt'] ?? 0) - ($row['excl_cpu'] ?? 0));
            }
            foreach ($shares['cpu'] ?? ['cpu' => 1] as $part => $share) {
                $sums[$part] = ($sums[$part] ?? 0) + $share * ($row['excl_cpu'] ?? 0);
            }
        }
        self::assertEqualsWithDelta($sums['sql'], array_column($data['where']['parts'], 'us', 'key')['sql'], 1);
        self::assertEqualsWithDelta(array_sum($sums), $data['where']['total_us'], 1);
    }

    public function testOneFunction(): void
    {
        $data = self::json('get=symbol&symbol=strlen&' . self::RUN);
        $report = SymbolReport::compute(self::profile(Fixtures::BEFORE), 'strlen', true);
        self::assertSame('strlen', $data['name']);
        self::assertEquals($report->self(), $data['row']);
        self::assertSame(array_keys($report->parents()), array_column($data['callers'], 'name'));
        self::assertSame(array_column($report->children(), 'wt'), array_column($data['callees'], 'wt'));
        foreach ($data['links'] as $link) {
            self::open($link);
        }
    }

    public function testHostileNames(): void
    {
        $data = self::json('get=functions&run=' . Fixtures::HOSTILE . '&source=hostile');
        self::assertContains('<script>alert(1)</script>', $data['names']);
        foreach ([...Fixtures::hostileNames(), Fixtures::longName()] as $name) {
            $row = array_search($name, $data['names'], true);
            self::assertIsInt($row);
            $hash = $data['hashes'][$row] ?? null;
            $own = 'run=' . Fixtures::HOSTILE . '&source=hostile&' . ($hash === null
                ? 'symbol=' . rawurlencode($name)
                : "symbol_hash=$hash");
            $symbol = self::json("get=symbol&$own");
            self::assertSame($name, $symbol['name']);
            self::assertSame(['strlen'], array_column($symbol['callees'], 'name'));
        }
    }

    public function testATreeIsThatOfTheFile(): void
    {
        $tree = RunFiles::document(self::$runs, Fixtures::CORRECTED . '.api', 'tree') ?? [];
        $data = self::json('get=tree&corrected=1&' . self::TREE);
        self::assertSame(MetricList::ofTree(CountKind::Calls), $data['metrics']);
        self::assertSame('tree', $data['kind']);
        unset($tree['kind']);
        self::assertEquals($tree, array_intersect_key($data, $tree));
        self::assertSame($tree['fn'], $data['fn']);
    }

    public function testTheMeanOfTrees(): void
    {
        $id = 'e' . str_repeat('0', 30) . '9';
        $tree = RunFiles::document(self::$runs, Fixtures::CORRECTED . '.api', 'tree');
        RunFiles::write(self::$runs, "$id.api", ['tree' => $tree ?? []]);
        $data = self::json('get=tree&corrected=1&source=api&run=' . Fixtures::CORRECTED . ",$id");
        self::assertSame([2, 'tree', 'preorder'], [$data['runs'], $data['kind'], $data['order']]);
        $mean = CallTree::fromArray(array_diff_key($data, ['kind' => true]));
        $read = static fn (): CallTree => self::tree();
        self::assertEquals(TreeMean::compute([$read, $read]), $mean);
        self::assertSame(self::tree()->inclusive('wt')[0], $mean->inclusive('wt')[0]);
        RunFiles::delete(self::$runs, "$id.api");
    }

    public function testTheRestOfALargeTreeIsReadPartByPart(): void
    {
        putenv(TreeDocument::MOST . '=40');
        $server = new PageServer(self::ROOT, self::$runs);
        putenv(TreeDocument::MOST);
        $url = 'api.php?get=tree&source=api&run=' . Fixtures::CORRECTED;
        $read = static function (string $more, int $status = 200) use ($server, $url): array {
            $answer = $server->get("$url&$more");
            self::assertSame($status, $answer->status, $answer->body);

            return array_diff_key((array) json_decode($answer->body, true, 16, JSON_THROW_ON_ERROR), ['kind' => true]);
        };
        $whole = array_diff_key(self::json('get=tree&source=api&run=' . Fixtures::CORRECTED), ['kind' => true]);
        $first = $read('');
        self::assertSame($whole['n'], $first['pruned']['of']);
        self::assertSame($whole['n'], $first['n'] + $first['pruned']['nodes']);
        $version = "version=$first[version]";
        $inclusive = CallTree::fromArray($whole)->inclusive('wt');
        $met = [];
        $waiting = [['', $first]];
        while ($waiting !== []) {
            [$steps, $part] = array_pop($waiting);
            self::assertLessThanOrEqual(2 * 40 + 1, $part['n']);
            if ($steps !== '') {
                self::assertSame([], $part['names']);
            }
            $tree = CallTree::fromArray(['names' => $first['names']] + $part);
            $node = 0;
            foreach (array_chunk($part['pruned']['origin'], 2) as [$origin, $length]) {
                for ($i = 0; $i < $length; $i++, $node++) {
                    if ($origin < 0) {
                        self::assertSame('(small paths)', $first['names'][$part['fn'][$node]]);
                        $waiting[] = [$next = "$steps~" . ~$origin, $read("root=$next&$version")];
                    } elseif ($steps === '' || $node > 0) {
                        self::assertSame($whole['names'][$whole['fn'][$origin + $i]], $first['names'][$part['fn'][$node]]);
                        self::assertSame($inclusive[$origin + $i], $tree->inclusive('wt')[$node]);
                        $met[] = $origin + $i;
                    }
                }
            }
            self::assertSame($part['n'], $node);
        }
        sort($met);
        self::assertSame(range(0, $whole['n'] - 1), $met, 'each path is in one part');
        // The paths from a node on are those below it, the largest of them.
        $part = $read("root=1&$version");
        self::assertSame([1, $inclusive[1]], [$part['pruned']['origin'][0], CallTree::fromArray(
            ['names' => $first['names']] + $part,
        )->inclusive('wt')[0]]);
        foreach (['root=999999', 'root=x', 'root=1~', 'root=~' . ($whole['n'] - 1), 'root=' . str_repeat('~0', 60)] as $wrong) {
            self::assertSame('bad-request', $read("$wrong&$version", 400)['error']['code']);
        }
        self::assertSame('changed', $read('root=1&version=old', 409)['error']['code']);
    }

    public function testAHugeTreeIsPrunedAndATooHugeOneRefused(): void
    {
        $id = 'e' . str_repeat('0', 30) . '8';
        // A run that reached the default of xhprof.max_nodes has a sixteenth more nodes, the (truncated) ones: all are shown.
        $default = 1000000 + intdiv(1000000, 16);
        self::assertGreaterThanOrEqual($default, TreeDocument::MAX_NODES);
        $count = TreeDocument::MAX_NODES + 10;
        $column = static fn (int $first, int $value): array => [$first, ...array_fill(0, $count - 1, $value)];
        RunFiles::write(self::$runs, "$id.api", ['meta' => [], 'tree' => [
            'n' => $count,
            'names' => ['main()', 'f'],
            'fn' => $column(0, 1),
            'depth' => $column(0, 1),
            'ct' => $column(1, 1),
            'self' => ['wt' => $column(5000, 7)],
        ]]);
        $data = self::json("get=tree&source=api&run=$id");
        // All but the last ten are the same; these are one, below node 0.
        $origin = [0, TreeDocument::MAX_NODES, -1, 1];
        self::assertSame(['nodes' => 9, 'of' => $count, 'name' => '(small paths)', 'origin' => $origin], $data['pruned']);
        $part = self::json("get=tree&source=api&run=$id&root=~0&version=$data[version]");
        self::assertSame([11, [0, ...array_fill(0, 10, 7)]], [$part['n'], $part['self']['wt']]);
        self::assertSame([0, 1, TreeDocument::MAX_NODES, 10], $part['pruned']['origin']);
        self::assertSame(TreeDocument::MAX_NODES + 1, $data['n']);
        self::assertSame([5000 + 7 * ($count - 1), $count], [array_sum($data['self']['wt']), array_sum($data['ct'])]);
        RunFiles::enlarge(self::$runs, "$id.api", 'tree.fn', 99999999);
        $error = self::json("get=tree&source=api&run=$id", 413)['error'];
        self::assertSame('too-large', $error['code']);
        self::assertStringContainsString('99 999 999 call paths', $error['message']);
        RunFiles::delete(self::$runs, "$id.api");
    }

    public function testWithoutATree(): void
    {
        self::assertSame('no-tree', self::json('get=tree&' . self::RUN, 404)['error']['code']);
        $mixed = self::json('get=tree&source=shop&run=' . Fixtures::BEFORE . ',' . Fixtures::AFTER, 404)['error'];
        self::assertStringStartsWith('The run ' . Fixtures::BEFORE . ' has no call tree', $mixed['message']);
    }

    public function testSamples(): void
    {
        self::assertSame('not-found', self::json('get=samples&' . self::RUN, 404)['error']['code']);
        $run = (new RunFolder(self::$runs))->saveSamples([
            '1763680000.000000' => 'main()==>a',
            '1763680000.100000' => 'main()==>a==>b',
            '1763680000.200000' => 'main()',
        ], 'sampled', 'samples1');
        $data = self::json("get=samples&run=$run->id&source=sampled");
        self::assertSame([100000, 100000, 100000], $data['t']);
        $stack = static function (int $id) use ($data): string {
            $names = [];
            for (; $id >= 0; $id = $data['stacks']['parent'][$id]) {
                array_unshift($names, $data['names'][$data['stacks']['fn'][$id]]);
            }

            return implode('==>', $names);
        };
        self::assertSame(['main()==>a', 'main()==>a==>b', 'main()'], array_map($stack, $data['stack']));
        self::assertSame(3, self::json("get=tree&run=$run->id&source=sampled")['n'], 'made of the samples');
        self::json('get=samples&source=shop&run=' . Fixtures::BEFORE . ',' . Fixtures::AFTER, 400);
        array_map(unlink(...), glob(self::$runs . '/samples1.*') ?: []);
    }

    /** @return array<string, array{string, int, string}> */
    public static function wrongQueries(): array
    {
        return [
            'nothing' => ['', 400, 'bad-request'],
            'unknown get' => ['get=nope&' . self::RUN, 400, 'bad-request'],
            'get as an array' => ['get[]=functions&' . self::RUN, 400, 'bad-request'],
            'no run' => ['get=functions', 400, 'bad-request'],
            'unknown run' => ['get=functions&run=nope', 404, 'not-found'],
            'unknown run of a tree' => ['get=tree&run=nope', 404, 'not-found'],
            'traversal' => ['get=tree&run=../../etc/passwd', 400, 'bad-request'],
            'traversal in the source' => ['get=tree&run=a&source=..%2Fx', 400, 'bad-request'],
            'damaged run' => ['get=functions&source=shop&run=' . Fixtures::CUT_OFF, 500, 'failed'],
            'unknown function' => ['get=symbol&symbol=%3Cb%3E&' . self::RUN, 404, 'not-found'],
            'unknown hash' => ['get=symbol&symbol_hash=x&' . self::RUN, 404, 'not-found'],
            'bad weights' => ['get=tree&wts=1,x&source=shop&run=' . Fixtures::BEFORE . ',' . Fixtures::AFTER, 400, 'bad-request'],
        ];
    }

    #[DataProvider('wrongQueries')]
    public function testErrorsAreJson(string $query, int $status, string $code): void
    {
        $error = self::json($query, $status)['error'];
        self::assertSame($code, $error['code']);
        self::assertNotSame('', $error['message']);
        self::assertSame(405, self::$server->get("api.php?$query", 'POST')->status);
    }

    public function testWhatTheClientHasIsNotSentAgain(): void
    {
        foreach (['functions', 'edges', 'symbol&symbol=strlen', 'tree', 'columns&documents=tree'] as $get) {
            $url = "api.php?get=$get&" . self::TREE;
            $tag = self::$server->get($url)->headers['etag'];
            $again = self::$server->get($url, headers: ["If-None-Match: \"other\", $tag"]);
            self::assertSame([304, '', $tag], [$again->status, $again->body, $again->headers['etag']]);
            $other = self::$server->get("$url&corrected=1", headers: ["If-None-Match: $tag"]);
            self::assertSame(200, $other->status, 'another answer');
            $head = self::$server->get($url, 'HEAD');
            self::assertSame([200, ''], [$head->status, $head->body]);
        }
        $url = 'api.php?get=functions&' . self::TREE;
        $tag = self::$server->get($url)->headers['etag'];
        touch(RunFiles::path(self::$runs, Fixtures::CORRECTED . '.api'), time() + 5);
        self::assertSame(200, self::$server->get($url, headers: ["If-None-Match: $tag"])->status, 'the run has changed');
        self::assertArrayNotHasKey('etag', self::$server->get('api.php?get=nope')->headers);
    }

    public function testCompressedOnItsWayToOtherMachines(): void
    {
        putenv('XHPROF_UI_PASSWORD=secret sesame');
        $server = new PageServer(self::ROOT, self::$runs);
        putenv('XHPROF_UI_PASSWORD');
        foreach (['functions', 'tree', 'columns&documents=tree'] as $get) {
            $url = "api.php?get=$get&" . self::TREE;
            $plain = self::$server->get($url, headers: ['Accept-Encoding: gzip']);
            self::assertArrayNotHasKey('content-encoding', $plain->headers, 'this machine is near');
            $far = ['X-Forwarded-For: 192.0.2.1', 'Authorization: Basic ' . base64_encode(':secret sesame')];
            $packed = $server->get($url, headers: [...$far, 'Accept-Encoding: br, gzip;q=0.8']);
            self::assertSame('gzip', $packed->headers['content-encoding']);
            self::assertSame('Accept-Encoding', $packed->headers['vary']);
            self::assertSame($plain->body, gzdecode($packed->body));
            foreach ($get === 'tree' ? [] : [$plain, $packed] as $page) {
                // What a reader is shown as the end, whatever way the answer goes. A program needs none.
                self::assertSame((string) strlen($plain->body), $page->headers['x-xhprof-bytes']);
            }
            $same = self::$server->get($url, headers: ['If-None-Match: ' . $plain->headers['etag']]);
            $kept = $same->headers['x-xhprof-bytes'] ?? null;
            self::assertSame([304, null], [$same->status, $kept], 'that of the first answer');
            foreach (['identity', 'gzip;q=0', ''] as $accepted) {
                $page = $server->get($url, headers: [...$far, "Accept-Encoding: $accepted"]);
                self::assertSame($plain->body, $page->body);
            }
        }
    }

    public function testLargeRunsInLittleMemory(): void
    {
        $edges = [];
        for ($i = 1; $i < 27000; $i++) {
            $edges['main()==>App\Module::f' . $i] = ['ct' => 1, 'wt' => $i, 'cpu' => $i, 'mu' => -$i, 'pmu' => 1];
        }
        for ($i = 27000; $i < 100000; $i++) {
            $from = intdiv($i, 5) - 1000;
            $to = $i % 26999 + 1;
            $edges["App\Module::f$from==>App\Module::f$to"] = ['ct' => 1, 'wt' => 1, 'cpu' => 1, 'mu' => 0, 'pmu' => 0];
        }
        $edges['main()'] = ['ct' => 1, 'wt' => 1 << 40, 'cpu' => 1 << 39, 'mu' => 1 << 30, 'pmu' => 1 << 30];
        $run = (new RunFolder(self::$runs))->save($edges, 'large', 'large1', ['url' => '/large']);
        $server = new PageServer(self::ROOT, self::$runs, ['memory_limit=256M']);
        foreach (['index.php?', 'index.php?symbol=main()&', 'api.php?get=functions&', 'api.php?get=edges&'] as $url) {
            self::assertSame(200, $server->get("{$url}run=$run->id&source=large")->status, $url);
        }
        $function = self::open("index.php?run=$run->id&source=large&symbol=main()");
        self::assertCount(20, $function->find('//section[@aria-labelledby="callees"]//tbody/tr'));
        $callees = $function->text('//section[@aria-labelledby="callees"]');
        self::assertStringContainsString('20 of 26 999 · Show more', $callees);
        self::assertStringContainsString('Callees 26 999', $function->text('//h2[@id="callees"]'));
        $more = self::open($function->attributes('//section[@aria-labelledby="callees"]//a[. = "Show more"]', 'href')[0]);
        self::assertCount(5000, $more->find('//section[@aria-labelledby="callees"]//tbody/tr'));
        array_map(unlink(...), glob(self::$runs . '/large1.*') ?: []);
    }

    public function testAFunctionAsTheCallGraphHasIt(): void
    {
        $run = 'run=' . Fixtures::BEFORE . '&source=shop';
        $read = static fn (string $query): array => (array) json_decode(self::$server->get("api.php?$run&$query")->body, true);
        $symbol = $read('get=symbol&symbol=' . rawurlencode('PDOStatement::execute'));
        $drawn = $read('get=graph&metric=wt&symbol=' . rawurlencode('PDOStatement::execute'));
        self::assertSame(array_intersect_key($symbol['row'], ['ct' => 1, 'wt' => 1, 'excl_wt' => 1]), $drawn['row']);
        foreach (['callers', 'callees'] as $side) {
            $figures = static fn (array $rows): array => array_column($rows, 'wt', 'name');
            // The graph also has the callers that call it while it is already running.
            self::assertSame([], array_diff_assoc($figures($symbol[$side]), $figures($drawn[$side])), $side);
            self::assertNotSame([], $symbol[$side]);
        }
        self::assertStringContainsString('symbol=PDOStatement', $drawn['links']['Function page']);
        $hidden = $read('get=graph&metric=wt&internals=0&symbol=' . rawurlencode('App\Http\Router::get'));
        self::assertNotContains('json_decode', array_column([...$hidden['callers'], ...$hidden['callees']], 'name'));
        self::assertSame('not-found', $read('get=graph&internals=0&symbol=json_decode')['error']['code']);
        $graph = $read('get=graph&internals=0&threshold=0&nodes=1000')['graph'];
        self::assertNotContains('json_decode', array_column($graph['nodes'], 'name'));
        self::assertEqualsWithDelta($graph['total'], array_sum(array_column($graph['nodes'], 'excl')), 1.0, 'nothing is lost');
    }
}
