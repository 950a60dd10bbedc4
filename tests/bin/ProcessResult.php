<?php

declare(strict_types=1);

namespace XHProf\Tests\Bin;

/** The end of a process and its output. */
final class ProcessResult
{
    public function __construct(
        public readonly int $exitCode,
        public readonly string $out,
        public readonly string $err,
    ) {
    }

    /** @return array<mixed> */
    public function json(): array
    {
        $data = json_decode($this->out, true, 64, JSON_THROW_ON_ERROR);

        return is_array($data) ? $data : [];
    }
}
