<?php

declare(strict_types=1);

namespace XHProf\Tools\Servers;

/** A process with the settings of a server that has ended, which finds the data that the server's processes have left. */
final class NextProcess
{
    /** @return int its exit code */
    public static function run(Folder $folder): int
    {
        $ini = "$folder->path/next.ini";
        file_put_contents($ini, (string) file_get_contents((glob("$folder->path/*.ini") ?: [''])[0]));
        $settings = ['-d', 'xhprof.start_with_request=yes', '-d', 'xhprof.source=auto'];
        if (!str_contains((string) file_get_contents($ini), Programs::extension())) { // php -S has it on its command line
            array_unshift($settings, '-d', 'extension=' . Programs::extension());
        }

        return (new Daemon([PHP_BINARY, '-c', $ini, ...$settings, '-r', ''], "$folder->path/next.out"))->finish();
    }
}
