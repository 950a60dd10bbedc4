<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

/** An answer for people and for programs. */
interface View
{
    public function print(Screen $screen): void;

    /** @return array<string, mixed> */
    public function json(): array;

    /** The same for a ticket: see Report\Markdown. */
    public function markdown(): string;
}
