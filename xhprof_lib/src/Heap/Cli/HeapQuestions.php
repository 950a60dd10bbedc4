<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\AnswerCommand;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Terminal\Progress;
use XHProf\Cli\UsageError;
use XHProf\Heap\GroupsReport;
use XHProf\Heap\HeapDiffReport;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Heap\HeapRows;
use XHProf\Heap\HoldersReport;
use XHProf\Heap\LeaksReport;
use XHProf\Heap\NodeReport;
use XHProf\Heap\RetainedReport;
use XHProf\Heap\StringsReport;
use XHProf\Heap\SummaryReport;
use XHProf\Heap\ValuesReport;
use XHProf\Report\Report;

/** The questions about heap snapshots that a report answers. */
final class HeapQuestions
{
    public const SNAPSHOT = 'A heap snapshot, format jsonl';

    private const TOP_BY = ['class', 'type', 'owner', 'object', 'array', 'string', 'path'];

    /** Levels of the dominator tree. */
    private const DEPTH = 7;
    private const MAX_DEPTH = 200;

    public static function summary(): AnswerCommand
    {
        $about = 'What is in memory: types, classes, how much is known, what keeps the most';
        $answer = static fn (\Closure $open, Arguments $given, int $limit): Report
            => (new SummaryReport(new HeapRows($open())))->report($given->argument('snapshot'), $limit);

        return self::end(self::question('summary', $about, $answer), 'rows of each table', 10, <<<'HELP'
            Prints how much of PHP's heap is known by type, how much belongs to extensions, and how much nothing
            refers to; then types, classes and owners, the most bytes first, and what keeps the most.

            Columns: bytes (blocks of the heap), retained (what would be free without them: their own blocks and
            all that only they keep), count, size (what is used of the blocks).

              <info>xhprof heap summary a.heap.jsonl</info>
              <info>xhprof heap summary a.heap.jsonl --limit=0</info>     all classes
              <info>xhprof heap summary a.heap.jsonl --json | jq '.summary.typed_percent'</info>
            HELP);
    }

    public static function leaks(): AnswerCommand
    {
        $about = 'What may be a leak: what accumulates, garbage cycles, blocks that nothing refers to';
        $answer = static fn (\Closure $open, Arguments $given, int $limit): Report
            => (new LeaksReport(new HeapRows($open())))->report($given->argument('snapshot'), $limit);

        return self::end(self::question('leaks', $about, $answer), 'lines of each kind', 10, <<<'HELP'
            Prints what may be a leak, grouped by reason:

            - arrays and objects that keep much in many small parts, and long chains: caches and lists that only grow.
              What is below the elements of a list is shown below that list;
            - objects that nothing keeps: cycles that the garbage collector has not freed yet;
            - blocks that nothing refers to.

            Each has a severity by its kind and its share of the heap (high, medium, low), the reason, and the next
            question to ask.

              <info>xhprof heap leaks a.heap.jsonl</info>
              <info>xhprof heap diff a.heap.jsonl b.heap.jsonl</info>      what really grows
            HELP);
    }

    public static function strings(): AnswerCommand
    {
        $about = 'Which strings are in memory several times, and how much that wastes';
        $answer = static fn (\Closure $open, Arguments $given, int $limit): Report => ($index = $open())->hasStringHashes()
            ? (new StringsReport(new HeapRows($index)))->report(0, $limit)
            : throw new CliError('the snapshot does not show which strings are equal: take a new one with this version of the'
                . ' extension or of xhprof-inspect');

        return self::end(self::question('strings', $about, $answer), 'contents', 20, <<<'HELP'
            Prints contents that more than one string has, the most wasted bytes first: what all copies but one
            take. A string that many variables share is one string, and no copy. Strings of less than 16 bytes are
            not compared.

              <info>xhprof heap strings a.heap.jsonl</info>
              <info>xhprof heap paths a.heap.jsonl 0x7f12a4c01e00</info>       who keeps one of them

            Snapshots of older versions cannot be compared: take a new one.
            HELP);
    }

