<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use Opentelemetry\Proto\Collector\Profiles\V1development\ExportProfilesServiceRequest;
use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\ExportRuns;
use XHProf\Tests\Lib\Support\PprofDecoder;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/ExportRuns.php';
require_once __DIR__ . '/../lib/Support/PprofDecoder.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** User and system time, as xhprof.cpu_clock=getrusage records them, are two columns wherever a run is shown, compared or written. */
final class UserSystemTimeTest extends PagesTestCase
{
    private const RUNS = ['aa000000000000000000000000000001', 'aa000000000000000000000000000002'];

    public static function setUpBeforeClass(): void
    {
        parent::setUpBeforeClass();
        foreach (self::RUNS as $i => $id) {
            RunFiles::write(self::$runs, "$id.split", [
                'meta' => ['ts' => 1763680000 + $i, 'mode' => 'exact', 'clock' => ['wall' => 'tsc', 'cpu' => 'getrusage']],
                'tree' => [
                    'names' => ['main()', 'reads', 'computes'], 'fn' => [0, 1, 2], 'depth' => [0, 1, 1], 'ct' => [1, 2, 3],
                    'self' => [
                        'wt' => [1_000_000, 90_000_000, 50_000_000], 'cpu' => [1_000_000, 77_000_000, 49_000_000],
                        'ut' => [1_000_000, 7_000_000, 48_000_000 - $i * 8_000_000],
                        'st' => [0, 70_000_000, 1_000_000 + $i * 8_000_000],
                    ],
                ],
            ]);
        }
    }

    /** @param list<string> $arguments */
    private static function command(array $arguments): string
    {
        $command = [PHP_BINARY, dirname(__DIR__, 2) . '/bin/xhprof', ...$arguments, '--output-dir=' . self::$runs, '--wide'];

        return (string) shell_exec('COLUMNS=400 ' . implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1');
    }

    /** @return iterable<string, array{string, list<string>}> */
    public static function pages(): iterable
    {
        [$one, $two] = self::RUNS;
        yield 'a run' => ["index.php?run=$one&source=split", ['56.0', '71.0']];
        yield 'a function' => ["index.php?run=$one&source=split&symbol=computes", ['48.0', '1.00']];
        yield 'a difference' => ["index.php?run1=$one&run2=$two&source=split", ['-8.00', '8.00']];
        yield 'a mean' => ["index.php?run=$one,$two&source=split", ['52.0', '75.0']];
    }

    /** @param list<string> $figures */
    #[DataProvider('pages')]
    public function testPagesHaveBoth(string $path, array $figures): void
    {
        $text = html_entity_decode(strip_tags(self::open($path)->body));
        $text = str_replace(["\u{2212}", "\u{202F}", "\u{A0}"], ['-', ' ', ' '], $text);
        self::assertMatchesRegularExpression('/User CPU|\buser\b/', $text);
        self::assertMatchesRegularExpression('/System CPU|\bsys\b/', $text);
        foreach ($figures as $figure) {
            self::assertStringContainsString($figure, $text);
        }
    }

    public function testCommandsHaveBoth(): void
    {
        [$one, $two] = self::RUNS;
        $report = self::command(['report', $one]);
        self::assertStringContainsString('127 ms CPU', $report);
        self::assertMatchesRegularExpression('/excl user +incl user +excl sys +incl sys/', $report);
        self::assertMatchesRegularExpression('/7\.00 ms +7\.00 ms +70\.0 ms +70\.0 ms .*reads$/m', $report);
        $sorted = self::command(['report', $one, '--sort=st']);
        self::assertGreaterThan(strpos($sorted, 'reads'), strpos($sorted, 'computes'), $sorted);
        $json = json_decode(self::command(['report', $one, '--json']), true);
        self::assertIsArray($json);
        self::assertEquals(['ut' => 56000, 'st' => 71000], array_intersect_key($json['totals'], ['ut' => 0, 'st' => 0]));
        self::assertMatchesRegularExpression('/^user +56\.0 ms +48\.0 ms/m', self::command(['diff', $one, $two]));
        self::assertMatchesRegularExpression('/^sys +71\.0 ms +79\.0 ms/m', self::command(['diff', $one, $two]));
        $mean = self::command(['mean', $one, $two]);
        self::assertStringContainsString('user', $mean);
        self::assertStringContainsString('sys', $mean);
    }

    public function testExportsHaveBoth(): void
    {
        $run = (new RunFolder(self::$runs))->open(RunId::fromStrings(self::RUNS[0], 'split'));
        $pprof = PprofDecoder::decode(ExportRuns::written('pprof', $run));
        $user = array_search('ut/nanoseconds', $pprof['types'], true);
        $system = array_search('st/nanoseconds', $pprof['types'], true);
        self::assertIsInt($user);
        self::assertIsInt($system);
        $reads = $pprof['samples']['reads < main()'];
        self::assertSame([7_000_000, 70_000_000], [$reads[$user], $reads[$system]]);
        self::assertMatchesRegularExpression('/^events: .*User_.*System_/m', ExportRuns::written('callgrind', $run));
        self::assertMatchesRegularExpression('/ut.*st/', strtok(ExportRuns::written('csv', $run), "\n") ?: '');
        self::assertStringContainsString("main();reads 70000000\n", ExportRuns::written('folded', $run, 'st'));
        $edges = unserialize(ExportRuns::written('xhprof', $run), ['allowed_classes' => false]);
        self::assertIsArray($edges);
        self::assertSame(['ct' => 2, 'wt' => 90000, 'ut' => 7000, 'st' => 70000, 'cpu' => 77000], array_replace(
            ['ct' => 0, 'wt' => 0, 'ut' => 0, 'st' => 0, 'cpu' => 0],
            $edges['main()==>reads'],
        ));
        $request = new ExportProfilesServiceRequest();
        $request->mergeFromString(ExportRuns::written('otlp', $run));
        $strings = iterator_to_array($request->getDictionary()?->getStringTable() ?? []);
        self::assertContains('ut', $strings);
        self::assertContains('st', $strings);
    }
}
