<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Store\Label;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** A sampled run has all pages, and is marked as such. All of them show a run's label. */
final class SampledRunTest extends PagesTestCase
{
    private const RUN = 'run=sampled&source=web';

    public static function setUpBeforeClass(): void
    {
        parent::setUpBeforeClass();
        $samples = [];
        for ($i = 0; $i < 200; $i++) {
            $stack = 'main()==>App\Kernel::handle' . ($i % 4 === 0 ? '' : '==>App\Page::show');
            $samples[sprintf('1763680000.%06d', $i * 1000)] = $stack . ($i % 3 === 0 ? '==>strlen' : '');
        }
        $store = new RunFolder(self::$runs);
        $id = $store->saveSamples($samples, 'web', 'sampled');
        $store->setLabel($id, Label::fromInput(true, ['slow one'], "after <b>lunch</b>\nand a nap"));
        RunFiles::classic(self::$runs, 'bare.web', array_slice($samples, 0, 100));
        self::saveAllocations();
    }

    /** A run of xhprof.mode=alloc with alloc_sample_bytes, as the extension writes it: nothing in it has a time. */
    private static function saveAllocations(): void
    {
        RunFiles::write(self::$runs, 'allocations.web', ['tree' => [
            'order' => 'preorder', 'sampled' => ['interval_bytes' => 1 << 16], 'n' => 3,
            'names' => ['main()', 'App\Page::show', 'strlen'], 'fn' => [0, 1, 2], 'depth' => [0, 1, 2], 'ct' => [2, 0, 9],
            'self' => [
                'samples' => [2, 0, 9], 'allocated_bytes' => [100_000, 0, 900_000], 'allocated_blocks' => [50, 0, 700],
                'freed_bytes' => [0, 0, 300_000], 'freed_blocks' => [0, 0, 200],
                'live_bytes' => [100_000, 0, 600_000], 'live_blocks' => [50, 0, 500],
            ],
        ], 'meta' => [
            'v' => 1, 'id' => 'allocations', 'source' => 'web', 'ts' => 1763680000.5, 'duration_us' => 7000, 'url' => '/slow',
            'method' => 'GET', 'calls' => 11, 'functions' => 3, 'totals' => ['wt' => 7000], 'start' => 'yes', 'mode' => 'alloc',
            'samples' => 11, 'sampling' => ['interval_bytes' => 1 << 16, 'taken' => 11, 'dropped' => 3],
        ]]);
    }

    public function testSampledAllocationsHaveNoTimes(): void
    {
        $page = self::open('index.php?run=allocations&source=web');
        $warning = 'Sampled every 64.0 KB of allocated memory: bytes are estimates, what allocates little may be missing, '
            . 'and times were not recorded.';
        self::assertStringContainsString($warning, $page->text('//p[@class="warning"]'));
        self::assertSame(
            '11 samples, one per 64.0 KB of allocated memory; 3 were dropped: the buffer was full.',
            $page->text('//details//dl/div[dt="Sampling"]/dd'),
        );
        $heads = $page->texts('//table[contains(@class, "functions")]/thead//th');
        self::assertSame([], preg_grep('/time|calls/i', $heads));
        $functions = json_decode(self::$server->get('api.php?get=functions&run=allocations&source=web')->body, true);
        self::assertSame(['allocated_bytes', 'samples'], array_values(array_unique(preg_replace(
            '/^(excl|per)_/',
            '',
            array_diff(array_keys($functions['m']), ['ct']),
        ))));
        $columns = $functions['m'];
        $figures = array_combine($functions['names'], array_map(null, $columns['ct'], $columns['excl_allocated_bytes']));
        self::assertEquals(['main()' => [2, 100_000], 'App\Page::show' => [0, 0], 'strlen' => [9, 900_000]], $figures);
        $flame = self::open('index.php?run=allocations&source=web&view=flame')->text('//main');
        self::assertStringContainsString('977 KB', $flame, 'its widths are bytes unless one asks for another metric');
    }

    public function testFunctionsOfASampledRun(): void
    {
        $page = self::open('index.php?' . self::RUN . '&sort=excl_wt');
        self::assertStringContainsString('Sampled every 1.00 ms: times are estimates', $page->text('//p[@class="warning"]'));
        $sampling = '//details//dl/div[dt="Sampling"]/dd';
        self::assertSame('200 samples, one per 1.00 ms of time, in a run of 200 ms.', $page->text($sampling));
        self::assertStringContainsString('Samples200', implode(' ', $page->texts('//dl[@class="tiles"]/div')));
        $shown = $page->texts('//table[contains(@class, "functions")]/tbody/tr/th//*[@class="fn"]');
        self::assertSame(['App\Page::show', 'strlen', 'App\Kernel::handle', 'main()'], $shown);
        $heads = $page->texts('//table[contains(@class, "functions")]/thead//th');
        self::assertContains('Self samples', $heads);
        self::assertSame([], array_intersect(['Calls', 'Per call'], $heads));
        $bare = self::open('index.php?run=bare&source=web');
        self::assertSame('100 samples, one per 1.00 ms of time, in a run of 100 ms.', $bare->text($sampling));
    }