    public static function top(): AnswerCommand
    {
        $about = 'What takes the most: classes, types, single objects, arrays, strings, allocating call paths';
        $command = self::question('top', $about, self::largest(...))
            ->addValue('by', 'One line per ' . implode(', ', self::TOP_BY), 'class', 'b', self::TOP_BY)
            ->addOrderOptions('Column to sort classes, types and owners by', 'bytes', GroupsReport::SORTS)
            ->addValue('q', 'Only classes, types and owners with this text in their name')
            ->addValue('class', 'Only objects of this class, or who allocated them', short: 'c')
            ->addValue('type', 'Only values of this type, or who allocated them', short: 't')
            ->addFlag('full', 'Full call paths, one function per line');

        return self::end($command, 'lines', 20, <<<'HELP'
            Prints classes, types or owners by bytes, retained bytes, count or size; or single objects, arrays and
            strings, the most retained bytes first, with their addresses and who keeps them; or the call paths
            that allocated them.

              <info>xhprof heap top a.heap.jsonl</info>                        classes
              <info>xhprof heap top a.heap.jsonl --sort=retained</info>
              <info>xhprof heap top a.heap.jsonl --by=string</info>            the largest strings
              <info>xhprof heap top a.heap.jsonl --by=object -c 'App\User'</info>
              <info>xhprof heap top a.heap.jsonl --by=path -c 'App\User'</info>  who allocated them

            A snapshot has call paths if allocations were tracked when it was taken:
            xhprof_enable(XHPROF_FLAGS_ALLOC), memprof_enable(), or MEMPROF_PROFILE=1 in the environment.
            HELP);
    }

    /** Who keeps a node, or all objects of a class. */
    public static function paths(): AnswerCommand
    {
        $about = 'Who keeps it: the ways from the roots to an address, or to all objects of a class';
        $command = self::question('paths', $about, self::keepers(...))
            ->addArgument('address', InputArgument::OPTIONAL, 'Address, as other reports print it: 0x7f12a4c01e00')
            ->addValue('class', 'Who keeps and who allocated the objects of this class', short: 'c')
            ->addValue('type', 'Who keeps the values of this type', short: 't')
            ->addFlag('full', 'Every step with its address; full paths on narrow screens');

        return self::end($command, 'paths', 10, <<<'HELP'
            Prints who keeps something in memory, as PHP would write it:

              $GLOBALS['cache']->items[12]->owner       variables
              App\Registry::$services['mailer']         static properties
              App\Worker::run() $job->name              variables of a function that runs

            With --class, objects that are kept in the same way share a line: [*] stands for all elements of an
            array, and only the first object of a long chain is shown. Weak references keep nothing.

              <info>xhprof heap paths a.heap.jsonl --class='App\User'</info>
              <info>xhprof heap paths a.heap.jsonl 0x7f12a4c01e00</info>
              <info>xhprof heap paths a.heap.jsonl 0x7f12a4c01e00 --full</info>
            HELP);
    }

    /** The dominator tree. */
    public static function retained(): AnswerCommand
    {
        $answer = static function (\Closure $open, Arguments $given, int $limit): Report {
            $depth = $given->number('depth', self::MAX_DEPTH);
            $index = $open();
            $address = $given->argument('address');
            $top = $address === '' ? null : self::node($address, $index);

            return (new RetainedReport(new HeapRows($index), $top, $depth, $limit))->report();
        };
        $command = self::question('retained', 'What would be freed with what: the tree of dominators', $answer)
            ->addArgument('address', InputArgument::OPTIONAL, 'Address to begin at: 0x7f12a4c01e00')
            ->addValue('depth', 'Levels', self::DEPTH, 'd');

        return self::end($command, 'branches of each', 5, <<<'HELP'
            Prints below each thing what would be freed with it, the most first. A thing that two others keep is
            below what keeps both of them; its line begins with "...", as what refers to it is not the line above.
            Branches of less than 0.5 % are left out, unless --limit=0.

              <info>xhprof heap retained a.heap.jsonl</info>
              <info>xhprof heap retained a.heap.jsonl --depth=8 --limit=3</info>
              <info>xhprof heap retained a.heap.jsonl 0x7f12a4c01e00</info>
            HELP);
    }

    /** What has grown from one snapshot to another. */
    public static function diff(): AnswerCommand
    {
        $answer = static function (Arguments $given, OutputInterface $output): Report {
            [$limit, $order] = [$given->number('limit'), $given->order(HeapDiffReport::SORTS)];
            [$before, $after] = [self::open($given, $output, 'a'), self::open($given, $output, 'b')];

            return (new HeapDiffReport($before, $after))->report($given->argument('a'), $given->argument('b'), $order, $limit);
        };
        $about = 'What has grown from one snapshot to another, by class, type and owner';
        $command = (new AnswerCommand(HeapCommand::NAME . ':diff', $about, $answer))->setHidden()
            ->addArgument('a', InputArgument::REQUIRED, 'The snapshot before')
            ->addArgument('b', InputArgument::REQUIRED, 'The snapshot after')
            ->addOrderOptions('Column to sort by [default: the largest change of bytes first]', null, HeapDiffReport::SORTS);

        return self::end($command, 'rows of each table', 20, <<<'HELP'
            Prints how much more (+) or less (-) snapshot B has than A, the largest change of bytes first. If one
            process made both, "new" and "gone" count the objects that only one of them has at their address:
            +10 may be 10 more, or 1 010 new ones and 1 000 gone.

              <info>xhprof heap diff before.heap.jsonl after.heap.jsonl</info>
              <info>xhprof heap diff before.heap.jsonl after.heap.jsonl --json | jq '.classes[0]'</info>
            HELP);
    }

