<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** One request to be sent. */
final class Request
{
    /**
     * @param string $path with query
     * @param array<string, string|\CURLFile>|null $form sent by POST, as multipart/form-data
     * @param int|null $abortAfter bytes of the body after which the client hangs up
     */
    public function __construct(
        public readonly string $path,
        public readonly ?array $form = null,
        public readonly string $cookies = '',
        public readonly ?int $abortAfter = null,
    ) {
    }
}
