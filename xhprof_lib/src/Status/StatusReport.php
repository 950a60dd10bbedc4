<?php

declare(strict_types=1);

namespace XHProf\Status;

use XHProf\Report\Finding;
use XHProf\Report\FindingList;
use XHProf\Report\Level;
use XHProf\Report\Report;

/** Whether PHP is set up to profile by itself, and what to do next. */
final class StatusReport
{
    /** Folders of servers with a php.ini of their own. */
    private const SERVERS = ['fpm', 'apache2', 'cgi'];

    /**
     * @param non-empty-list<CheckedSetup> $setups
     * @param list<Shipping> $shipping of their runs
     * @param list<Finding>  $unread   states of it that cannot be read
     * @param string|null    $ini      that was named
     */
    public static function of(array $setups, array $shipping, array $unread, ?string $ini): Report
    {
        $php = $setups[0]->php;
        $starts = array_filter($setups, static fn (CheckedSetup $setup): bool => $setup->php->start() !== 'no') !== [];
        $lists = $todo = $pools = [];
        foreach ($setups as $i => $setup) {
            $lists = [...$lists, ...$setup->lists($i === 0 ? ["PHP $php->php, {$php->read()}"] : [])];
            $todo = [...$todo, ...$setup->todo(count($setups) > 1)];
            foreach ($setup->pools as $pool) {
                $pools[] = ['name' => $pool->name, 'file' => $pool->file, 'user' => $pool->user] + $setup->json();
            }
        }
        $sent = array_merge($unread, ...array_map(static fn (Shipping $one): array => $one->findings(), $shipping));
        $lists[] = new FindingList($sent, lead: ['Sent to a store of many hosts']);
        $hints = self::furtherHints($setups, $ini, $starts);
        $lists[] = new FindingList(array_map(
            static fn (string $line): Finding => new Finding(Level::Todo, $line),
            [...$todo, ...array_values(array_filter(array_column($sent, 'todo'))), ...$hints],
        ), lead: ['To do']);

        return new Report([], facts: [
            'right' => $starts && FindingList::areRight($lists),
            'php' => ['version' => $php->php, 'files' => $php->files, 'extension' => $php->version],
        ] + $setups[0]->json() + [
            'pools' => $pools,
            'shipping' => array_map(static fn (Shipping $one): array => $one->json(), $shipping),
        ], findings: $lists);
    }

    /**
     * @param non-empty-list<CheckedSetup> $setups
     *
     * @return list<string> where else to look
     */
    private static function furtherHints(array $setups, ?string $ini, bool $starts): array
    {
        $todo = [];
        if (!$starts && count($setups) > 1) {
            $todo[] = 'no pool starts profiles: set xhprof.start_with_request=trigger, sampled or yes in php.ini, or in a pool '
                . 'php_admin_value[xhprof.start_with_request] = trigger';
        }
        if ($ini !== null && $setups[0]->pools === []) {
            $todo[] = "there are no pools of PHP-FPM beside $ini: name a pool with --pool=FILE; .htaccess and .user.ini "
                . 'were not checked';
        }
        foreach ($ini === null ? self::SERVERS : [] as $server) {
            $path = '/etc/php/' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION . "/$server";
            if (is_dir($path)) {
                $todo[] = "this was the command line's php.ini; for the server's, run xhprof status --ini=$path";
            }
        }

        return $todo;
    }
}
