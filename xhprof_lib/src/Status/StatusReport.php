<?php

declare(strict_types=1);

namespace XHProf\Status;

/**
 * Findings about php.ini, or about pools with the same settings over it.
 *
 * @phpstan-type Finding array{level: 'ok'|'note'|'wrong', text: string, todo: string|null}
 */
final class StatusReport
{
    /**
     * @param list<FpmPool> $pools    none for php.ini alone
     * @param list<Finding> $settings
     * @param list<Finding> $files
     */
    public function __construct(
        public readonly array $pools,
        public readonly PhpSetup $php,
        public readonly FolderState $folder,
        public readonly array $settings,
        public readonly array $files,
    ) {
    }

    /** @return list<Finding> */
    public function findings(): array
    {
        return [...$this->settings, ...$this->files];
    }

    public function isRight(): bool
    {
        return !in_array('wrong', array_column($this->findings(), 'level'), true);
    }

    /** "pool www", "pools api and www"; '' for none. */
    public function names(): string
    {
        $names = array_map(static fn (FpmPool $pool): string => $pool->name, $this->pools);
        $last = (string) array_pop($names);

        return $names === [] ? ($last === '' ? '' : "pool $last") : 'pools ' . implode(', ', $names) . " and $last";
    }
}
