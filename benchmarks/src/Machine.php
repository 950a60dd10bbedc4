<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** Machine and date of the measurements. */
final class Machine
{
    /** @return array<string, string|int|null> */
    public static function describe(): array
    {
        $cpu = (string) @file_get_contents('/proc/cpuinfo');
        $os = @parse_ini_file('/etc/os-release');

        return [
            'date' => date('Y-m-d'),
            'cpu' => preg_match('/^model name\s*:\s*(.+)$/m', $cpu, $match) === 1 ? $match[1] : php_uname('m'),
            'cores' => max(1, (int) preg_match_all('/^processor\s*:/m', $cpu)),
            'core' => Php::core(),
            'virtual' => (int) preg_match('/^flags\s*:.*\bhypervisor\b/m', $cpu),
            'kernel' => php_uname('s') . ' ' . php_uname('r'),
            'system' => is_array($os) ? (string) ($os['PRETTY_NAME'] ?? '') : '',
            'php' => PHP_VERSION . (PHP_ZTS ? ' ZTS' : ' NTS') . (PHP_DEBUG ? ' DEBUG' : ''),
        ];
    }

    public static function line(): string
    {
        $machine = self::describe();

        return sprintf(
            'PHP %s, %s, %s, %d %s%s, %s',
            $machine['php'],
            $machine['system'],
            $machine['cpu'],
            $machine['cores'],
            $machine['cores'] === 1 ? 'core' : 'cores',
            $machine['virtual'] === 1 ? ', virtual machine' : '',
            $machine['date'],
        );
    }
}
