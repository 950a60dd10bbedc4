<?php

declare(strict_types=1);

namespace XHProf\Status;

use XHProf\Format\Units;
use XHProf\Store\WaitingRequests;

/**
 * Checks whether automatic profiling is set up correctly, and advises if not.
 *
 * @phpstan-type Finding array{level: 'ok'|'note'|'wrong', text: string, todo: string|null}
 */
final class Check
{
    /** A spool without a write for this many windows was left behind. */
    private const WINDOWS = 3;

    /** µs between samples; from here on short requests get none. */
    private const COARSE = 100000;

    /** The extension's interval for requests with xhprof.sampling_interval=0, in µs. */
    private const INTERVAL = 10000;

    /**
     * @param bool        $isNamed whether the folder was named by the user, and not by php.ini
     * @param string|null $user    that writes the runs; null for the one that asks
     * @param bool        $isOne   whether it is one of several pools, of which others may start something
     */
    public function __construct(
        private readonly PhpSetup $php,
        private readonly FolderState $folder,
        private readonly bool $isNamed = false,
        private readonly ?string $user = null,
        private readonly bool $isOne = false,
    ) {
    }

    /** @return list<Finding> of php.ini */
    public function settings(): array
    {
        $php = $this->php;
        if ($php->version === null) {
            $why = $php->messages === '' ? '' : " ($php->messages)";

            return [self::wrong("the extension is not loaded$why", 'put "extension=xhprof" into ' . ($php->files[0] ?? 'php.ini'))];
        }
        if (!$php->canStart()) {
            return [self::wrong("extension $php->version is too old to start by itself", 'build this one: make build')];
        }

        return [
            ['level' => 'ok', 'text' => "extension $php->version", 'todo' => null],
            $this->start(),
            ...$this->trigger(),
            $this->mode(),
            ...$this->sampling(),
            ...$this->limits(),
        ];
    }

    /** @return list<Finding> of the run folder */
    public function folder(): array
    {
        $folder = $this->folder;
        $isDefault = $this->php->version !== null && $this->php->text('output_dir') === '' && !$this->isNamed;
        $found = $isDefault ? [self::note(
            'xhprof.output_dir is not set: runs go to a temporary folder, one per user',
            'to keep runs, set xhprof.output_dir=/var/lib/xhprof',
        )] : [];
        if (!$folder->exists && $isDefault) {
            return [...$found, ['level' => 'ok', 'text' => 'the first run creates the folder', 'todo' => null]];
        }
        if (!$folder->exists) {
            return [self::wrong('the folder does not exist', "mkdir -m 0770 $folder->path, and give it to the web server's user")];
        }
        $mode = sprintf('%s, mode %04o', $folder->owner, $folder->mode);
        $found = [...$found, ...match (true) {
            $isDefault => [$this->owner($mode)],
            $this->user === null => $this->writers($mode),
            default => [$this->writer($this->user, $mode)],
        }];
        if (($folder->mode & 0002) !== 0) {
            $isTemporary = ($folder->mode & 01000) !== 0;
            $todo = $isTemporary ? 'set a private folder: xhprof.output_dir=/var/lib/xhprof' : "chmod o-w $folder->path";
            $found[] = self::wrong('every user may write there and could forge runs', $todo);
        }
        if (!$folder->isListable) {
            $found[] = self::note('runs cannot be listed', "load PHP's extension pdo_sqlite, for the pages too");
        } elseif (!$folder->isIndexed) {
            $found[] = self::note('no index can be kept: large folders are slow', 'give this user a cache: XDG_CACHE_HOME');
        }
        foreach ($folder->spools as $spool) {
            $age = time() - $spool['written'];
            $isOld = $age > self::WINDOWS * max(60, $this->php->number('flush_seconds'));
            $isEmpty = $spool['bytes'] <= WaitingRequests::EMPTY_SPOOL;
            $holds = match (true) {
                $isEmpty => 'empty',
                $spool['requests'] === 0 => Units::bytes($spool['bytes']),
                default => Units::counted($spool['requests'], 'request'),
            };
            $text = sprintf('spool of %s: %s, written %s', $spool['source'], $holds, self::ago($age));
            $found[] = $isOld && !$isEmpty
                ? self::note($text, 'the processes of that spool have ended; the next request saves what it holds')
                : ['level' => 'ok', 'text' => $text, 'todo' => null];
        }

        return $found;
    }

