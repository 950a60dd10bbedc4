<?php

declare(strict_types=1);

namespace XHProf\Runs;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Profile\Metrics;
use XHProf\Report\Column;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Run\OriginText;
use XHProf\Run\RunMeta;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Store\RunListing;
use XHProf\Store\WaitingRequests;

/**
 * The list of runs: its columns, and what is known of each run, for the command, the page and api.php.
 *
 * @phpstan-type Line array<string, mixed>
 */
final class RunsReport
{
    /** Fewest characters of an id. */
    private const MIN_ID = 8;

    /** Separates the task and each mark on it: see Unit::Marked. */
    private const GAP = '  ';

    /** The last second of the year 9999. */
    private const LATEST = 253402300799;

    /** Least width of what was profiled: on narrow screens a date matters more than its end. */
    private const LEAST = 19;

    private const WEIGHTS = ['start' => 2, 'no start' => 9];

    /**
     * @param int $windows which the list leaves out
     * @param FirstFindings $findings that have been read
     */
    public function __construct(
        private readonly RunFolder $store,
        private readonly RunListing $listing,
        private readonly int $windows,
        private readonly WaitingRequests $waiting,
        private readonly FirstFindings $findings,
    ) {
    }

    /**
     * What pages have of the columns, from left to right; terminals have those with a title.
     *
     * @return list<Column>
     */
    public static function columns(bool $hasStarts = true): array
    {
        $zone = date('T');
        $metric = static fn (string $key, int $weight, bool $isOfPage = true): Column => new Column(
            $key,
            Unit::ofMetric($key),
            Metrics::of($key)->short,
            $weight,
            $isOfPage ? ucfirst(Metrics::of($key)->short) : '',
            Metrics::of($key)->label,
        );
        $time = static fn (array $line): ?float => $line['time'] > 0 && $line['time'] <= self::LATEST ? $line['time'] : null;

        return [
            new Column('short', Unit::Id, 'run', label: ''),
            Column::ofPage('title', Unit::Name, 'Run', 'Command or URL'),
            new Column('source', Unit::Text, 'source', 5, help: 'Source: the name of the application'),
            new Column('time', Unit::Moment, "began ($zone)", 3, "Time ($zone)", 'When it began', value: $time),
            $metric('wt', 1),
            $metric('cpu', 7),
            $metric('mu', 6, false),
            Column::ofPage(
                'pmu',
                Unit::Bytes,
                Metrics::of(Metrics::PROCESS_PEAK)->label,
                'Peak memory of the process, of a job while it ran',
            ),
            new Column(
                'ct',
                Unit::Count,
                Metrics::of('ct')->short,
                4,
                Metrics::of('ct')->label . ' / samples',
                'Number of calls, or of samples',
            ),
            Column::ofPage('size', Unit::Bytes, 'Size', 'Size of its files'),
            Column::ofPage('host', Unit::Text, 'Host', 'Host'),
            new Column(
                'began',
                Unit::Text,
                $hasStarts ? 'start' : '',
                self::WEIGHTS[$hasStarts ? 'start' : 'no start'],
                '',
                value: self::start(...),
            ),
            new Column('what', Unit::Marked, 'what', label: '', least: self::LEAST, value: self::what(...)),
        ];
    }

    /**
     * @param (\Closure(string): string)|null $reason why a damaged run cannot be read, as readers may see it
     * @param FirstFindings $findings that have been read
     *
     * @return array<string, \Closure(RunEntry): mixed> what is known of a run
     */
    private static function values(?\Closure $reason, FirstFindings $findings): array
    {
        return [
            'id' => static fn (RunEntry $run): string => $run->id->id,
            'source' => static fn (RunEntry $run): string => $run->id->source,
            'time' => static fn (RunEntry $run): float => $run->time,
            'title' => static fn (RunEntry $run): string => $run->title,
            'method' => static fn (RunEntry $run): string => $run->meta->origin->method ?? '',
            'url' => static fn (RunEntry $run): string => $run->meta->origin->url ?? '',
            'command' => static fn (RunEntry $run): string => $run->meta->origin->command ?? '',
            'host' => static fn (RunEntry $run): string => $run->meta->origin->host ?? '',
            'git' => static fn (RunEntry $run): string => $run->meta->origin->git ?? '',
            'release' => static fn (RunEntry $run): string => $run->meta->origin->release ?? '',
            'start' => static fn (RunEntry $run): string => $run->meta->recording->start ?? '',
            'name' => static fn (RunEntry $run): string => $run->meta->origin->name ?? '',
            'route' => static fn (RunEntry $run): string => $run->meta->group(),
            'status' => static fn (RunEntry $run): ?int => $run->meta->origin->status,
            'wt' => static fn (RunEntry $run): ?int => $run->figure('wt'),
            'cpu' => static fn (RunEntry $run): ?int => $run->figure('cpu'),
            'mu' => static fn (RunEntry $run): ?int => $run->figure('mu'),
            'pmu' => static fn (RunEntry $run): ?int => $run->figure('pmu'),
            'ct' => static fn (RunEntry $run): ?int => $run->calls(),
            'samples' => static fn (RunEntry $run): ?int => $run->meta->recording->samples,
            'size' => static fn (RunEntry $run): int => $run->size,
            'pinned' => static fn (RunEntry $run): bool => $run->label->pinned,
            'tags' => static fn (RunEntry $run): array => $run->label->tags,
            'note' => static fn (RunEntry $run): string => $run->label->note,
            'error' => static fn (RunEntry $run): ?string
                => $run->error === null || $reason === null ? $run->error : $reason($run->error),
            'finding' => $findings->of(...),
            'finding_known' => $findings->knows(...),
        ];
    }

