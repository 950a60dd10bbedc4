<?php

declare(strict_types=1);

namespace XHProf\Finding;

use XHProf\Profile\OperationFunctions;

/** Time in which the program waited for something else, in functions that are known to wait. Needs wall and CPU time. */
final class Waiting implements Rule
{
    /** Share of the wall time. */
    private const SHARE = 0.5;

    private const WAITS = '/\A(?:sleep|usleep|time_nanosleep|time_sleep_until|stream_select|socket_select'
        . '|socket_(?:accept|read|recv|connect)'
        . '|fread|fgets|fgetc|fwrite|fopen|fsockopen|pfsockopen|stream_socket_client|stream_socket_accept|stream_get_contents'
        . '|stream_get_line|file_get_contents|file_put_contents|flock|copy|exec|shell_exec|system|passthru|proc_close|pclose'
        . '|pcntl_wait|pcntl_waitpid|curl_multi_select|curl_multi_exec|gethostbyname|dns_get_record|mail|sem_acquire|msg_receive'
        . '|PDO::__construct|mysqli_connect|mysqli::__construct|pg_connect|Redis::connect|session_start)(?:#.*)?\z/is';

    public function name(): string
    {
        return 'waiting';
    }

    /** Whether the function waits for a disk, the network, another process or a moment. */
    public static function waits(string $name): bool
    {
        return preg_match(self::WAITS, $name) === 1 || OperationFunctions::kind($name) !== null;
    }

    public function find(Evidence $run): array
    {
        $waited = [];
        foreach (array_diff(['wt', 'cpu'], $run->profile->metrics()) === [] ? $run->rows() : [] as $name => $row) {
            if (self::waits($name)) {
                $waited[$name] = max(0, $row['excl_wt'] - $row['excl_cpu']);
            }
        }
        arsort($waited);
        $sum = array_sum($waited);
        $share = $run->part($sum);

        return $waited === [] || $share < self::SHARE ? [] : [new Finding(
            $this->name(),
            $run->share($sum) . ' waited',
            (string) array_key_first($waited),
            'Faster code would not help: what is waited for has to answer sooner, be asked less often, or meanwhile.',
            $share,
        )];
    }
}
