<?php

declare(strict_types=1);

namespace XHProf\Tools\Site;

/**
 * The live demo: runs of the shop of demo/shop, exported as HTML files, and what to look for in each.
 *
 * @phpstan-type Finding array{figure: string, function: string, why: string}
 * @phpstan-type Shown array{file: string, title: string, visited: string, text: string, finding: Finding|null, bytes: int}
 */
final class Demo
{
    public const LEAD = 'Files that bin/xhprof export --format=html wrote of a small web shop, in which problems are planted. '
        . 'Each is one file, works offline and can be attached to a ticket.';

    /**
     * What is shown, by the name of its file: what visited the shop ("+": a comparison; ".jsonl": a heap snapshot), the rule of the
     * finding that is planted there, and what to look for.
     */
    private const SHOWN = [
        'reviews' => ['/reviews', 'n-plus-one', 'A query in a loop', <<<'TEXT'
            Each product of the page asks the database once more. A finding names the statement, how often it was asked and the
            function that asks. Look at it in Operations, and in the flame graph.
            TEXT],
        'comparison' => ['/reviews+/reviews?by=one-query', null, 'The same page before and after', <<<'TEXT'
            One query replaces 150. Certain changes come before what only the clock shows: fewer queries, fewer calls.
            TEXT],
        'statement' => ['/bestsellers/sqlite', 'slow-operation', 'A slow statement', <<<'TEXT'
            One statement takes nearly all of the time. Operations has it, without its values, and who asked.
            TEXT],
        'duplicates' => ['/duplicates', 'dominant-function', 'A slow line', <<<'TEXT'
            A sampled run, with lines. Open Shop\Duplicates::of in Functions: its source shows the line in which the time went by.
            TEXT],
        'checkout' => ['/checkout', null, 'An ordinary page', <<<'TEXT'
            Nothing is planted here. The timeline shows one call after the other, with SQL, HTTP and files in colours of their own.
            TEXT],
        'leak' => ['php demo/shop/import.php 40', 'kept-memory', 'A leak', <<<'TEXT'
            A worker of 40 jobs, with all allocations. Memory shows what no job gave back, and which call path holds it.
            TEXT],
        'heap' => ['import.heap.jsonl', null, 'What is in memory', <<<'TEXT'
            A heap snapshot of the same worker. The treemap shows what keeps the most.
            TEXT],
    ];

    /**
     * @param string $root of the project, absolute
     * @param string $runs folder that demo/shop/visit.php has filled
     */
    public function __construct(private readonly string $root, private readonly string $runs)
    {
    }

    /**
     * Writes the files.
     *
     * @param string $folder exists
     *
     * @return list<Shown>
     *
     * @throws SiteException where a run is missing, or has not the finding that is planted in it
     */
    public function write(string $folder): array
    {
        $ids = $this->ids();
        $shown = [];
        foreach (self::SHOWN as $name => [$visited, $rule, $title, $text]) {
            $file = "$folder/$name.html";
            $id = '';
            if (str_ends_with($visited, '.jsonl')) {
                $this->xhprof(['heap', 'export', "$this->runs/$visited", '--format=html', "--output=$file"]);
            } else {
                $of = [];
                foreach (explode('+', $visited) as $one) {
                    $id = $ids[$one] ?? throw new SiteException("$this->runs has no run of $one: fill it by demo/shop/visit.php");
                    $of[] = $id;
                }
                $options = ['--format=html', "--output-dir=$this->runs", "--output=$file"];
                $this->xhprof(['export', ...$of, ...$options, ...count($of) === 1 ? ['--with-source'] : []]);
            }
            // That of a heap snapshot is for its owner only.
            chmod($file, 0o644);
            $shown[] = [
                'file' => "$name.html", 'title' => $title, 'visited' => str_replace('+', ' and ', $visited),
                'text' => strtr($text, "\n", ' '),
                'finding' => $rule === null ? null : $this->finding($id, $visited, $rule), 'bytes' => (int) filesize($file),
            ];
        }

        return $shown;
    }

    /** @return array<string, string> id of a run by URL or command */
    private function ids(): array
    {
        $list = json_decode($this->xhprof(['list', "--output-dir=$this->runs", '--json']), true, 64, JSON_THROW_ON_ERROR);
        $ids = [];
        foreach ($list['runs'] as $run) {
            $ids[$run['meta']['url'] ?? $run['meta']['command'] ?? ''] = $run['id'];
        }

        return $ids;
    }

    /** @return Finding */
    private function finding(string $id, string $visited, string $rule): array
    {
        $report = $this->xhprof(['report', $id, '--findings', '--json', "--output-dir=$this->runs"]);
        foreach (json_decode($report, true, 64, JSON_THROW_ON_ERROR)['findings'] as $finding) {
            if ($finding['rule'] === $rule) {
                return ['figure' => $finding['figure'], 'function' => $finding['function'], 'why' => $finding['why']];
            }
        }

        throw new SiteException("The run of $visited has no finding $rule: visit the shop once more");
    }

    /** @param list<string> $words */
    private function xhprof(array $words): string
    {
        $process = proc_open([PHP_BINARY, "$this->root/bin/xhprof", ...$words], [
            ['file', '/dev/null', 'r'], ['pipe', 'w'], ['pipe', 'w'],
        ], $pipes, $this->root);
        if ($process === false) {
            throw new SiteException('bin/xhprof cannot be started');
        }
        $output = (string) stream_get_contents($pipes[1]);
        $errors = (string) stream_get_contents($pipes[2]);
        if (proc_close($process) !== 0) {
            throw new SiteException("bin/xhprof $words[0] fails: " . trim($errors));
        }

        return $output;
    }
}
