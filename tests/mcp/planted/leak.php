<?php

declare(strict_types=1);

namespace Planted;

/** A worker that sends letters, and remembers each for a summary that is never made. */
final class Letters
{
    /** @var list<string> */
    private static array $sent = [];

    public function send(int $number): void
    {
        $this->remember("letter $number");
    }

    public static function count(): int
    {
        return count(self::$sent);
    }

    private function remember(string $title): void
    {
        self::$sent[] = str_pad($title, 60_000, '.');
    }
}

$letters = new Letters();
foreach (range(1, 30) as $number) {
    $letters->send($number);
    xhprof_alloc_mark();
}
echo Letters::count(), "\n";
