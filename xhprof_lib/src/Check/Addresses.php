<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Run\RunId;

/** Where a reader finds a run and a file. */
final class Addresses
{
    /**
     * @param string $pages  address of the pages, as "https://profiles.example.org/"; '' where there are none
     * @param string $folder of the runs, where it must be named; ''
     * @param string $root   of the sources, without a slash at its end: paths below it are shown from there
     */
    public function __construct(
        private readonly string $pages = '',
        private readonly string $folder = '',
        private readonly string $root = '',
    ) {
    }

    /** @return string an address, or the command that shows it */
    public function run(RunId $run, string $view = 'report'): string
    {
        $url = $this->url($run, $view);
        if ($url !== null) {
            return $url;
        }
        [$command, $option] = explode(' ', "$view ", 2);
        $folder = $this->folder === '' ? '' : ' --output-dir=' . escapeshellarg($this->folder);

        return trim("xhprof $command " . substr($run->id, 0, 12) . " $option") . $folder;
    }

    /** @return string|null the run's page, without characters that end a link; null where there are no pages */
    public function url(RunId $run, string $view = 'report'): ?string
    {
        if ($this->pages === '') {
            return null;
        }
        $query = ['run' => $run->id, 'source' => $run->source] + ($view === 'operations' ? ['view' => 'operations'] : []);
        $url = rtrim($this->pages, '/') . '/index.php?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986);

        return preg_replace_callback(
            '/[^!#$%&\'*+,.\/:;=?@~A-Za-z0-9_-]/',
            static fn (array $match): string => rawurlencode($match[0]),
            $url,
        ) ?? '';
    }

    public function file(string $path): string
    {
        return $this->root !== '' && str_starts_with($path, "$this->root/") ? substr($path, strlen($this->root) + 1) : $path;
    }

    /** Whether a path is one of the project: others are not shown as annotations of its files. */
    public function isOwn(string $path): bool
    {
        return $this->file($path) !== $path || !str_starts_with($path, '/');
    }
}
