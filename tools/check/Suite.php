<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** One command of `make check` and what it leaves. */
final class Suite
{
    /** Exit code of a command that cannot run here; its output says why. */
    public const SKIPPED = 77;

    /**
     * @param string $name for the command line and the log file
     * @param string $group "lint", "test" or "build"; suites of other groups run only when named
     * @param string $title the heading
     * @param list<string> $command run in the project's root
     * @param array<string, string|null> $environment added for this suite; null takes a variable away
     * @param int $timeout seconds
     * @param list<string> $needs suites that make what this one tests: it begins after them, and only where they ended well
     * @param list<string> $after suites that have to end first, however they end
     * @param string $lock name of what it writes to; suites with the same lock run one at a time. "": in a folder of its own
     * @param float $processors that it keeps busy, 0 to 1; less than 1 where it waits for a server or a browser. Its line in the
     *     summary lacks what a browser's processes take, as much again
     */
    public function __construct(
        public readonly string $name,
        public readonly string $group,
        public readonly string $title,
        public readonly array $command,
        public readonly Report $report = Report::ExitCode,
        public readonly array $environment = [],
        public readonly int $timeout = 1800,
        public readonly array $needs = ['build'],
        public readonly array $after = [],
        public readonly string $lock = '',
        public readonly float $processors = 1.0,
    ) {
    }
}
