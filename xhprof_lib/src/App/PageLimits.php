<?php

declare(strict_types=1);

namespace XHProf\App;

/**
 * What the pages change of the process that makes them: no cycle collector, enough memory, no errors in the output. Of a process
 * that does other things too, end() puts it back. It uses no other class: it counts before any can be loaded.
 */
final class PageLimits
{
    /** A run of 100 000 edges takes 110 MB, the mean of two 410 MB. */
    private const MEMORY = '512M';

    /** @var array<string, string> php.ini's settings as they were */
    private array $before = [];

    private readonly bool $collects;

    private readonly int $reported;

    private function __construct()
    {
        // A request has few cycles and large runs, and the cycle collector would scan their rows again and again.
        $this->collects = gc_enabled();
        gc_disable();
        $this->set('display_errors', '0');
        $this->set('html_errors', '0');
        $this->reported = error_reporting(E_ALL);
        // A limit fixed by the server's administrator stays: ini_set does nothing then.
        $limit = ini_parse_quantity((string) ini_get('memory_limit'));
        if ($limit >= 0 && $limit < ini_parse_quantity(self::MEMORY)) {
            $this->set('memory_limit', self::MEMORY);
        }
    }

    public static function begin(): self
    {
        return new self();
    }

    public function end(): void
    {
        foreach ($this->before as $name => $value) {
            // A limit below what is in use is refused, with a warning, and stays as it is.
            @ini_set($name, $value);
        }
        error_reporting($this->reported);
        if ($this->collects) {
            gc_enable();
        }
    }

    private function set(string $name, string $value): void
    {
        $before = ini_set($name, $value);
        if ($before !== false) {
            $this->before[$name] = $before;
        }
    }
}
