<?php

declare(strict_types=1);

namespace XHProf\Fleet\Question;

/** What a function took in the requests of each release. */
final class ReleaseFigures
{
    /**
     * @param array<string, array{int, int, int}> $releases samples, own ns, ns with all it called
     * @param array<string, int>                  $requests per release, of all that were asked for
     */
    public function __construct(
        public readonly int $fn,
        public readonly string $name,
        public readonly string $file,
        public readonly int $line,
        private readonly array $releases,
        private readonly array $requests,
    ) {
    }

    /** @return int requests that were asked for, in all releases or in one */
    public function requestCount(?string $release = null): int
    {
        return $release === null ? RowValues::sum($this->requests) : $this->requests[$release] ?? 0;
    }

    /** @return int samples of its own, in all releases or in one */
    public function samples(?string $release = null): int
    {
        return $this->sum(0, $release);
    }

    /** @return int ns of its own */
    public function self(?string $release = null): int
    {
        return $this->sum(1, $release);
    }

    /** @return int ns with all it called */
    public function total(?string $release = null): int
    {
        return $this->sum(2, $release);
    }

    /** @return float|null ns of its own per request; null without requests */
    public function selfPerRequest(?string $release = null): ?float
    {
        $requests = $this->requestCount($release);

        return $requests === 0 ? null : $this->self($release) / $requests;
    }

    /** @return float|null ns with all it called, per request; null without requests */
    public function totalPerRequest(?string $release = null): ?float
    {
        $requests = $this->requestCount($release);

        return $requests === 0 ? null : $this->total($release) / $requests;
    }

    /** @return list<string> releases with requests */
    public function releases(): array
    {
        return array_map(strval(...), array_keys($this->requests));
    }

    /** @return array{function: string, file: string, line: int, samples: int, self_ns: ?float, total_ns: ?float} per request */
    public function toArray(?string $release = null): array
    {
        return [
            'function' => $this->name, 'file' => $this->file, 'line' => $this->line, 'samples' => $this->samples($release),
            'self_ns' => $this->selfPerRequest($release), 'total_ns' => $this->totalPerRequest($release),
        ];
    }

    private function sum(int $figure, ?string $release): int
    {
        return $release === null
            ? RowValues::sum(array_column($this->releases, $figure))
            : $this->releases[$release][$figure] ?? 0;
    }
}
