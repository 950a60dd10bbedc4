<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel;

use Illuminate\Contracts\Config\Repository;

/** config/xhprof.php, whatever its values are. */
final class Settings
{
    public function __construct(private readonly Repository $config)
    {
    }

    /** @return string the place of the pages, without slashes around it */
    public function path(): string
    {
        $path = trim((string) $this->config->get('xhprof.path'), '/');

        return $path === '' ? '_xhprof' : $path;
    }

    /** @return string|null of the runs; null for that of php.ini */
    public function folder(): ?string
    {
        $folder = $this->config->get('xhprof.folder');

        return is_string($folder) && $folder !== '' ? $folder : null;
    }

    /** @return list<string> of what a run records beside calls and wall time */
    public function flags(): array
    {
        return array_values(array_filter((array) $this->config->get('xhprof.flags'), is_string(...)));
    }

    public function isUntilAnswer(): bool
    {
        return $this->config->get('xhprof.until') !== 'terminate';
    }

    /** @return int one job in so many has a run; 0 for none */
    public function jobsOneIn(): int
    {
        return max(0, (int) $this->config->get('xhprof.jobs.one_in'));
    }
}
