<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** The answer to a request. */
final class Response
{
    /**
     * @param int $status 0 where there was no answer
     * @param array<string, string> $headers by names in lower case
     * @param string $error of curl, "" where the whole answer came
     */
    public function __construct(
        public readonly Request $request,
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
        public readonly string $error,
        public readonly float $seconds,
    ) {
    }

    /** The process that answered. */
    public function worker(): int
    {
        return (int) ($this->headers['x-worker'] ?? 0);
    }

    /** The id of the run that this request saved. */
    public function run(): ?string
    {
        return $this->headers['x-xhprof-run'] ?? null;
    }
}
