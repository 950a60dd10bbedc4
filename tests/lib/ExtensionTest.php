<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Functions\FlatReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Run\ChangedRun;
use XHProf\Run\RunId;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/TemporaryFolder.php';

/**
 * The library reads the files of this checkout's extension.
 */
final class ExtensionTest extends TestCase
{
    use TemporaryFolder;

    private const PROGRAM = <<<'PHP'
        function fib(int $n): int { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
        final class Any { public function __call(string $name, array $arguments): int { return strlen($name); } }
        xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
        fib(10);
        (new Any())->{"\xFF\0<b>"}();
        eval('function evaluated() { return strrev("x"); } evaluated();');
        array_map(static fn (int $n): int => fib($n), [1, 2, 3]);
        include FOLDER . '/included.php';
        $edges = xhprof_disable();
        $id = xhprof_save('lib', ['label' => 'test']);
        echo serialize(['id' => $id, 'edges' => $edges, 'tree' => xhprof_call_tree()]);
        PHP;

    /** What xhprof_save() takes as a source stays the same in the classic library, which makes such a one of any other text. */
    public function testSourcesAreOneRule(): void
    {
        $texts = ['a', 'A-Z_9', str_repeat('a', 64), str_repeat('a', 65), '', 'a b', 'a/b', "a\n", 'größe', '-', '..'];
        $texts[] = str_repeat('/x', 500);
        $autoload = var_export(dirname(__DIR__, 2) . '/xhprof_lib/autoload.php', true);
        $result = $this->profiled("require $autoload;" . 'xhprof_enable(); xhprof_disable(); $taken = [];
            foreach (' . var_export($texts, true) . ' as $text) {
                try { xhprof_save($text); $taken[] = true; } catch (ValueError) { $taken[] = false; }
                xhprof_save(XHProf\Run\RunId::ofProgram("x", $text)->source);
            }
            echo serialize(["taken" => $taken]);');
        foreach ($texts as $i => $text) {
            self::assertSame(RunId::ofProgram('x', $text)->source === $text, $result['taken'][$i] ?? null, $text);
        }
    }

    public function testTheEdgesTheTreeAndTheFilesAgree(): void
    {
        file_put_contents("$this->folder/included.php", '<?php function included() { return 1; } included();');
        $run = $this->profiled('define("FOLDER", ' . var_export($this->folder, true) . '); ' . self::PROGRAM);
        self::assertIsArray($run['edges']);
        self::assertIsArray($run['tree']);
        self::assertIsString($run['id']);

        // Folding the tree gives the array of xhprof_disable(), in the same order.
        $tree = CallTree::fromArray($run['tree']);
        self::assertSame($run['edges'], $tree->toEdges(false)->edges());
        $profile = Profile::fromEdges($run['edges']);
        $main = $profile->edges()['main()'];
        foreach (['wt', 'cpu', 'mu', 'pmu'] as $metric) {
            self::assertSame($main[$metric], $profile->totals()[$metric]);
            $exclusive = array_column(FlatReport::compute($profile)->rows(), "excl_$metric");
            self::assertSame($main[$metric], array_sum($exclusive));
        }

        $store = new RunFolder($this->folder);
        $id = $store->identify($run['id'], 'lib');
        // The saved run has the code of files as functions, in both shapes.
        self::assertSame($tree->toEdges()->edges(), $store->open($id)->profile()->recorded()->edges());
        self::assertSame($tree->toProfile()->edges(), $store->open($id)->profile()->edges());
        self::assertSame($tree->fn, $store->open($id)->tree()?->fn);
        self::assertSame($tree->self, $store->open($id)->tree()->self);
        self::assertSame($tree->corrected, $store->open($id)->tree()->corrected);
        self::assertNotSame([], $tree->corrected);
        $saved = $store->open($id)->profile();
        $both = ChangedRun::corrected($store->open($id))?->profile();
        self::assertSame(['wt', 'corrected_wt', 'cpu', 'corrected_cpu', 'mu', 'pmu'], $both?->metrics());
        self::assertSame(array_keys($saved->edges()), array_keys($both->edges()));
        self::assertSame(['user', 'internal'], array_keys($store->open($id)->meta()->recording->overhead));
        $meta = $store->open($id)->meta();
        self::assertSame(['label' => 'test'], $meta->meta);
        self::assertSame($main['wt'], $meta->totals->figures['wt']);
        self::assertSame(['CPU', 'MEMORY'], $meta->recording->flagNames);
        self::assertNull($store->list()[0]->error);
    }

    public function testEveryColumnOfARunIsInTheListOfMetrics(): void
    {
        $run = $this->profiled(<<<'PHP'
            xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY | XHPROF_FLAGS_ALLOC);
            $kept = array_map(str_repeat(...), ['a', 'b'], [1000, 2000]);
            echo serialize(['edges' => xhprof_disable(), 'tree' => xhprof_call_tree()]);
            PHP);
        self::assertIsArray($run['edges']);
        self::assertIsArray($run['tree']);
        $tree = CallTree::fromArray($run['tree']);
        $columns = [...$tree->metrics(), ...$tree->correctedMetrics(), ...array_keys($tree->allocations)];
        self::assertCount(12, $columns);
        self::assertSame([], array_diff([...$columns, ...array_keys($run['edges']['main()'])], array_keys(Metrics::all())));
    }

    /**
     * @return array<mixed> the unserialized output of a program that runs with the extension of this checkout
     */
    private function profiled(string $code): array
    {
        $extension = dirname(__DIR__, 2) . '/extension/modules/xhprof.so';
        if (!is_file($extension)) {
            self::markTestSkipped('the extension is not built');
        }
        $options = ['-n', '-d', "extension=$extension", '-d', "xhprof.output_dir=$this->folder"];
        $output = (string) shell_exec(implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, ...$options, '-r', $code])));
        $run = unserialize($output, ['allowed_classes' => false]);
        self::assertIsArray($run, $output);

        return $run;
    }
}
