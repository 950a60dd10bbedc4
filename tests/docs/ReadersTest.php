<?php

declare(strict_types=1);

namespace XHProf\Tests\Docs;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Tests\Bin\CliTestCase;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/../bin/CliTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** The readers that docs/formats.md shows, in three languages, as they stand there. */
final class ReadersTest extends CliTestCase
{
    /** Names of several bytes, a path with a name that is only internal, figures below and above 16 bits, one column of one value. */
    private const PROGRAM = <<<'PHP'
        <?php
        function naïve(int $n): int { return $n < 2 ? 1 : naïve($n - 1) + naïve($n - 2); }
        function 名前(): string { return str_repeat('x', 1000); }
        xhprof_enable(XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY);
        naïve(12);
        for ($i = 0; $i < 300; $i++) {
            名前();
        }
        usleep(1000);
        $tree = xhprof_disable() === [] ? [] : xhprof_call_tree();
        $own = array_fill_keys($tree['names'], 0);
        foreach ($tree['fn'] as $node => $function) {
            $own[$tree['names'][$function]] += $tree['self']['wt'][$node];
        }
        file_put_contents($argv[1], json_encode($own));
        echo xhprof_save('readers');
        PHP;

    /** @return iterable<string, array{string, string, list<list<string>>}> language of the block, file, commands that may run it */
    public static function languages(): iterable
    {
        yield 'Python' => ['python', 'reader.py', [['python3'], ['/usr/bin/python3']]];
        yield 'PHP' => ['php', 'reader.php', [[PHP_BINARY, '-n']]];
        yield 'JavaScript' => ['js', 'reader.cjs', [['node']]];
    }

    /** @param list<list<string>> $commands */
    #[DataProvider('languages')]
    public function testReader(string $language, string $file, array $commands): void
    {
        self::needExtension();
        $text = (string) file_get_contents(self::ROOT . '/docs/formats.md');
        $section = explode("\n## ", explode("\n## Readers in a few lines\n", $text)[1])[0];
        self::assertSame(1, preg_match("/^```$language\n(.*?)^```$/ms", $section, $match));
        file_put_contents("$this->folder/$file", ($language === 'php' ? "<?php\n" : '') . $match[1]);
        $usable = array_filter($commands, fn(array $command): bool => $this->canRun($command, $language));
        if ($usable === []) {
            self::markTestSkipped("there is nothing here that runs $language" . ($language === 'python' ? ', with numpy' : ''));
        }
        [$run, $own] = $this->makeRun();
        $result = $this->process([...array_values($usable)[0], "$this->folder/$file", $run]);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        $shown = [];
        foreach (explode("\n", rtrim($result->out)) as $line) {
            [$time, $name] = preg_match('/^ *(\d+\.\d{3}) ms  (.+)$/', $line, $match) === 1
                ? [$match[1], $match[2]]
                : self::fail("not a line of the table: $line");
            $shown[$name] = $time;
        }
        $sorted = $shown;
        arsort($sorted, SORT_NUMERIC);
        self::assertSame(array_values($sorted), array_values($shown));
        self::assertEquals(array_map(static fn(int $ns): string => sprintf('%.3f', $ns / 1e6), $own), $shown);
    }

    /** @param list<string> $command */
    private function canRun(array $command, string $language): bool
    {
        $arguments = $language === 'python' ? ['-c', 'import numpy'] : ['--version'];

        return $this->process(['sh', '-c', 'exec "$@" 2>/dev/null', 'sh', ...$command, ...$arguments])->exitCode === 0;
    }

    /** @return array{string, array<string, int>} the file; ns by function, the largest first, at most ten */
    private function makeRun(): array
    {
        file_put_contents("$this->folder/program.php", self::PROGRAM);
        $extension = (string) realpath(self::ROOT . '/extension/modules/xhprof.so');
        $command = [PHP_BINARY, '-n', '-d', "extension=$extension", '-d', "xhprof.output_dir=$this->folder/runs"];
        $result = $this->process([...$command, "$this->folder/program.php", "$this->folder/own.json"]);
        self::assertSame([0, ''], [$result->exitCode, $result->err]);
        /** @var array<string, int> $own */
        $own = json_decode((string) file_get_contents("$this->folder/own.json"), true, 4, JSON_THROW_ON_ERROR);
        arsort($own);

        return [RunFiles::path("$this->folder/runs", "$result->out.readers"), array_slice($own, 0, 10, true)];
    }
}