    /** @return list<Finding> whether the user that asks may write, and the usual ones of servers */
    private function writers(string $mode): array
    {
        $folder = $this->folder;
        $found = [$folder->isWritable
            ? ['level' => 'ok', 'text' => "writable ($mode)", 'todo' => null]
            : self::wrong("this user may not write there ($mode)", 'give it to the user that PHP runs as')];
        foreach (ServerUser::NAMES as $user) {
            if ($folder->canWrite($user) === false) {
                $found[] = self::note("$user may not write there", "if PHP serves requests as $user: " . $this->grantTo($user));
            }
        }

        return $found;
    }

    /** @return Finding whether the folder for temporary files is its user's own: else the extension saves nothing there */
    private function owner(string $mode): array
    {
        $folder = $this->folder;
        $user = $this->user ?? $folder->owner;

        return $folder->owner === $user && ($folder->mode & 0022) === 0
            ? ['level' => 'ok', 'text' => "$user may write there ($mode)", 'todo' => null]
            : self::wrong(
                "not private to $user ($mode): nothing is saved there",
                "remove $folder->path, or set xhprof.output_dir",
            );
    }

    /** @return Finding */
    private function writer(string $user, string $mode): array
    {
        return match ($this->folder->canWrite($user)) {
            true => ['level' => 'ok', 'text' => "$user may write there ($mode)", 'todo' => null],
            false => self::wrong("$user, the user of the pool, may not write there ($mode)", $this->grantTo($user)),
            null => self::note("user $user does not exist here", 'run this where the pool runs: machine or container'),
        };
    }

    private function grantTo(string $user): string
    {
        return "chgrp $user {$this->folder->path} && chmod g+rwx {$this->folder->path}";
    }

    public static function ago(int $seconds): string
    {
        return $seconds < 0 ? 'in the future' : Units::age($seconds) . ' ago';
    }

    /** @return Finding */
    private function start(): array
    {
        $written = $this->php->text('start_with_request');
        $text = "xhprof.start_with_request=$written";
        if (!in_array(strtolower($written), ['', '0', 'off', 'no', '1', 'on', 'yes', 'trigger', 'sampled'], true)) {
            return self::wrong("$text is not a valid value: nothing starts by itself", 'use trigger, sampled or yes');
        }
        $rate = (float) $this->php->text('sample_rate');

        return match ($this->php->start()) {
            'no' => $this->isOne
                ? ['level' => 'note', 'text' => "$text: nothing starts by itself", 'todo' => null]
                : self::wrong(
                    "$text: nothing starts by itself",
                    'set xhprof.start_with_request=trigger, sampled or yes in php.ini',
                ),
            'trigger' => ['level' => 'ok', 'text' => "$text: requests and commands with XHPROF_TRIGGER", 'todo' => null],
            'sampled' => $rate > 0
                ? ['level' => 'ok', 'text' => "$text: " . self::rate($rate) . ', and those with XHPROF_TRIGGER', 'todo' => null]
                : self::wrong("$text with xhprof.sample_rate=0: only requests with XHPROF_TRIGGER", 'set xhprof.sample_rate=0.01'),
            default => ['level' => 'ok', 'text' => "$text: every request", 'todo' => null],
        };
    }

    /** @return list<Finding> */
    private function trigger(): array
    {
        if ($this->php->start() === 'no') {
            return [];
        }

        return $this->php->text('trigger_value') !== ''
            ? [['level' => 'ok', 'text' => 'xhprof.trigger_value is set: cookies, GET and POST can trigger', 'todo' => null]]
            : [self::note(
                'xhprof.trigger_value is empty: only an environment variable can trigger',
                'to trigger requests, set xhprof.trigger_value="a long secret"',
            )];
    }

