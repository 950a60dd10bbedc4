<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Functions\CountKind;
use XHProf\Functions\MetricList;
use XHProf\Profile\Metric;
use XHProf\Profile\MetricKind;
use XHProf\Profile\Metrics;

/** The list of metrics is the only one. */
final class MetricsTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    public function testUnits(): void
    {
        self::assertSame(['us', 'us', 'us', 'bytes', 'bytes', 'bytes', 'count', 'count', 'count'], array_map(
            Metrics::unit(...),
            ['wt', 'excl_wt', 'excl_corrected_cpu', 'mu', 'excl_pmu', 'live_bytes', 'ct', 'live_blocks', 'Ir'],
        ));
        self::assertSame(['ns', 'bytes', 'count'], array_map(
            static fn (string $key): string => Metrics::of($key)->treeUnit(),
            ['wt', 'mu', 'samples'],
        ));
    }

    public function testAnUnknownMetricIsCalledByItsKey(): void
    {
        $metric = Metrics::of('Ir');
        self::assertSame(
            ['Ir', 'Ir', 'Ir', 'Ir', 'Ir', 'Ir', MetricKind::Cost, null],
            [
                $metric->label, $metric->words(), $metric->short, $metric->pprof, $metric->callgrindEvent(), $metric->key,
                $metric->kind, $metric->classic,
            ],
        );
    }

    public function testKnownOnesComeFirstAndInTheirOrder(): void
    {
        self::assertSame(
            ['wt', 'corrected_wt', 'cpu', 'mu', 'live_bytes', 'ct', 'Ir', 'Dr'],
            Metrics::ordered(['Ir', 'ct', 'mu', 'live_bytes', 'cpu', 'Dr', 'corrected_wt', 'wt', 'mu']),
        );
    }

    public function testNamesAreUnambiguous(): void
    {
        $known = Metrics::all();
        foreach (['label', 'short', 'pprof'] as $word) {
            $words = array_map(static fn (Metric $metric): string => $metric->$word, $known);
            self::assertSame(array_unique($words), $words, $word);
        }
        $events = array_map(static fn (Metric $metric): string => $metric->callgrindEvent(), $known);
        self::assertSame(array_unique($events), $events);
        foreach ($known as $key => $metric) {
            self::assertTrue(Metrics::isName($key), $key);
            self::assertSame($key, $metric->key);
            self::assertFalse(Metrics::isCorrected($key) && !isset($known[Metrics::counterpart($key)]), "$key is of nothing");
        }
    }

    /** The sources with the extension's names and units. */
    public function testWhatTheExtensionWritesIsInTheList(): void
    {
        $source = (string) file_get_contents(self::ROOT . '/extension/trace/figures.h');
        self::assertGreaterThan(9, preg_match_all('/F\(\w+, "(\w+)", "(\w*)", /', $source, $match));
        foreach (array_combine($match[1], $match[2]) as $key => $unit) {
            self::assertArrayHasKey($key, Metrics::all());
            self::assertSame(['ns' => 'ns', 'B' => 'bytes', '' => 'count'][$unit], Metrics::of($key)->treeUnit(), $key);
        }
    }

    public function testTheListForScripts(): void
    {
        $tree = MetricList::ofTree(CountKind::Samples);
        self::assertSame(['k' => 'ct', 'unit' => 'count', 'label' => 'Self samples', 'calls' => false], $tree[count($tree) - 1]);
        self::assertSame(['k' => 'wt', 'unit' => 'ns', 'label' => 'Wall time'], $tree[0]);
        $profile = MetricList::ofProfile(['mu', 'Ir'], CountKind::Calls);
        self::assertSame(['k' => 'mu', 'unit' => 'bytes', 'label' => 'Memory'], $profile[0]);
        self::assertSame(['k' => 'Ir', 'unit' => 'count', 'label' => 'Ir'], $profile[1]);
        self::assertTrue($profile[2]['calls'] ?? null);
    }

    /**
     * @return iterable<string, array{string, list<string>}>
     */
    public static function sources(): iterable
    {
        $names = [];
        foreach (Metrics::all() as $metric) {
            foreach ([$metric->label, $metric->pprof, $metric->callgrindEvent()] as $name) {
                // A single word may mean something else.
                if ($metric->kind !== MetricKind::Whole && $name !== $metric->key && preg_match('/[ _(]/', $name) === 1) {
                    $names[] = $name;
                }
            }
        }
        $sources = [
            ...array_diff(self::files('xhprof_lib/src', 'php'), ['xhprof_lib/src/Profile/Metrics.php']),
            ...self::files('xhprof_lib/display', 'php'),
            ...self::files('xhprof_lib/utils', 'php'),
            ...self::files('xhprof_html/assets/js', 'js'),
            ...self::files('xhprof_html/templates', 'twig'),
        ];
        foreach ($sources as $file) {
            yield $file => [$file, $names];
        }
    }

    /**
     * @param list<string> $names
     */
    #[DataProvider('sources')]
    public function testNoOtherSourceNamesAMetric(string $file, array $names): void
    {
        $source = (string) file_get_contents(self::ROOT . "/$file");
        $source = (string) preg_replace('~/\*.*?\*/|^\s*//[^\n]*~ms', '', $source);
        $found = array_filter($names, static fn (string $name): bool
            => preg_match('/[\'"`>]' . preg_quote($name, '/') . '[\'"`<,]/i', $source) === 1);
        self::assertSame([], $found, "$file has what Metrics::of() knows");
    }

    public function testStylesKnowNoMetric(): void
    {
        $keys = array_keys(array_filter(Metrics::all(), static fn (Metric $metric): bool => $metric->kind === MetricKind::Cost));
        // The list of runs has columns of its own.
        foreach (array_diff(self::files('xhprof_html/assets', 'css'), ['xhprof_html/assets/runs.css']) as $file) {
            $css = (string) preg_replace('/[^{}]*\.runs[^{}]*\{/', '', (string) file_get_contents(self::ROOT . "/$file"));
            preg_match_all('/\.(?:m|keep)-([a-z_]+)/', $css, $match);
            self::assertSame([], array_intersect($match[1], $keys), $file);
        }
    }

    /**
     * @return list<string> from the root of the project
     */
    private static function files(string $folder, string $extension): array
    {
        $files = [];
        $all = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator(
            self::ROOT . "/$folder",
            \FilesystemIterator::SKIP_DOTS | \FilesystemIterator::CURRENT_AS_FILEINFO,
        ));
        foreach ($all as $file) {
            if ($file instanceof \SplFileInfo && $file->getExtension() === $extension) {
                $files[] = substr($file->getPathname(), strlen(self::ROOT) + 1);
            }
        }
        sort($files);

        return $files;
    }
}
