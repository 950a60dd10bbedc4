<?php

declare(strict_types=1);

namespace XHProf\Runs\Cli;

use XHProf\Cli\Run\MetricLabel;
use XHProf\Cli\Terminal\Column;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\Table;
use XHProf\Cli\Terminal\View;
use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Run\OriginText;
use XHProf\Run\RunMeta;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Store\RunListing;
use XHProf\Store\WaitingRequests;

/** The runs of a folder, one per line. */
final class ListView implements View
{
    /** Fewest characters of an id. */
    private const MIN_ID = 8;

    /** Columns of a screen below which a date matters more than the end of a command. */
    private const NARROW = 70;

    /** Separates the task and each mark on it: if there is no room the marks are dropped first. */
    private const GAP = '  ';

    /** The last second of the year 9999. */
    private const LATEST = 253402300799;

    /**
     * @param list<string> $ids of the folder: a short id must be unique among them
     * @param int          $windows which the list leaves out
     */
    public function __construct(
        private readonly RunFolder $store,
        private readonly RunListing $listing,
        private readonly array $ids,
        private readonly int $windows,
        private readonly WaitingRequests $waiting,
    ) {
    }

    public function print(Screen $screen): void
    {
        if ($this->listing->matches === 0) {
            $none = $this->listing->total === 0
                ? "No runs in {$this->store->directory()}"
                : sprintf(
                    'None of the %s in %s is one of these',
                    Units::count($this->listing->total) . ($this->listing->total === 1 ? ' run' : ' runs'),
                    $this->store->directory(),
                );
            $screen->text($none);
            $this->printWindows($screen);

            return;
        }
        $names = self::shortNames($this->ids);
        $starts = array_filter(array_map(self::start(...), $this->listing->runs));
        $table = new Table([
            new Column('run', Column::LEFT, style: 'fg=cyan'),
            new Column('began (' . date('T') . ')', Column::LEFT, weight: 3),
            new Column('source', Column::LEFT, weight: 5),
            new Column(MetricLabel::name('wt'), weight: 1),
            new Column(MetricLabel::name('cpu'), weight: 7),
            new Column(MetricLabel::name('mu'), weight: 6),
            new Column(MetricLabel::name('ct'), weight: 4),
            new Column($starts === [] ? '' : 'start', Column::LEFT, weight: $starts === [] ? 9 : 2),
            new Column('what', Column::LEFT, $screen->width < self::NARROW ? 19 : 20, separator: self::GAP),
        ]);
        foreach ($this->listing->runs as $run) {
            $table->add([
                $names[$run->id->id] ?? (string) $run->id,
                $run->time > 0 && $run->time <= self::LATEST ? date('Y-m-d H:i:s', (int) $run->time) : '-',
                $run->id->source,
                MetricLabel::value($run->figure('wt'), 'wt'),
                MetricLabel::value($run->figure('cpu'), 'cpu'),
                MetricLabel::value($run->figure('mu'), 'mu'),
                $run->calls() === null ? '-' : Units::count($run->calls()),
                self::start($run),
                $run->error === null ? self::what($run) : 'damaged: ' . $this->reason($run->error),
            ], $run->error === null ? [] : [8 => 'fg=red']);
        }
        $table->print($screen);
        $screen->rest(count($this->listing->runs), $this->listing->matches, 'runs');
        $this->printWindows($screen);
    }

    private function printWindows(Screen $screen): void
    {
        if ($this->windows > 0) {
            $screen->say(sprintf(
                '%s of all requests %s not listed: `xhprof requests` adds them up, --start=aggregate lists them',
                $this->windows === 1 ? '1 window' : Units::count($this->windows) . ' windows',
                $this->windows === 1 ? 'is' : 'are',
            ));
        }
        $screen->say($this->waiting->text());
    }

    public function json(): array
    {
        $runs = [];
        foreach ($this->listing->runs as $run) {
            $runs[] = [
                'id' => $run->id->id,
                'source' => $run->id->source,
                'file' => $this->store->path($run->id),
                'time' => $run->time,
                'bytes' => $run->size,
                'error' => $run->error,
                'pinned' => $run->label->pinned,
                'tags' => $run->label->tags,
                'note' => $run->label->note,
                'meta' => $this->meta($run)->toArray(),
            ];
        }

        return [
            'directory' => $this->store->directory(),
            'runs_total' => $this->listing->matches,
            'windows_total' => $this->windows,
            'requests_waiting' => $this->waiting->requests,
            'runs' => $runs,
        ];
    }

    /**
     * The shortest unique beginning of every id. Ids that several sources share have no short name.
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
            $names[$id] = substr($id, 0, max(self::MIN_ID, $common + 1));
        }

        return $names;
    }

    /** "triggered", "sampled, part", '' for a whole run that the program started. */
    private static function start(RunEntry $run): string
    {
        $start = OriginText::start($run->meta->recording->start ?? '')['text'] ?? '';

        return implode(', ', array_filter([$start, OriginText::part($run->meta->recording->endedBy ?? '')['text'] ?? '']));
    }

    /** The task that was profiled, and its label. */
    private static function what(RunEntry $run): string
    {
        [$label, $status] = [$run->label, $run->meta->origin->status];
        $marks = [
            ...($status !== null && $status >= 400 ? ["($status)"] : []),
            ...($label->pinned ? ['(pinned)'] : []),
            ...array_map(static fn (string $tag): string => "#$tag", $label->tags),
        ];

        return implode(self::GAP, [$run->title, ...$marks]);
    }

    private function meta(RunEntry $run): RunMeta
    {
        try {
            return $this->store->open($run->id)->meta();
        } catch (DamagedRun | RunNotFound | StoreError) {
            return RunMeta::fromArray(['id' => $run->id->id, 'source' => $run->id->source, 'ts' => $run->time]);
        }
    }

    /** The error without the folder, which is the same for all; printable. */
    private function reason(string $error): string
    {
        return Text::printable(str_replace(rtrim($this->store->directory(), '/') . '/', '', $error));
    }
}