    /**
     * @param (\Closure(string): string)|null $reason see values()
     *
     * @return Line
     */
    public static function line(RunEntry $run, FirstFindings $findings, ?\Closure $reason = null): array
    {
        return array_map(static fn (\Closure $value): mixed => $value($run), self::values($reason, $findings));
    }

    /**
     * @param list<RunEntry> $runs
     * @param \Closure(string): string $reason see values()
     *
     * @return array<string, list<mixed>> the same by value, of each run
     */
    public static function byValue(array $runs, FirstFindings $findings, \Closure $reason): array
    {
        return array_map(static fn (\Closure $value): array => array_map($value, $runs), self::values($reason, $findings));
    }

    /** @param list<string> $ids of the folder: a short id must be unique among them */
    public function report(array $ids): Report
    {
        $names = self::shortNames($ids);
        $lines = [];
        foreach ($this->listing->runs as $run) {
            $lines[] = [
                'short' => $names[$run->id->id] ?? (string) $run->id,
                'ended' => $run->meta->recording->endedBy ?? '',
                'suspended' => OriginText::suspension($run->meta)['text'] ?? '',
            ] + self::line($run, $this->findings, $this->reason(...));
        }
        $table = new Table(
            'runs',
            self::columns(array_filter(array_map(self::start(...), $lines)) !== []),
            $lines,
            $this->listing->total === 0 ? "No runs in {$this->store->directory()}" : sprintf(
                'No match among the %s in %s',
                Units::counted($this->listing->total, 'run'),
                $this->store->directory(),
            ),
            printed: ['short', 'time', 'source', 'wt', 'cpu', 'mu', 'ct', 'began', 'what'],
            below: Table::rest(count($lines), $this->listing->matches, 'runs'),
            wrong: 'error',
        );

        return new Report([$table], array_values(array_filter([$this->left(), $this->unread(), $this->waiting->text()])));
    }

    /** Programs get the metadata of each run, which the list alone does not have. */
    public function facts(): Report
    {
        $runs = [];
        foreach ($this->listing->runs as $run) {
            $line = self::line($run, $this->findings);
            $runs[] = [
                'id' => $line['id'],
                'source' => $line['source'],
                'file' => $this->store->path($run->id),
                'time' => $line['time'],
                'bytes' => $line['size'],
                'error' => $line['error'],
                'pinned' => $line['pinned'],
                'tags' => $line['tags'],
                'note' => $line['note'],
                'finding' => $line['finding'],
                'finding_known' => $line['finding_known'],
                'meta' => $this->meta($run)->toArray(),
            ];
        }

        return new Report([], facts: [
            'directory' => $this->store->directory(),
            'runs_total' => $this->listing->matches,
            'windows_total' => $this->windows,
            'requests_waiting' => $this->waiting->requests,
            'runs' => $runs,
        ]);
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

    private function left(): string
    {
        return $this->windows === 0 ? '' : sprintf(
            '%s of all requests %s not listed: `xhprof requests` adds them up, --start=aggregate lists them',
            Units::counted($this->windows, 'window'),
            $this->windows === 1 ? 'is' : 'are',
        );
    }

    /** Says of how many runs the findings are not known, because looking for them takes longer than a list may. */
    private function unread(): string
    {
        $unread = count(array_filter($this->listing->runs, fn (RunEntry $run): bool => !$this->findings->knows($run)));

        return $unread === 0 ? '' : sprintf(
            '%s %s not looked at for findings yet: list them again, or `xhprof report ID --findings`',
            Units::counted($unread, 'run'),
            $unread === 1 ? 'was' : 'were',
        );
    }

    /**
     * "triggered", "sampled, part", '' for a whole run that the program started.
     *
     * @param Line $line
     */
    private static function start(array $line): string
    {
        $start = OriginText::start($line['start'])['text'] ?? '';

        $part = OriginText::part($line['ended'] ?? '')['text'] ?? '';

        return implode(', ', array_filter([$start, $part, $line['suspended'] ?? '']));
    }

    /**
     * The task that was profiled, its label, and its first finding; or what is wrong with the run.
     *
     * @param Line $line
     */
    private static function what(array $line): string
    {
        return $line['error'] !== null ? "damaged: {$line['error']}" : implode(self::GAP, [
            $line['title'],
            ...($line['status'] !== null && $line['status'] >= 400 ? ["({$line['status']})"] : []),
            ...($line['pinned'] ? ['(pinned)'] : []),
            ...array_map(static fn (string $tag): string => "#$tag", $line['tags']),
            ...($line['finding'] === null ? [] : [$line['finding']['text']]),
        ]);
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
