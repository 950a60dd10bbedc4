<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\StoreError;
use XHProf\Run\RunId;
use XHProf\Store\Label;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles as SavedFiles;

require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** Files of a run that are nearly right, beside a good run: pages and answers show a message, and the good one stays visible. */
final class RunFiles implements Target
{
    private const VIEWS = ['', 'flame', 'sandwich', 'graph', 'timeline', 'operations', 'memory', 'export', 'label'];
    private const ANSWERS = [
        'functions', 'edges', 'tree', 'samples', 'timeline', 'operations', 'mean', 'runs', 'columns&documents=tree,corrected',
        'columns&documents=timeline,operations,stacks',
    ];
    private const FORMATS = ['json', 'folded', 'callgrind', 'speedscope', 'pprof', 'otlp', 'csv', 'chrome', 'html', 'dot'];

    private readonly Pages $pages;

    /** @var list<array<string, string>> ending => bytes, of whole runs */
    private readonly array $seeds;

    public function __construct(private readonly Sandbox $sandbox)
    {
        $this->pages = new Pages($sandbox);
        $this->seeds = Seeds::runs($sandbox->runs);
        (new RunFolder($sandbox->runs))->save(
            ['main()' => ['ct' => 1, 'wt' => 5000], 'main()==>good_function' => ['ct' => 1, 'wt' => 3000]],
            'seed',
            'good',
            ['url' => '/good', 'method' => 'GET', 'route' => 'GET /good'],
        );
        (new RunFolder($sandbox->runs))->setLabel(RunId::fromStrings('good', 'seed'), Label::fromInput(true, ['tag'], 'a note'));
    }

    /** Of a run file often changes the head alone, and writes its new length: the columns stay where they are. */
    private static function mutated(string $ending, string $bytes, Chance $chance): string
    {
        return $ending === RunId::RUN && !$chance->once(3)
            ? SavedFiles::withHead($bytes, static fn (string $json): string => Mutation::of($json, $chance))
            : Mutation::of($bytes, $chance);
    }

    /** @return list<string> what is wrong where its edges, which are read beside the call tree, are not those of the tree */
    private function differing(): array
    {
        try {
            $run = (new RunFolder($this->sandbox->runs))->open(RunId::fromStrings('bad', 'seed'));
            $tree = $run->tree();

            return $tree === null || $tree->toProfile()->edges() === $run->profile()->edges()
                ? []
                : ['the edges of a damaged run differ from those of its call tree'];
        } catch (DamagedRun | StoreError) {
            return []; // It is refused.
        }
    }

    public function attempt(Chance $chance): array
    {
        $this->sandbox->clear('bad');
        $files = $chance->one($this->seeds);
        $bad = [$chance->one(array_keys($files)), ...$chance->some(array_keys($files), 2)];
        foreach ($files as $ending => $bytes) {
            $bytes = in_array($ending, $bad, true) ? self::mutated($ending, $bytes, $chance) : $bytes;
            file_put_contents("{$this->sandbox->runs}/bad.seed.$ending", $bytes);
        }
        $run = ['run' => 'bad', 'source' => 'seed'];
        $wrong = [
            ...$this->pages->wrong([], 'run=good'),
            ...$this->pages->wrong($run),
            ...$this->pages->wrong(['get' => 'runs'], '"good"', true),
            ...$this->differing(),
        ];
        foreach ($chance->some(self::VIEWS, 3) as $view) {
            array_push($wrong, ...$this->pages->wrong($run + ['view' => $view]));
        }
        foreach ($chance->some(self::ANSWERS, 3) as $get) {
            parse_str("get=$get", $query);
            /** @var array<string, string> $query */
            array_push($wrong, ...$this->pages->wrong($run + $query, '', true));
        }
        $others = [
            [['view' => 'requests'], false],
            [$run + ['symbol' => 'work'], false],
            [['run' => 'bad,good', 'source' => 'seed'], false],
            [['run1' => 'bad', 'run2' => 'good', 'source' => 'seed'], false],
            [['view' => 'trend', 'runs' => 'good,bad', 'source' => 'seed'], false],
            [$run + ['get' => 'export', 'format' => $chance->one(self::FORMATS)], true],
        ];
        [$query, $api] = $chance->one($others);

        return [...$wrong, ...$this->pages->wrong($query, '', $api)];
    }
}
