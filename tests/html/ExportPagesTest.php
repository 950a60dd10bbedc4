<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\App\Pages;
use XHProf\Share\AllFormats;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** The pages for export and import, and the files that are downloaded. */
final class ExportPagesTest extends PagesTestCase
{
    private const CORRECTED = 'run=' . Fixtures::CORRECTED . '&source=api';

    public function testThePageOffersEveryFormat(): void
    {
        $page = self::open('index.php?' . self::CORRECTED . '&view=export&metric=cpu');
        $labels = array_map(static fn ($format): string => $format::LABEL, array_values(AllFormats::of(Pages::all())));
        self::assertSame($labels, $page->texts('//table//tbody//th/a'));
        foreach ($page->attributes('//table//tbody//th/a', 'href') as $url) {
            self::assertStringStartsWith('api.php?get=export&format=', $url);
        }
        self::assertStringContainsString('cpu time', implode(' ', $page->texts('//table//td')));
        self::assertStringContainsString('&metric=cpu', $page->attributes('//a[text()="Folded stacks"]', 'href')[0]);
    }

    public function testWithoutCallPathsSomeAreNotOffered(): void
    {
        $page = self::open('index.php?run=' . Fixtures::BEFORE . '&source=shop&view=export');
        $absent = ['speedscope', 'pprof', 'OpenTelemetry', 'Folded stacks', 'Chrome trace'];
        self::assertSame($absent, $page->texts('//tr[@class="absent"]/th'));
        $answer = self::$server->get('api.php?get=export&format=pprof&run=' . Fixtures::BEFORE . '&source=shop');
        self::assertSame(404, $answer->status);
        self::assertStringContainsString('this run has no call paths', $answer->body);
    }

    public function testTheMeanOfSeveralRunsCanBeExported(): void
    {
        $runs = Fixtures::BEFORE . ',' . Fixtures::AFTER;
        $page = self::open("index.php?run=$runs&source=shop&view=export");
        self::assertContains('CSV', $page->texts('//table//tbody//th/a'));
        $file = self::$server->get("api.php?get=export&format=csv&run=$runs&source=shop");
        self::assertSame(200, $file->status);
        self::assertStringStartsWith('function,ct,wt_us,', $file->body);
    }

    /** @return iterable<string, array{string}> */
    public static function formats(): iterable
    {
        foreach (array_keys(AllFormats::of(Pages::all())) as $name) {
            yield $name => [$name];
        }
    }

    #[DataProvider('formats')]
    public function testADownloadIsAFileAndNothingThatRunsHere(string $format): void
    {
        $answer = self::$server->get("api.php?get=export&format=$format&" . self::CORRECTED);
        self::assertSame(200, $answer->status, $answer->body);
        self::assertSame('nosniff', $answer->headers['x-content-type-options']);
        self::assertStringNotContainsString('html', $answer->headers['content-type']);
        self::assertStringContainsString('sandbox', $answer->headers['content-security-policy']);
        $name = Fixtures::CORRECTED . '.api.' . AllFormats::named($format, Pages::all())::EXTENSION;
        self::assertSame("attachment; filename=\"$name\"", $answer->headers['content-disposition']);
        self::assertGreaterThan(300, strlen($answer->body));
        foreach ([self::$runs, dirname(__DIR__, 2)] as $secret) {
            self::assertStringNotContainsString($secret, $answer->body);
        }
    }

    public function testAnImpossibleExportIsRefusedInOneSentence(): void
    {
        foreach (
            [
                'format=pdf&' . self::CORRECTED => [400, 'There is no such format.'],
                'format[]=csv&' . self::CORRECTED => [400, 'must be given once'],
                'format=csv&metric=<b>&' . self::CORRECTED => [404, 'no metric'],
                'format=csv&run=../../etc/passwd' => [400, 'This is not a run'],
                'format=csv&run=' . Fixtures::CUT_OFF . '&source=shop' => [500, 'This run cannot be read'],
                'format=json&run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER . '&source=shop' => [400, 'get=diff'],
            ] as $query => [$status, $words]
        ) {
            $answer = self::$server->get("api.php?get=export&$query");
            self::assertSame($status, $answer->status, $query);
            $error = json_decode($answer->body, true)['error'];
            self::assertStringContainsString($words, $error['message']);
            self::assertStringNotContainsString(self::$runs, $answer->body);
        }
    }

    public function testHostileNamesInEveryFormat(): void
    {
        foreach (AllFormats::of(Pages::all()) as $name => $format) {
            $query = "api.php?get=export&format=$name&run=" . Fixtures::HOSTILE . '&source=hostile';
            $answer = self::$server->get($query);
            self::assertSame($format::NEEDS_PATHS ? 404 : 200, $answer->status, $name);
            if ($name === 'html') {
                self::assertStringNotContainsString('<script>alert', $answer->body);
                self::assertSame(1, preg_match('//u', $answer->body));
                self::assertStringEndsWith("</html>\n", $answer->body);
            }
        }
    }

