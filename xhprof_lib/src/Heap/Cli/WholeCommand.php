<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Heap\HeapRows;
use XHProf\Heap\LeaksReport;
use XHProf\Heap\StringsReport;
use XHProf\Heap\SummaryReport;

/** Questions about the whole of a heap snapshot: its summary, possible leaks, contents that more than one string has. */
final class WholeCommand extends SnapshotCommand
{
    /** By word: what it is about, what --limit counts, and its default, help. */
    private const QUESTIONS = [
        'summary' => [
            'What is in memory: types, classes, how much is known, what keeps the most',
            'rows of each table',
            10,
            <<<'HELP'
                Prints how much of PHP's heap is known by type, how much belongs to extensions, and how much nothing
                refers to; then types, classes and owners, the most bytes first, and what keeps the most.

                Columns: bytes (blocks of the heap), retained (what would be free without them: their own blocks and
                all that only they keep), count, size (what is used of the blocks).

                  <info>xhprof heap summary a.heap.jsonl</info>
                  <info>xhprof heap summary a.heap.jsonl --limit=0</info>     all classes
                  <info>xhprof heap summary a.heap.jsonl --json | jq '.summary.typed_percent'</info>
                HELP,
        ],
        'leaks' => [
            'What may be a leak: what accumulates, garbage cycles, blocks that nothing refers to',
            'lines of each kind',
            10,
            <<<'HELP'
                Prints what may be a leak, grouped by reason:

                - arrays and objects that keep much in many small parts, and long chains: caches and lists that only grow.
                  What is below the elements of a list is shown below that list;
                - objects that nothing keeps: cycles that the garbage collector has not freed yet;
                - blocks that nothing refers to.

                  <info>xhprof heap leaks a.heap.jsonl</info>
                  <info>xhprof heap diff a.heap.jsonl b.heap.jsonl</info>      what really grows
                HELP,
        ],
        'strings' => [
            'Which strings are in memory several times, and how much that wastes',
            'contents',
            20,
            <<<'HELP'
                Prints contents that more than one string has, the most wasted bytes first: what all copies but one
                take. A string that many variables share is one string, and no copy. Strings of less than 16 bytes are
                not compared.

                  <info>xhprof heap strings a.heap.jsonl</info>
                  <info>xhprof heap paths a.heap.jsonl 0x7f12a4c01e00</info>       who keeps one of them

                Snapshots of older versions cannot be compared: take a new one.
                HELP,
        ],
    ];

    /** @param key-of<self::QUESTIONS> $word */
    public function __construct(private readonly string $word)
    {
        parent::__construct();
    }

    protected function configure(): void
    {
        [$about, $counted, $limit, $help] = self::QUESTIONS[$this->word];
        $this->question($this->word, $about)
            ->addSnapshot()
            ->addLimitOption($counted, $limit)
            ->addFlag('json', 'Print JSON (bytes)')
            ->setHelp($help);
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $limit = self::number($input, 'limit');
        $index = self::snapshot($input, $output);

        if ($this->word === 'strings' && !$index->hasStringHashes()) {
            throw new CliError('the snapshot does not show which strings are equal: take a new one with this version of the'
                . ' extension or of xhprof-inspect');
        }
        $rows = new HeapRows($index);

        return self::show(new ReportView(match ($this->word) {
            'summary' => (new SummaryReport($rows))->report(self::argument($input, 'snapshot'), $limit),
            'leaks' => (new LeaksReport($rows))->report($limit),
            'strings' => (new StringsReport($rows))->report(0, $limit),
        }), $input, $output);
    }
}