    public function testAllViewsOfASampledRunOpen(): void
    {
        foreach (['flame', 'sandwich', 'graph', 'timeline', 'export'] as $view) {
            self::open('index.php?' . self::RUN . "&view=$view");
        }
        self::open('index.php?' . self::RUN . '&symbol=' . rawurlencode('App\Page::show'));
        self::open('index.php?run=sampled,bare&source=web');
        self::open('index.php?run1=bare&run2=sampled&source=web');
        self::open('index.php?' . self::RUN . '&view=memory', 404);
        foreach (['tree', 'samples', 'edges', 'functions'] as $get) {
            self::assertSame(200, self::$server->get("api.php?get=$get&" . self::RUN)->status, $get);
        }
    }

    /** @return array<string, array{string}> */
    public static function pages(): array
    {
        $function = '&symbol=' . rawurlencode('App\Page::show');
        $views = [
            'run=sampled' => ['', '&view=flame', '&view=flame&metric=ct', '&view=sandwich', '&view=sandwich&metric=ct&sel=strlen',
                '&view=graph', $function, "&sort=ct$function"],
            'run=sampled,bare' => ['', '&view=graph', $function],
            'run1=bare&run2=sampled' => ['', '&view=graph', $function, '&sort=ct'],
            'run=allocations' => ['', '&view=flame', '&view=flame&metric=samples', '&view=sandwich', '&view=graph',
                '&view=calltree', $function, "&sort=ct$function"],
            'run1=allocations&run2=allocations' => ['', '&view=graph', $function],
        ];
        $pages = [];
        foreach ($views as $run => $ofRun) {
            foreach ($ofRun as $view) {
                $pages[$run . $view] = ["$run&source=web$view"];
            }
        }

        return $pages;
    }

    /** Its counts are samples: no page, tooltip or API answer names them calls. */
    #[DataProvider('pages')]
    public function testNoViewShowsSamplesAsCalls(string $query): void
    {
        $page = self::open("index.php?$query");
        $heads = '//th | //dt | //option';
        self::assertSame([], preg_grep('/\bcalls\b(?! paths)/i', $page->texts($heads)) ?: []);
        $counts = '/[0-9] calls?\b(?! path)/';
        self::assertDoesNotMatchRegularExpression($counts, implode("\n", $page->texts('//main')));
        self::assertSame([], preg_grep($counts, $page->attributes('//*[@title]', 'title')) ?: []);
        self::assertSame(['Self samples'], $page->attributes('//main', 'data-counts'));
    }

    public function testTheApiReportsSamplesInPlaceOfCalls(): void
    {
        $run = self::RUN;
        foreach (
            ["functions&$run", "edges&$run", "symbol&symbol=strlen&$run", 'mean&run=sampled,bare&source=web',
            'diff&run1=bare&run2=sampled&source=web'] as $get
        ) {
            $answer = json_decode(self::$server->get("api.php?get=$get")->body, true);
            self::assertIsArray($answer);
            self::assertSame('Self samples', array_column($answer['metrics'], 'label', 'k')['ct'], $get);
        }
        $functions = json_decode(self::$server->get("api.php?get=functions&$run")->body, true);
        $diff = json_decode(self::$server->get('api.php?get=diff&run1=sampled&run2=sampled&source=web')->body, true);
        $symbol = json_decode(self::$server->get("api.php?get=symbol&symbol=main()&$run")->body, true);
        self::assertSame(0, $symbol['row']['ct'], 'no sample was taken in main() itself');
        $counts = array_combine($functions['names'], $functions['m']['ct']);
        self::assertSame(0, $counts['main()']);
        self::assertEquals($counts, array_combine($diff['names'], $diff['a']['ct']));
    }

    public function testTheListShowsTheNumberOfSamples(): void
    {
        $page = self::open('index.php?only=web&sort=ct');
        $titles = $page->attributes('//td[contains(@class, "m-ct")]', 'title');
        self::assertSame(['200 samples', '100 samples', '11 samples'], $titles);
    }

    public function testTheLabelOfASampledRunCanBeChanged(): void
    {
        $page = self::open('index.php?' . self::RUN);
        self::assertSame(['slow one'], $page->texts('//a[@class="tag"]'));
        self::assertSame('after <b>lunch</b>and a nap', $page->text('//p[contains(@class, "remark")]'));
        self::assertCount(1, $page->find('//*[@class="pin"]'));
        $form = self::open($page->attributes('//a[text()="Label"]', 'href')[0]);
        self::assertSame('run', $form->attributes('//input[@name="to"]', 'value')[0]);
        $token = str_repeat('0123456789abcdef', 4);
        $fields = ['csrf' => $token, 'do' => 'label', 'to' => 'run', 'pick' => ['sampled.web'], 'tags' => 'fast'];
        $answer = self::$server->post('index.php', http_build_query($fields), ["Cookie: xhprof_csrf=$token"]);
        self::assertSame('index.php?' . self::RUN, $answer->headers['location']);
        self::assertSame(['fast'], self::open($answer->headers['location'])->texts('//a[@class="tag"]'));
    }
}