    private static function rate(float $rate): string
    {
        return $rate >= 1 ? 'all requests' : '1 request of ' . Units::count((int) min(1e9, round(1 / $rate)));
    }

    /** @return Finding */
    private function mode(): array
    {
        $mode = $this->php->text('mode');
        $interval = $this->php->number('sampling_interval') ?: self::INTERVAL;
        $sampled = $this->php->number('alloc_sample_bytes');
        $isEvery = $mode === 'exact' || ($mode === 'alloc' && $sampled === 0);
        $text = "xhprof.mode=$mode" . match ($mode) {
            'sample' => ': call paths every ' . Units::us($interval),
            'aggregate' => ': sampled every ' . Units::us($interval) . ', merged into one run every '
                . $this->php->number('flush_seconds') . ' s',
            'alloc' => $sampled === 0 ? ': every call and allocation' : ': one allocation every ' . Units::bytes($sampled),
            default => ': every call',
        };
        if ($mode === 'aggregate' && $this->php->start() === 'trigger') {
            $todo = 'set xhprof.start_with_request=yes, or sampled';

            return self::wrong("$text, but never with xhprof.start_with_request=trigger", $todo);
        }
        $isOff = in_array(strtolower($this->php->text('hooks')), ['', '0', 'no', 'off'], true);
        if ($isOff && $isEvery) {
            return self::wrong("$text, but xhprof.hooks=off hides all calls", 'set xhprof.mode=sample, or xhprof.hooks=auto');
        }
        if (in_array($mode, ['sample', 'aggregate'], true) && $interval >= self::COARSE) {
            return self::note($text, 'shorter requests get no sample; xhprof.sampling_interval=10000, or 1000 (µs), costs little');
        }
        if ($isEvery && $this->php->start() === 'yes') {
            return self::note(
                $text,
                'too costly in production: set xhprof.mode=aggregate, or xhprof.start_with_request=sampled',
            );
        }

        return ['level' => 'ok', 'text' => $text, 'todo' => null];
    }

    /** @return list<Finding> whether this PHP can be sampled, if it cannot */
    private function sampling(): array
    {
        if ($this->php->refusal === '') {
            return [];
        }
        $text = "nothing can be sampled: {$this->php->refusal}";
        $isWanted = in_array($this->php->text('mode'), ['sample', 'aggregate'], true);

        return [$isWanted
            ? self::wrong($text, 'change that, or set xhprof.mode=exact')
            : ['level' => 'note', 'text' => $text, 'todo' => null]];
    }

    /** @return list<Finding> */
    private function limits(): array
    {
        $runs = $this->php->number('max_runs');
        $bytes = $this->php->number('max_bytes');
        $bound = implode(' or ', array_filter([
            $runs > 0 ? Units::count($runs) . ' runs' : '',
            $bytes > 0 ? Units::bytes($bytes) : '',
        ]));
        $slow = $this->php->number('save_slower_than_ms');

        return [
            $bound !== ''
                ? ['level' => 'ok', 'text' => "at most $bound of a source are kept", 'todo' => null]
                : self::note('the folder grows without limit', 'set xhprof.max_bytes=1G, or run xhprof prune by cron'),
            ...($slow > 0
                ? [['level' => 'ok', 'text' => 'only profiles of ' . Units::us($slow * 1000) . ' or more are kept', 'todo' => null]]
                : []),
        ];
    }

    /** @return Finding */
    private static function note(string $text, string $todo): array
    {
        return ['level' => 'note', 'text' => $text, 'todo' => $todo];
    }

    /** @return Finding */
    private static function wrong(string $text, string $todo): array
    {
        return ['level' => 'wrong', 'text' => $text, 'todo' => $todo];
    }
}
