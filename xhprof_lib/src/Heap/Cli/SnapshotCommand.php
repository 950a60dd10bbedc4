<?php

declare(strict_types=1);

namespace XHProf\Heap\Cli;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\Terminal\Progress;
use XHProf\Cli\UsageError;
use XHProf\Heap\HeapGroup;
use XHProf\Heap\HeapIndex;
use XHProf\Heap\HeapNode;
use XHProf\Report\Order;

/** Common parts of the commands that read a heap snapshot. */
abstract class SnapshotCommand extends RunFolderCommand
{
    protected function question(string $word, string $description): static
    {
        return $this->setName(HeapCommand::NAME . ":$word")->setDescription($description)->setHidden();
    }

    protected function addSnapshot(string $name = 'snapshot', string $what = 'A heap snapshot, format jsonl'): static
    {
        return $this->addArgument($name, InputArgument::REQUIRED, $what);
    }

    /** @param list<string> $columns by which it sorts */
    protected function addOrderOptions(string $about, ?string $default, array $columns): static
    {
        return $this->addValue('sort', "$about: " . implode(', ', $columns), $default, 's', $columns)
            ->addValue('dir', 'Direction of --sort: asc, desc [default: figures from the largest, names from A]', null, null, [
                'asc', 'desc',
            ]);
    }

    /**
     * The order that --sort and --dir ask for; null without --sort.
     *
     * @param list<string> $columns
     */
    protected static function order(InputInterface $input, array $columns): ?Order
    {
        $direction = self::text($input, 'dir') === null ? null : self::oneOf($input, 'dir', ['asc', 'desc']) === 'desc';

        return self::text($input, 'sort') === null ? null : new Order(self::oneOf($input, 'sort', $columns), $direction);
    }

    protected static function snapshot(InputInterface $input, OutputInterface $output, string $argument = 'snapshot'): HeapIndex
    {
        $file = self::argument($input, $argument);

        return Progress::during($output, static fn (\Closure $report): HeapIndex => HeapIndex::open($file, $report));
    }

    /** The group that --class or --type names; null if neither is given. */
    protected static function group(InputInterface $input, HeapIndex $index): ?HeapGroup
    {
        $class = self::text($input, 'class');
        if ($class !== null) {
            return $index->group($class) ?? throw new CliError(self::unknown($class, $index->search($class, 3)));
        }
        $type = $input->hasOption('type') ? self::text($input, 'type') : null;
        if ($type === null) {
            return null;
        }
        $types = array_column($index->types(), 'type');

        return $index->type($type)
            ?? throw new CliError("the snapshot has no type $type; it has " . implode(', ', $types));
    }

    /** The node at an address in printed form: 0x7f12a4c01e00. */
    protected static function node(string $address, HeapIndex $index): HeapNode
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
