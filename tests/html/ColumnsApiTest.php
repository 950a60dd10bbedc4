<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Functions\CountKind;
use XHProf\Functions\MetricList;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\Profile;
use XHProf\Run\RunFile;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;
use XHProf\Web\Api\TreeDocument;
use XHProf\Web\Http\Response;

require_once __DIR__ . '/../lib/Support/RunFiles.php';
require_once __DIR__ . '/PagesTestCase.php';

/** api.php?get=columns: the documents of a run as a run file, those of its own file as they are. */
final class ColumnsApiTest extends PagesTestCase
{
    private const RUN = 'run=drawn&source=shop';

    private const DOCUMENTS = [
        'meta' => ['v' => 1, 'id' => 'drawn', 'source' => 'shop', 'mode' => 'exact', 'overhead' => [
            'user' => ['callee' => 10.0, 'caller' => 3.0],
            'internal' => ['callee' => 5.5, 'caller' => 2.0],
        ]],
        'tree' => [
            'order' => 'preorder',
            'n' => 5,
            'unit' => ['wt' => 'ns'],
            'names' => ['main()', 'Größe', 'strlen', "\u{1F418}"],
            'function_kind' => [0, 0, 1, 0],
            'fn' => [0, 1, 2, 3, 2],
            'depth' => [0, 1, 2, 1, 1],
            'ct' => [1, 2, 70000, 1, 300],
            'call_line' => [0, 7, 7, 9, 9],
            'self' => ['wt' => [5000000, 20000, 900000, 1 << 33, 4000], 'mu' => [-5, 0, 3, 9, 0]],
        ],
        'timeline' => [
            'unit' => 'ns',
            'duration' => 100000,
            'threshold' => 0,
            'asked_threshold' => 0,
            't' => [10, 400, 70000],
            'd' => [300, 60000, 5],
            'node' => [1, 3, 4],
            'gc' => ['t' => [500], 'd' => [7], 'freed' => [3]],
        ],
        'operations' => [
            'kinds' => ['sql'],
            'texts' => ['SELECT 1'],
            'kind_of_text' => [0],
            'distinct_of_text' => [1],
            'text' => [0],
            'node' => [3],
            'ct' => [1],
            'total' => [60000],
            'max' => [60000],
            'distinct' => [1],
            'bounds' => [1000, 10000],
        ],
    ];

    public static function setUpBeforeClass(): void
    {
        self::$runs = self::folder();
        RunFiles::write(self::$runs, 'drawn.shop', self::DOCUMENTS);
        RunFiles::write(self::$runs, 'plain.shop', [
            'meta' => ['id' => 'plain'] + self::DOCUMENTS['meta'],
            'tree' => self::DOCUMENTS['tree'],
        ]);
        self::$server = new PageServer(self::ROOT, self::$runs);
    }

    private static function columns(string $query, ?PageServer $server = null): RunFile
    {
        $page = ($server ?? self::$server)->get("api.php?get=columns&$query");
        self::assertSame(200, $page->status, "$query: " . substr($page->body, 0, 300));
        self::assertSame('application/octet-stream', $page->headers['content-type']);
        self::assertSame('nosniff', $page->headers['x-content-type-options']);
        self::assertSame(Response::CONTENT_SECURITY_POLICY, $page->headers['content-security-policy']);
        self::assertSame((string) strlen($page->body), $page->headers['x-xhprof-bytes']);
        self::assertStringNotContainsString(self::$runs, $page->body);

        return RunFile::fromBytes($page->body, $query);
    }

    /** @return array<string, mixed> */
    private static function json(string $query, int $status = 200): array
    {
        $page = self::$server->get("api.php?$query");
        self::assertSame($status, $page->status, "$query: " . substr($page->body, 0, 300));
        self::assertSame('application/json', $page->headers['content-type']);

        return (array) json_decode($page->body, true, 64, JSON_THROW_ON_ERROR);
    }

    public function testDocumentsAreThoseOfTheFile(): void
    {
        $saved = RunFile::open(RunFiles::path(self::$runs, 'drawn.shop'));
        $sent = self::columns('documents=operations,timeline&' . self::RUN);
        self::assertEqualsCanonicalizing(['timeline', 'operations'], $sent->documents());
        foreach ($sent->documents() as $name) {
            self::assertEquals(self::DOCUMENTS[$name], $sent->document($name));
            self::assertSame($saved->bytesOf($name), $sent->bytesOf($name));
        }
        $tree = self::columns('documents=tree&' . self::RUN)->document('tree');
        self::assertEquals(self::DOCUMENTS['tree'], array_intersect_key($tree, self::DOCUMENTS['tree']));
        $more = array_diff_key($tree, self::DOCUMENTS['tree']);
        self::assertSame([MetricList::ofTree(CountKind::Calls), ['wt']], [$more['metrics'], $more['correctable']]);
        self::assertEqualsCanonicalizing(['metrics', 'version', 'correctable'], array_keys($more));
    }

