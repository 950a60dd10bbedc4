<?php

declare(strict_types=1);

namespace XHProf\Cli\View;

use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Store\RunSummary;

/** The runs of a folder, one per line. */
final class ListView
{
    /** Fewest characters of an id that are shown. */
    private const LEAST_ID = 8;

    /** Columns of a screen on which a date is worth more than the end of a command. */
    private const NARROW = 70;

    /** The last second of the year 9999. */
    private const LATEST = 253402300799;

    /**
     * @param list<RunSummary> $all   of the folder: what an id must be told apart from
     * @param list<RunSummary> $runs  the ones asked for, newest first
     * @param int              $limit 0 for all
     */
    public function __construct(
        private readonly string $directory,
        private readonly array $all,
        private readonly array $runs,
        private readonly int $limit,
    ) {
    }

    public function print(OutputInterface $output, Screen $screen): void
    {
        if ($this->runs === []) {
            $output->writeln(OutputFormatter::escape("No runs in {$this->directory}"));

            return;
        }
        $names = self::shortNames(array_map(static fn (RunSummary $run): string => $run->id->id, $this->all));
        $table = new Table([
            new Column('run', Column::LEFT, style: 'fg=cyan'),
            new Column('began (' . date('T') . ')', Column::LEFT, weight: 2),
            new Column('source', Column::LEFT, weight: 4),
            new Column('wall', weight: 1),
            new Column('CPU', weight: 6),
            new Column('mem', weight: 5),
            new Column('calls', weight: 3),
            Column::name('what', $screen->width < self::NARROW ? 12 : 20),
        ]);
        $shown = $this->shown();
        foreach ($shown as $run) {
            $totals = $run->meta->totals;
            $figure = static fn (string $metric): string
                => isset($totals[$metric]) ? Units::of($totals[$metric], $metric) : '-';
            $what = $run->error === null ? $run->meta->title() : 'damaged: ' . $this->reason($run->error);
            $table->add([
                $names[$run->id->id] ?? (string) $run->id,
                $run->time > 0 && $run->time <= self::LATEST ? date('Y-m-d H:i:s', (int) $run->time) : '-',
                $run->id->source,
                $figure('wt'),
                $figure('cpu'),
                $figure('mu'),
                $run->meta->calls === null ? '-' : Units::count($run->meta->calls),
                $what,
            ], $run->error === null ? [] : [7 => 'fg=red']);
        }
        $table->print($output, $screen);
        if (count($shown) < count($this->runs)) {
            $output->writeln(sprintf('%d of %d runs; --limit=0 shows all', count($shown), count($this->runs)));
        }
    }

    /** @return array<string, mixed> */
    public function json(): array
    {
        $runs = [];
        foreach ($this->shown() as $run) {
            $runs[] = [
                'id' => $run->id->id,
                'source' => $run->id->source,
                'file' => $this->directory . '/' . $run->id->fileName(),
                'time' => $run->time,
                'bytes' => $run->bytes,
                'error' => $run->error,
                'meta' => $run->meta->toArray(),
            ];
        }

        return ['directory' => $this->directory, 'runs_total' => count($this->runs), 'runs' => $runs];
    }

    /**
     * As much of every id as no other begins with. Ids that several sources share have no short name.
     *
     * @param list<string> $ids
     * @return array<string, string>
     */
    public static function shortNames(array $ids): array
    {
        sort($ids, SORT_STRING);
        $names = [];
        foreach ($ids as $index => $id) {
            $previous = $ids[$index - 1] ?? '';
            $next = $ids[$index + 1] ?? '';
            if ($id === $previous || $id === $next) {
                continue;
            }
            $common = max(strspn($id ^ $previous, "\0"), strspn($id ^ $next, "\0"));
            $names[$id] = substr($id, 0, max(self::LEAST_ID, $common + 1));
        }

        return $names;
    }

    /** The error without the folder, which is the same for all; printable. */
    private function reason(string $error): string
    {
        return Text::printable(str_replace(rtrim($this->directory, '/') . '/', '', $error));
    }

    /** @return list<RunSummary> */
    private function shown(): array
    {
        return $this->limit > 0 ? array_slice($this->runs, 0, $this->limit) : $this->runs;
    }
}
