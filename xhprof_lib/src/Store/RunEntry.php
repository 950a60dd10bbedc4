<?php

declare(strict_types=1);

namespace XHProf\Store;

/** A run as a list shows it, without its values per function. Unknown values are null. */
final class RunEntry
{
    /** Starts of profiles without a call in the program's code. */
    public const BY_ITSELF = ['yes', 'trigger', 'sampled', 'span'];

    public readonly Label $label;

    /**
     * @param float       $time    start (metadata) or last change (file); seconds since 1970
     * @param string      $stamp   of the files it was read from: the entry is out of date when it changes
     * @param int         $size    bytes of all files of the run
     * @param string      $title   one printable line: the command, "GET /url", or the id; not escaped for HTML
     * @param int|null    $wall    microseconds
     * @param int|null    $cpu     microseconds
     * @param int|null    $memory  bytes that were not freed
     * @param int|null    $peak    bytes, of the process
     * @param int|null    $samples of a sampled run
     * @param string      $start   one of RunMeta::STARTS, or ''
     * @param string      $name    of the job, any bytes
     * @param string      $route   common name of a route's requests or a job's runs, one printable line; '' if neither
     * @param int|null    $status  of the HTTP answer
     * @param bool        $failed  whether the request, job or command failed
     * @param string      $endedBy reason of an early end, any bytes; '' for a complete run
     * @param string      $mode    one of RunMeta::MODES, or ''
     * @param string      $trace   id of the request's trace; '' if unknown, and in an entry of the index, which searches it
     * @param RequestWindow|null $window of an aggregate; null in an entry of the index, which adds up windows itself
     * @param string|null $error   why it will not load, as far as known without loading it; names files with their folder
     */
    public function __construct(
        public readonly RunId $id,
        public readonly float $time,
        public readonly string $stamp,
        public readonly int $size,
        public readonly string $title,
        public readonly string $method = '',
        public readonly string $url = '',
        public readonly string $command = '',
        public readonly string $host = '',
        public readonly string $git = '',
        public readonly string $release = '',
        public readonly ?int $wall = null,
        public readonly ?int $cpu = null,
        public readonly ?int $memory = null,
        public readonly ?int $peak = null,
        public readonly ?int $calls = null,
        public readonly ?int $samples = null,
        public readonly ?string $error = null,
        ?Label $label = null,
        public readonly string $start = '',
        public readonly string $name = '',
        public readonly string $route = '',
        public readonly ?int $status = null,
        public readonly string $endedBy = '',
        public readonly string $mode = '',
        public readonly bool $failed = false,
        public readonly string $trace = '',
        public readonly ?RequestWindow $window = null,
    ) {
        $this->label = $label ?? Label::none();
    }

    /**
     * @param string             $stamp  of the files it was read from
     * @param int                $size   bytes of all files of the run
     * @param array<string, int> $totals by metric
     */
    public static function of(
        RunId $id,
        string $stamp,
        int $size,
        RunMeta $meta,
        array $totals,
        ?string $error,
        Label $label,
    ): self {
        return new self(
            id: $id,
            time: $meta->ts ?? 0.0,
            stamp: $stamp,
            size: $size,
            title: $meta->subject() === null ? $id->id : $meta->title(),
            method: $meta->method ?? '',
            url: $meta->url ?? '',
            command: $meta->command ?? '',
            host: $meta->host ?? '',
            git: $meta->git ?? '',
            release: $meta->release ?? '',
            wall: $meta->wall($totals),
            cpu: $meta->sampledTotal('cpu') ?? $totals['cpu'] ?? null,
            memory: $totals['mu'] ?? null,
            peak: $meta->peakMemory,
            calls: $meta->samples === null ? $meta->calls ?? $totals['ct'] ?? null : null,
            samples: $meta->samples,
            error: $error,
            label: $label,
            start: $meta->start ?? '',
            name: $meta->name ?? '',
            route: $meta->group(),
            status: $meta->status,
            endedBy: $meta->endedBy ?? '',
            mode: $meta->mode ?? ($meta->samples === null ? '' : 'sample'),
            failed: $meta->isFailed(),
            trace: trim("$meta->traceId $meta->spanId"),
            window: $meta->aggregate,
        );
    }

    /** What was deployed: the release, else the beginning of the Git revision; '' if neither is known. */
    public function revision(): string
    {
        return $this->release !== '' ? $this->release : substr($this->git, 0, 7);
    }

    /** The job, URL or command that the runs of a trend share; '' if unknown. */
    public function subject(): string
    {
        return $this->name !== '' ? $this->name : ($this->url !== '' ? $this->url : $this->command);
    }

    /**
     * @return string the text that a search looks into, in lower case (of ASCII)
     */
    public function searchText(): string
    {
        $label = $this->label;
        $known = [$this->title, $this->host, $this->git, $this->release, (string) $this->id, $this->trace];
        $texts = [...$known, $label->note, ...$label->tags];
        foreach ([$this->url, $this->command, $this->route] as $text) {
            // Usually the title is one of them.
            if (!str_contains($this->title, $text)) {
                $texts[] = $text;
            }
        }

        return strtolower(str_replace("\0", ' ', implode("\n", array_filter($texts))));
    }

    /**
     * @param string $key one of RunQuery::SORTS
     */
    public function value(string $key): int|float|string|null
    {
        $text = static fn (string $text): ?string => $text === '' ? null : $text;

        return match ($key) {
            'title' => $this->title,
            'source' => $this->id->source,
            'host' => $text($this->host),
            'wt' => $this->wall,
            'cpu' => $this->cpu,
            'mu' => $this->memory,
            'pmu' => $this->peak,
            'ct' => $this->calls ?? $this->samples,
            'size' => $this->size,
            default => $this->time,
        };
    }
}
