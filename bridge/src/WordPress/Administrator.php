<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress;

/**
 * Who sees and makes runs: a run folder has the requests of a whole server, so of a network of sites only those who manage that.
 */
final class Administrator
{
    private const LAST = 'xhprof_last_run';

    /** Seconds for which the last run is a fact about what its administrator does now. */
    private const RECENT = 600;

    public static function isHere(): bool
    {
        return current_user_can(is_multisite() ? 'manage_network' : 'manage_options');
    }

    /**
     * Keeps the run that an administrator has asked for.
     *
     * @param string $run ID.SOURCE
     * @param string $of the request that was recorded: see Recording::token()
     */
    public static function keep(string $run, string $of): void
    {
        if (self::isHere()) {
            update_user_meta(get_current_user_id(), self::LAST, ['run' => $run, 'of' => $of, 'at' => time()]);
        }
    }

    /** @return array{run: string, of: string, isRecent: bool}|null the last run that this administrator has asked for */
    public static function last(): ?array
    {
        $last = (array) get_user_meta(get_current_user_id(), self::LAST, true);
        $run = $last['run'] ?? null;
        if (!is_string($run)) {
            return null;
        }

        return [
            'run' => $run,
            'of' => is_string($last['of'] ?? null) ? $last['of'] : '',
            'isRecent' => time() - (int) ($last['at'] ?? 0) < self::RECENT,
        ];
    }
}