    public function testAComparisonAsCsv(): void
    {
        $query = 'run1=' . Fixtures::BEFORE . '&run2=' . Fixtures::AFTER . '&source=shop';
        $answer = self::$server->get("api.php?get=export&format=csv&$query");
        self::assertSame(200, $answer->status);
        $lines = [];
        foreach (explode("\r\n", trim($answer->body)) as $line) {
            $lines[] = array_map(strval(...), str_getcsv($line, ',', '"', ''));
        }
        $head = array_shift($lines);
        foreach ($lines as $line) {
            $row = array_combine($head, $line);
            self::assertSame((int) $row['wt_us_after'] - (int) $row['wt_us_before'], (int) $row['wt_us_change']);
        }
        $status = array_column($lines, 1, 0);
        self::assertSame(['gone', 'new'], [$status[Fixtures::GONE], $status[Fixtures::ADDED]]);
    }

    public function testTheFormForImport(): void
    {
        $page = self::open('index.php?view=import&source=nightly');
        self::assertSame(['post'], $page->attributes('//form[@class="import-form"]', 'method'));
        self::assertSame(['multipart/form-data'], $page->attributes('//form[@class="import-form"]', 'enctype'));
        self::assertSame(['nightly'], $page->attributes('//input[@name="source"]', 'value'));
        self::assertCount(1, $page->find('//form//input[@type="hidden"][@name="csrf"]'));
    }

    public function testNothingIsImportedWithoutTheToken(): void
    {
        $count = count(scandir(self::$runs) ?: []);
        self::assertSame(403, self::$server->get('index.php?view=import', 'POST')->status);
        self::assertCount($count, scandir(self::$runs) ?: []);
    }

    public function testWhatAFileHasLeftOutIsShown(): void
    {
        $answer = self::sent('odd.folded', "a;b 5\nno <b>number</b>\n");
        self::assertSame(200, $answer->status);
        self::assertStringContainsString('1 line was skipped: line 2 (&quot;no &lt;b&gt;number&lt;/b&gt;&quot;)', $answer->body);
        self::assertSame(303, self::sent('good.folded', "a;b 5\n")->status, 'the run itself, where nothing is left out');
        $answer = self::sent('perf.data', 'PERFILE2');
        self::assertSame(400, $answer->status);
        self::assertStringContainsString('this is a recording of perf', $answer->body);
    }

    /** Of 1 MB that unpacks to 260 MB: the only process of a server is not held until its end. */
    public function testAFileThatUnpacksToMuchIsGivenUp(): void
    {
        $deflate = deflate_init(ZLIB_ENCODING_GZIP, ['level' => 9]);
        self::assertNotFalse($deflate);
        $packed = '';
        for ($i = 0; $i < 260; $i++) {
            $line = 'main();' . str_repeat('x', (1 << 18) - 10) . " 1\n";
            $packed .= deflate_add($deflate, str_repeat($line, 4), $i < 259 ? ZLIB_NO_FLUSH : ZLIB_FINISH);
        }
        $answer = self::sent('bomb.folded.gz', $packed);
        self::assertSame(400, $answer->status);
        self::assertStringContainsString('the file is larger than 200 MB', $answer->body);
    }

    private static function sent(string $name, string $bytes): Page
    {
        $token = str_repeat('ab', 32);
        $body = "--xx\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n$token\r\n"
            . "--xx\r\nContent-Disposition: form-data; name=\"file\"; filename=\"$name\"\r\n\r\n$bytes\r\n--xx--\r\n";

        return self::$server->post(
            'index.php?view=import',
            $body,
            ["Cookie: xhprof_csrf=$token"],
            'multipart/form-data; boundary=xx',
        );
    }

    /** A run of 33 KB whose folded stacks would take 1.2 GB: names of 500 bytes, each line a longer chain of them. */
    public function testAFileThatWouldBeTooLargeIsNotMade(): void
    {
        $count = 2600;
        $names = array_map(static fn (int $i): string => str_pad("f$i", 500, 'x'), range(1, 20));
        $ones = array_fill(0, $count, 1000);
        $tree = ['v' => 1, 'names' => $names, 'fn' => array_map(static fn (int $i): int => $i % 20, range(0, $count - 1)),
            'depth' => range(0, $count - 1), 'ct' => $ones, 'self' => ['wt' => $ones]];
        RunFiles::classic(self::$runs, 'bomb.big', ['main()' => ['ct' => 1, 'wt' => 1]]);
        RunFiles::put(self::$runs, 'bomb.big', ['tree' => $tree]);
        $answer = self::$server->get('api.php?get=export&format=folded&run=bomb&source=big');
        self::assertSame(413, $answer->status);
        self::assertStringContainsString('512 MB', $answer->body);
        self::assertStringContainsString('bin/xhprof export', $answer->body);
        self::assertSame(200, self::$server->get('api.php?get=export&format=speedscope&run=bomb&source=big')->status);
        RunFiles::delete(self::$runs, 'bomb.big');
    }
}
