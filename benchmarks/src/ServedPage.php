<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** What is requested again and again, and what answers it: an application, a script, or the shop of tools/servers. */
final class ServedPage
{
    /**
     * @param string $path with query
     * @param int $count requests for a figure
     * @param class-string<Application>|null $application started when its first page is measured
     */
    public function __construct(
        public readonly string $path,
        public readonly int $count,
        public readonly ?string $script = null,
        public readonly ?string $application = null,
    ) {
    }
}
