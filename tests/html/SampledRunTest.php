<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use XHProf\Store\Label;
use XHProf\Store\RunStore;

require_once __DIR__ . '/PagesTestCase.php';

/** A run that was sampled has all pages, and says what it is. A run's label shows on all of them. */
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

    public function testItsFunctions(): void
    {
        $page = self::open('index.php?' . self::RUN . '&sort=excl_wt');
        self::assertStringContainsString('200 samples, one per 1.00 ms of time.', $page->text('//p[@class="warning"]'));
        self::assertStringContainsString('Samples200', implode(' ', $page->texts('//dl[@class="tiles"]/div')));
        $shown = $page->texts('//table[contains(@class, "functions")]/tbody/tr/th//*[@class="fn"]');
        self::assertSame(['App\Page::show', 'strlen', 'App\Kernel::handle', 'main()'], $shown);
        $heads = $page->texts('//table[contains(@class, "functions")]/thead//a');
        self::assertContains('Self samples', $heads);
        self::assertSame([], array_intersect(['Calls', 'Per call'], $heads));
        $bare = self::open('index.php?run=bare&source=web');
        self::assertStringContainsString('100 samples, one per 1.00 ms of time.', $bare->text('//p[@class="warning"]'));
    }

    public function testAllItsViews(): void
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

    public function testTheListTellsItsSamples(): void
    {
        $page = self::open('index.php?only=web&sort=ct');
        self::assertSame(['200 samples', '100 samples'], $page->attributes('//td[contains(@class, "m-ct")]', 'title'));
    }

    public function testItsLabelShowsAndCanBeChanged(): void
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
