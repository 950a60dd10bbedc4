<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** A page that servers are measured with. */
final readonly class ServerPage
{
    /**
     * @param string|null $script that answers; null: the shop of tools/servers
     * @param string $path that is asked for
     * @param int $requests of a sample
     * @param WordPress|null $application whose page it is: what PHP needs for it
     */
    public function __construct(
        public ?string $script,
        public string $path,
        public int $requests,
        public ?WordPress $application = null,
    ) {
    }
}
