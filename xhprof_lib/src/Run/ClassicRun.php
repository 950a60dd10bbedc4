<?php

declare(strict_types=1);

namespace XHProf\Run;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;
use XHProf\Memory\MemoryProfile;
use XHProf\Operations\OperationReport;
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Profile\SampleColumns;
use XHProf\Profile\TimeSpan;

/**
 * A run of PECL's XHProf: the edges alone, or samples.
 *
 * @internal see RunFolder::open()
 */
final class ClassicRun extends Run
{
    /**
     * @param \Closure(): string $bytes of the file
     * @param bool               $isSampled whether it has samples
     * @param int|null           $time of its last change, seconds since 1970; null if it does not matter
     */
    public function __construct(
        ?RunId $id,
        string $path,
        private readonly \Closure $bytes,
        private readonly bool $isSampled,
        private readonly ?int $time,
        private readonly string $version = '',
    ) {
        parent::__construct($id, $path);
    }

    public function has(string $part): bool
    {
        return $this->isSampled && ($part === self::TREE || $part === self::SAMPLES);
    }

    public function span(): ?TimeSpan
    {
        $samples = $this->samples();

        return $samples === null ? null : new TimeSpan($samples->duration() * 1000, null);
    }

    public function version(): string
    {
        return $this->version;
    }

    /** @return array<array-key, string>|null time => call stack, as xhprof_sample_disable() gives it; null for edges, or if damaged */
    public function recordedSamples(): ?array
    {
        return $this->isSampled ? ClassicFile::decodeSamples(($this->bytes)()) : null;
    }

    protected function readMeta(): RunMeta
    {
        $samples = $this->isSampled ? $this->samples() : null;

        return $this->completed($samples === null ? [] : self::describeSamples($samples), $this->time);
    }

    protected function readProfile(): Profile
    {
        $profile = $this->isSampled
            ? ($this->tree() ?? throw new InvalidProfile('it has no samples'))->toProfile()
            : ClassicFile::decode(($this->bytes)(), $this->path);

        return $profile->sampled($this->meta()->recording->sampleCount());
    }

    protected function readTree(): ?CallTree
    {
        return $this->samples()?->tree();
    }

    /** @throws DamagedRun of a file that is no run: it would have nothing else to say so */
    protected function readMemory(): ?MemoryProfile
    {
        $this->profile();

        return null;
    }

    /** @throws DamagedRun as of readMemory() */
    protected function readOperations(): ?OperationReport
    {
        $this->profile();

        return null;
    }

    /** @throws DamagedRun */
    protected function readSamples(): ?SampleColumns
    {
        return $this->isSampled ? ClassicFile::decodeColumns(($this->bytes)(), $this->path) : null;
    }

    /**
     * @return array<string, mixed> in the shape of RunMeta::fromArray()
     */
    private static function describeSamples(SampleColumns $columns): array
    {
        return [
            'ts' => $columns->start / 1e6,
            'duration_us' => $columns->duration(),
            'samples' => $columns->count(),
            'sample_interval_us' => $columns->interval,
            'totals' => [$columns->metric => $columns->sampled()],
        ];
    }
}
