<?php

declare(strict_types=1);

namespace XHProf\Bridge\Psr15;

/** A request as Mount takes it. */
final class Asked
{
    /**
     * @param string $method in upper case
     * @param array<int|string, mixed> $query
     * @param array<int|string, mixed> $form
     * @param array<int|string, mixed> $server as $_SERVER
     * @param array<int|string, mixed> $files as $_FILES
     */
    public function __construct(
        public readonly string $method,
        public readonly array $query,
        public readonly array $form,
        public readonly array $server,
        public readonly array $files,
    ) {
    }
}
