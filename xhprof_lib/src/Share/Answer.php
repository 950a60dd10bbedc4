<?php

declare(strict_types=1);

namespace XHProf\Share;

/** What the file answers to a request of its scripts, in the server's place. */
final class Answer
{
    /**
     * @param string $address that the scripts ask for
     * @param bool   $isJson  or else the bytes of a run file
     */
    public function __construct(
        public readonly string $address,
        public readonly bool $isJson,
        public readonly string $body,
    ) {
    }
}
