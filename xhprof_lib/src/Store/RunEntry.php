<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Run\RunId;
use XHProf\Run\RunMeta;

/** A run as a list shows it, without its values per function. */
final class RunEntry
{
    public readonly Label $label;

    /**
     * @param float       $time  start (metadata) or last change (file); seconds since 1970
     * @param string      $stamp of the files it was read from: the entry is out of date when it changes
     * @param int         $size  bytes of all files of the run
     * @param string      $title one printable line: the command, "GET /url", or the id; not escaped for HTML
     * @param RunMeta     $meta  in an entry of the index without the window, which the index adds up, and what lists do not show
     * @param string|null $error why it will not load, as far as known without loading it; names files with their folder
     */
    public function __construct(
        public readonly RunId $id,
        public readonly float $time,
        public readonly string $stamp,
        public readonly int $size,
        public readonly string $title,
        public readonly RunMeta $meta,
        public readonly ?string $error = null,
        ?Label $label = null,
    ) {
        $this->label = $label ?? Label::none();
    }

    /** Its calls; null if it was sampled. */
    public function calls(): ?int
    {
        $totals = $this->meta->totals;

        return $this->meta->recording->samples === null ? $totals->calls ?? $totals->figures['ct'] ?? null : null;
    }

    /**
     * @return string the text that a search looks into, in lower case (of ASCII)
     */
    public function searchText(): string
    {
        [$label, $origin] = [$this->label, $this->meta->origin];
        $known = [$this->title, $origin->host, $origin->git, $origin->release, (string) $this->id, $origin->traceId];
        $texts = [...$known, $origin->spanId, $label->note, ...$label->tags];
        foreach ([$origin->url, $origin->command, $this->meta->group()] as $text) {
            // Usually the title is one of them.
            if (!str_contains($this->title, $text ?? '')) {
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
        $figures = $this->meta->totals->figures;

        return match ($key) {
            'title' => $this->title,
            'source' => $this->id->source,
            'host' => ($this->meta->origin->host ?? '') === '' ? null : $this->meta->origin->host,
            'wt' => $this->meta->wall(),
            'cpu' => $this->meta->recording->sampledTotal('cpu') ?? $figures['cpu'] ?? null,
            'mu' => $figures['mu'] ?? null,
            'pmu' => $this->meta->totals->peakMemory,
            'ct' => $this->calls() ?? $this->meta->recording->samples,
            'size' => $this->size,
            default => $this->time,
        };
    }

    /** @return int|null µs or bytes of a metric, as lists have it */
    public function figure(string $key): ?int
    {
        $value = $this->value($key);

        return is_int($value) ? $value : null;
    }
}
