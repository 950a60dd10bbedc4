<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Store\Label;
use XHProf\Store\RunStore;

require_once __DIR__ . '/PagesTestCase.php';

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
        $store = new RunStore(self::$runs);
        $id = $store->saveSamples($samples, 'web', 'sampled', ['url' => '/slow', 'method' => 'GET']);
        $store->setLabel($id, Label::of(true, ['slow one'], "after <b>lunch</b>\nand a nap"));
        file_put_contents(self::$runs . '/bare.web.xhprof', serialize(array_slice($samples, 0, 100)));
    }

    public function testFunctionsOfASampledRun(): void
    {
        $page = self::open('index.php?' . self::RUN . '&sort=excl_wt');
        self::assertStringContainsString('Sampled every 1.00 ms: times are estimates', $page->text('//p[@class="warning"]'));
        self::assertSame('200 samples, one per 1.00 ms of time.', $page->text('//details//dl/div[dt="Sampling"]/dd'));
        self::assertStringContainsString('Samples200', implode(' ', $page->texts('//dl[@class="tiles"]/div')));
        $shown = $page->texts('//table[contains(@class, "functions")]/tbody/tr/th//*[@class="fn"]');
        self::assertSame(['App\Page::show', 'strlen', 'App\Kernel::handle', 'main()'], $shown);
        $heads = $page->texts('//table[contains(@class, "functions")]/thead//th');
        self::assertContains('Self samples', $heads);
        self::assertSame([], array_intersect(['Calls', 'Per call'], $heads));
        $bare = self::open('index.php?run=bare&source=web');
        self::assertSame('100 samples, one per 1.00 ms of time.', $bare->text('//details//dl/div[dt="Sampling"]/dd'));
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
            ["functions&$run", "edges&$run", "symbol&symbol=strlen&$run", 'aggregate&run=sampled,bare&source=web',
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
        self::assertSame(['200 samples', '100 samples'], $page->attributes('//td[contains(@class, "m-ct")]', 'title'));
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