    public function testProgramsGetTheSameAsJson(): void
    {
        foreach (['tree', 'timeline', 'operations'] as $name) {
            $data = self::json("get=$name&" . self::RUN);
            self::assertSame([1, $name], [$data['v'], $data['kind']]);
            $sent = self::columns("documents=$name&" . self::RUN)->document($name);
            unset($sent['kind'], $data['kind'], $data['v']);
            self::assertEquals($sent, $data, $name);
        }
        self::assertSame(404, self::$server->get('api.php?get=timeline&run=plain&source=shop')->status);
    }

    /** As an import of XHProf's JSON has them: their file has the times themselves. */
    public function testCorrectedTimesOfTheFileAreThose(): void
    {
        $corrected = ['wt' => [4000000, 1000, 2000, 3000, 0]];
        foreach (['without-kinds' => ['function_kind' => 0], 'with-kinds' => []] as $id => $without) {
            $tree = ['corrected' => $corrected] + array_diff_key(self::DOCUMENTS['tree'], $without);
            RunFiles::write(self::$runs, "$id.imported", ['tree' => $tree] + self::DOCUMENTS);
            $sent = self::columns("documents=tree&run=$id&source=imported")->document('tree');
            self::assertSame([$corrected, ['wt']], [$sent['corrected'], $sent['correctable']]);
            $asked = self::columns("documents=corrected&version=$sent[version]&run=$id&source=imported");
            self::assertSame($corrected, $asked->document('corrected'));
            $run = (new RunFolder(self::$runs))->named($id);
            self::assertSame([$corrected, ['wt']], [$run->tree()?->corrected, $run->correctedMetrics()]);
        }
    }

    public function testCorrectedTimesComeWhenTheyAreAskedFor(): void
    {
        $tree = CallTree::fromArray(self::DOCUMENTS['tree']);
        $expected = CorrectedTimes::addTo($tree, self::DOCUMENTS['meta']['overhead'])->corrected;
        self::assertSame(['wt'], array_keys($expected));
        self::assertNotSame($tree->self['wt'], $expected['wt']);
        $version = self::columns('documents=tree&' . self::RUN)->document('tree')['version'];
        self::assertSame($expected, self::columns("documents=corrected&version=$version&" . self::RUN)->document('corrected'));
        self::assertSame('changed', self::json('get=columns&documents=corrected&version=old&' . self::RUN, 409)['error']['code']);
        self::assertSame($expected, self::json('get=tree&corrected=1&' . self::RUN)['corrected']);
        self::assertArrayNotHasKey('corrected', self::json('get=tree&' . self::RUN));
        $several = 'run=drawn,plain&source=shop';
        self::assertSame(['wt'], array_keys(self::columns("documents=tree&$several")->document('tree')['corrected']));
        self::assertArrayNotHasKey('corrected', self::json("get=tree&$several"));
        self::json("get=columns&documents=corrected&$several", 400);
    }

    public function testComputedTreesAreWrittenAnew(): void
    {
        $mean = self::columns('documents=tree&run=drawn,plain&source=shop')->document('tree');
        self::assertSame([2, self::DOCUMENTS['tree']['fn']], [$mean['runs'], $mean['fn']]);
        self::assertEquals(self::DOCUMENTS['tree']['self'], $mean['self']);
        $range = self::columns('documents=tree,timeline&x0=0&x1=50&' . self::RUN);
        self::assertEquals(self::DOCUMENTS['timeline'], $range->document('timeline'));
        $tree = $range->document('tree');
        self::assertSame(50000, array_sum($tree['self']['wt']));
        self::assertSame(self::json('get=tree&x0=0&x1=50&' . self::RUN)['self'], $tree['self']);

        putenv(TreeDocument::MOST . '=10');
        $server = new PageServer(self::ROOT, self::$runs);
        putenv(TreeDocument::MOST);
        $names = ['main()', ...array_map(static fn (int $n): string => "f$n", range(1, 99))];
        RunFiles::write(self::$runs, 'wide.shop', ['meta' => ['id' => 'wide'], 'tree' => [
            'names' => $names,
            'fn' => range(0, 99),
            'depth' => [0, ...array_fill(0, 99, 1)],
            'ct' => array_fill(0, 100, 1),
            'self' => ['wt' => range(1000, 1099)],
        ]]);
        $pruned = self::columns('documents=tree&run=wide&source=shop', $server)->document('tree');
        self::assertSame([100, array_sum(range(1000, 1099))], [$pruned['pruned']['of'], array_sum($pruned['self']['wt'])]);
        self::assertLessThan(30, count($pruned['fn']));
        $part = self::columns("documents=tree&run=wide&source=shop&root=~0&version=$pruned[version]", $server)->document('tree');
        self::assertSame([], $part['names']);
        self::assertSame(0, $part['pruned']['origin'][0]);
    }