    /** Opens the snapshot that an argument names. */
    public static function open(Arguments $given, OutputInterface $output, string $argument = 'snapshot'): HeapIndex
    {
        $file = $given->argument($argument);

        return Progress::during($output, static fn (\Closure $report): HeapIndex => HeapIndex::open($file, $report));
    }

    /** @param \Closure(\Closure(): HeapIndex, Arguments, int): Report $answer takes what opens the snapshot, and --limit */
    private static function question(string $word, string $about, \Closure $answer): AnswerCommand
    {
        $ask = static fn (Arguments $given, OutputInterface $output): Report
            => $answer(static fn (): HeapIndex => self::open($given, $output), $given, $given->number('limit'));

        return (new AnswerCommand(HeapCommand::NAME . ":$word", $about, $ask))->setHidden()
            ->addArgument('snapshot', InputArgument::REQUIRED, self::SNAPSHOT);
    }

    private static function end(AnswerCommand $command, string $what, int $limit, string $help): AnswerCommand
    {
        return $command->addLimitOption($what, $limit)->addFlag('json', 'Print JSON (bytes)')->setHelp($help);
    }

    /** @param \Closure(): HeapIndex $open */
    private static function largest(\Closure $open, Arguments $given, int $limit): Report
    {
        $by = $given->oneOf('by', self::TOP_BY);
        $order = $given->order(GroupsReport::SORTS, 'bytes');
        $index = $open();
        $group = self::group($given, $index);
        if ($group !== null && in_array($by, ['array', 'string'], true)) {
            throw new UsageError("--by=$by lists all of them; --class and --type go with --by=object or path");
        }
        // For a single class or type, list its nodes.
        if ($group !== null && in_array($by, ['class', 'type', 'owner'], true)) {
            $by = 'object';
        }
        if ($by === 'path' && !$index->hasAllocations()) {
            throw new CliError('the snapshot has no call paths: call xhprof_enable(XHPROF_FLAGS_ALLOC) or memprof_enable()'
                . ' before it is taken');
        }
        $rows = new HeapRows($index);

        return match ($by) {
            'class', 'type', 'owner' => (new GroupsReport($rows))->report($by, $order, (string) $given->text('q'), $limit),
            'object', 'array', 'string' => (new ValuesReport($rows))->report($by, $group, $limit),
            'path' => (new HoldersReport($rows))->allocated($group, $limit, $given->flag('full')),
        };
    }

    /** @param \Closure(): HeapIndex $open */
    private static function keepers(\Closure $open, Arguments $given, int $limit): Report
    {
        [$address, $isFull] = [$given->argument('address'), $given->flag('full')];
        if (count(array_filter([$address, $given->given('class'), $given->given('type')])) !== 1) {
            throw new UsageError('name one address, or one --class=, or one --type=');
        }
        $index = $open();
        $group = self::group($given, $index);
        $rows = new HeapRows($index);

        return $group === null
            ? (new NodeReport($rows, self::node($address, $index)))->report($limit, $isFull)
            : (new HoldersReport($rows))->report($group, $limit, $isFull);
    }

    /** The group that --class or --type names; null if neither is given. */
    private static function group(Arguments $given, HeapIndex $index): ?HeapGroup
    {
        $class = $given->text('class');
        if ($class !== null) {
            return $index->group($class) ?? throw new CliError(self::unknown($class, $index->search($class, 3)));
        }
        $type = $given->text('type');
        if ($type === null) {
            return null;
        }
        $types = array_column($index->types(), 'type');

        return $index->type($type)
            ?? throw new CliError("the snapshot has no type $type; it has " . implode(', ', $types));
    }

    /** The node at an address in printed form: 0x7f12a4c01e00. */
    private static function node(string $address, HeapIndex $index): HeapNode
    {
        $digits = preg_match('/\A(?:0x)?([0-9a-f]{1,15})\z/i', $address, $match) === 1 ? $match[1] : null;
        $number = match (true) {
            $digits === null => throw new UsageError("an address is a number like 0x7f12a4c01e00, not \"$address\""),
            stripos($address, '0x') !== 0 && ctype_digit($address) => (int) $address,
            default => (int) hexdec($digits),
        };

        return $index->node($number)
            ?? $index->node((int) hexdec($digits))
            ?? throw new CliError("nothing in the snapshot begins at $address");
    }

    /** @param list<HeapGroup> $near */
    private static function unknown(string $class, array $near): string
    {
        $names = array_filter(array_map(static fn (HeapGroup $group): string => $group->name, $near));

        return "the snapshot has no objects of the class $class" . ($names === [] ? '' : '; it has ' . implode(', ', $names));
    }
}
