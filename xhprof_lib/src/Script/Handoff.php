<?php

declare(strict_types=1);

namespace XHProf\Script;

use XHProf\Cli\CliError;

/**
 * A private folder in which the profiled process reports the run that it saved; it also holds the run itself
 * if the run is not to be kept.
 */
final class Handoff
{
    public readonly string $directory;

    public function __construct()
    {
        $this->directory = sys_get_temp_dir() . '/xhprof-run-' . bin2hex(random_bytes(8));
        if (!@mkdir($this->directory, 0700)) {
            throw new CliError("cannot make the folder {$this->directory}");
        }
    }

    public function file(): string
    {
        return $this->directory . '/result.json';
    }

    /**
     * @return array{id: ?string, error: ?string, whole: bool}|null whole: it was not stopped before the end; null if the
     *     process did not get to saving
     */
    public function result(): ?array
    {
        $data = is_file($this->file()) ? json_decode((string) file_get_contents($this->file()), true) : null;
        if (!is_array($data)) {
            return null;
        }

        return [
            'id' => is_string($data['id'] ?? null) ? $data['id'] : null,
            'error' => is_string($data['error'] ?? null) ? $data['error'] : null,
            'whole' => ($data['whole'] ?? null) === true,
        ];
    }

    /** Removes the folder and its contents. */
    public function remove(): void
    {
        foreach (@scandir($this->directory) ?: [] as $name) {
            if ($name !== '.' && $name !== '..') {
                @unlink($this->directory . '/' . $name);
            }
        }
        @rmdir($this->directory);
    }
}