    public function testWhatARunHasNotIsLeftOut(): void
    {
        self::assertSame(['tree'], self::columns('documents=operations,tree,timeline&run=plain&source=shop')->documents());
        foreach (
            [
                ['documents=timeline,operations&run=plain&source=shop', 404, 'not-found'],
                ['documents=stacks&run=plain&source=shop', 404, 'not-found'],
                ['documents=&run=plain&source=shop', 400, 'bad-request'],
                ['documents=tree,meta&run=plain&source=shop', 400, 'bad-request'],
                ['documents=timeline&run=plain,drawn&source=shop', 400, 'bad-request'],
                ['documents=tree&run=none&source=shop', 404, 'not-found'],
                ['documents=tree&run=../x&source=shop', 400, 'bad-request'],
            ] as [$query, $status, $code]
        ) {
            $error = self::json("get=columns&$query", $status)['error'];
            self::assertSame($code, $error['code'], $query);
        }
        $profile = Profile::fromEdges(['main()' => ['ct' => 1, 'wt' => 5]]);
        $edges = (new RunFolder(self::$runs))->save($profile, 'shop', 'edges');
        self::assertSame('no-tree', self::json("get=columns&documents=tree&run=$edges->id&source=shop", 404)['error']['code']);
        $samples = ['1763680000.0' => 'main()==>a', '1763680000.1' => 'main()'];
        $stacks = (new RunFolder(self::$runs))->saveSamples($samples, 'shop', 'sampled');
        $sampled = self::columns("documents=stacks,tree&run=$stacks->id&source=shop");
        $document = $sampled->document('stacks');
        self::assertSame([['main()', 'a'], 'wt'], [$document['names'], $document['metric']['k']]);
        self::assertSame(2, $sampled->document('tree')['n']);
    }

    public function testADamagedFileIsNoAnswer(): void
    {
        $bytes = (string) file_get_contents(RunFiles::path(self::$runs, 'drawn.shop'));
        foreach (['cut' => substr($bytes, 0, -8), 'headless' => substr_replace($bytes, '!', 20, 1)] as $id => $damaged) {
            file_put_contents(RunFiles::path(self::$runs, "$id.shop"), $damaged);
            $page = self::$server->get("api.php?get=columns&documents=tree&run=$id&source=shop");
            self::assertSame(500, $page->status, $id);
            self::assertStringNotContainsString(self::$runs, $page->body);
        }
        // Two columns at one place: bytes are passed on, and refused by who reads them; nothing else is made of them.
        $twice = static fn (string $head): string => str_replace('"n":5,"unit"', '"fn":[], "u"', $head);
        file_put_contents(RunFiles::path(self::$runs, 'twice.shop'), RunFiles::withHead($bytes, $twice));
        self::assertSame(200, self::$server->get('api.php?get=columns&documents=tree&run=twice&source=shop')->status);
        $error = self::json('get=tree&run=twice&source=shop', 500)['error'];
        self::assertStringContainsString('tree.fn is there twice', $error['message']);
        self::json('get=columns&documents=tree,stacks&x0=0&x1=50&run=twice&source=shop', 500);
    }

    public function testNothingIsSentTwice(): void
    {
        $url = 'api.php?get=columns&documents=tree&' . self::RUN;
        $tag = self::$server->get($url)->headers['etag'];
        $again = self::$server->get($url, headers: ["If-None-Match: $tag"]);
        self::assertSame([304, ''], [$again->status, $again->body]);
        self::assertNotSame($tag, self::$server->get(str_replace('tree', 'timeline', $url))->headers['etag']);
    }
}
