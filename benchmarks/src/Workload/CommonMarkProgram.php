<?php

declare(strict_types=1);

namespace XHProf\Bench\Workload;

/** league/commonmark, Debian's package, turns templates/sample.md into HTML. */
final class CommonMarkProgram implements Workload
{
    /** Where tools/bench-deps.sh unpacks Debian's packages. */
    public const LIBRARY = __DIR__ . '/../../../build/bench/debian/usr/share/php';

    private readonly \Closure $convert;

    public function __construct()
    {
        set_include_path(self::LIBRARY);
        require_once self::LIBRARY . '/League/CommonMark/autoload.php';
        $text = (string) file_get_contents(__DIR__ . '/../../templates/sample.md');
        $converter = new \League\CommonMark\CommonMarkConverter();
        $this->convert = static fn() => $converter->convert($text);
    }

    public function run(int $units): int
    {
        for ($i = 0; $i < $units; $i++) {
            ($this->convert)();
        }

        return 0;
    }
}
