<?php

declare(strict_types=1);

namespace XHProf\Status;

use XHProf\Format\Units;
use XHProf\Report\Finding;
use XHProf\Store\WaitingRequests;

/** Checks whether automatic profiling is set up correctly, and advises if not. */
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
     * @param string      $remedy  how to get an extension that fits, '' where there is one: see PhpRuntime::remedy()
     */
    public function __construct(
        private readonly PhpSetup $php,
        private readonly FolderState $folder,
        private readonly bool $isNamed = false,
        private readonly ?string $user = null,
        private readonly bool $isOne = false,
        private readonly string $remedy = '',
    ) {
    }

    /** @return list<Finding> of php.ini */
    public function settings(): array
    {
        $php = $this->php;
        if ($php->version === null) {
            $why = $php->messages === '' ? '' : " ($php->messages)";

            $file = $php->files[0] ?? 'php.ini';

            $load = ($this->remedy === '' ? '' : "$this->remedy; then ") . "put \"extension=xhprof\" into $file";

            return [Finding::wrong("the extension is not loaded$why", $load)];
        }
        if (!$php->canStart()) {
            return [Finding::wrong("extension $php->version is too old to start by itself", $this->remedy)];
        }

        return [
            Finding::ok("extension $php->version"),
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
        $found = $isDefault ? [Finding::note(
            'xhprof.output_dir is not set: runs go to a temporary folder, one per user',
            'to keep runs, set xhprof.output_dir=/var/lib/xhprof',
        )] : [];
        if (!$folder->exists && $isDefault) {
            return [...$found, Finding::ok('the first run creates the folder')];
        }
        if (!$folder->exists) {
            $todo = "mkdir -m 0770 $folder->path, and give it to the web server's user";

            return [Finding::wrong('the folder does not exist', $todo)];
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
            $found[] = Finding::wrong('every user may write there and could forge runs', $todo);
        }
        if (!$folder->isListable) {
            $found[] = Finding::note('runs cannot be listed', "load PHP's extension pdo_sqlite, for the pages too");
        } elseif (!$folder->isIndexed) {
            $found[] = Finding::note('no index can be kept: large folders are slow', 'give this user a cache: XDG_CACHE_HOME');
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
                ? Finding::note($text, 'the processes of that spool have ended; the next request saves what it holds')
                : Finding::ok($text);
        }

        return $found;
    }

    /** @return list<Finding> whether the user that asks may write, and the usual ones of servers */
    private function writers(string $mode): array
    {
        $folder = $this->folder;
        $found = [$folder->isWritable
            ? Finding::ok("writable ($mode)")
            : Finding::wrong("this user may not write there ($mode)", 'give it to the user that PHP runs as')];
        foreach (ServerUser::NAMES as $user) {
            if ($folder->canWrite($user) === false) {
                $found[] = Finding::note("$user may not write there", "if PHP serves requests as $user: " . $this->grantTo($user));
            }
        }

        return $found;
    }

    /** Whether the folder for temporary files is its user's own: else the extension saves nothing there. */
    private function owner(string $mode): Finding
    {
        $folder = $this->folder;
        $user = $this->user ?? $folder->owner;

        return $folder->owner === $user && ($folder->mode & 0022) === 0
            ? Finding::ok("$user may write there ($mode)")
            : Finding::wrong(
                "not private to $user ($mode): nothing is saved there",
                "remove $folder->path, or set xhprof.output_dir",
            );
    }

    private function writer(string $user, string $mode): Finding
    {
        return match ($this->folder->canWrite($user)) {
            true => Finding::ok("$user may write there ($mode)"),
            false => Finding::wrong("$user, the user of the pool, may not write there ($mode)", $this->grantTo($user)),
            null => Finding::note("user $user does not exist here", 'run this where the pool runs: machine or container'),
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

    private function start(): Finding
    {
        $written = $this->php->text('start_with_request');
        $text = "xhprof.start_with_request=$written";
        if (!in_array(strtolower($written), ['', '0', 'off', 'no', '1', 'on', 'yes', 'trigger', 'sampled'], true)) {
            return Finding::wrong("$text is not a valid value: nothing starts by itself", 'use trigger, sampled or yes');
        }
        $rate = (float) $this->php->text('sample_rate');

        return match ($this->php->start()) {
            'no' => $this->isOne
                ? Finding::note("$text: nothing starts by itself")
                : Finding::wrong(
                    "$text: nothing starts by itself",
                    'set xhprof.start_with_request=trigger, sampled or yes in php.ini',
                ),
            'trigger' => Finding::ok("$text: requests and commands with XHPROF_TRIGGER"),
            'sampled' => $rate > 0
                ? Finding::ok("$text: " . self::rate($rate) . ', and those with XHPROF_TRIGGER')
                : Finding::wrong(
                    "$text with xhprof.sample_rate=0: only requests with XHPROF_TRIGGER",
                    'set xhprof.sample_rate=0.01',
                ),
            default => Finding::ok("$text: every request"),
        };
    }

    /** @return list<Finding> */
    private function trigger(): array
    {
        if ($this->php->start() === 'no') {
            return [];
        }

        return $this->php->text('trigger_value') !== ''
            ? [Finding::ok('xhprof.trigger_value is set: cookies, GET and POST can trigger')]
            : [Finding::note(
                'xhprof.trigger_value is empty: only an environment variable can trigger',
                'to trigger requests, set xhprof.trigger_value="a long secret"',
            )];
    }

    private static function rate(float $rate): string
    {
        return $rate >= 1 ? 'all requests' : '1 request of ' . Units::count((int) min(1e9, round(1 / $rate)));
    }

    private function mode(): Finding
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

            return Finding::wrong("$text, but never with xhprof.start_with_request=trigger", $todo);
        }
        $isOff = in_array(strtolower($this->php->text('hooks')), ['', '0', 'no', 'off'], true);
        if ($isOff && $isEvery) {
            return Finding::wrong("$text, but xhprof.hooks=off hides all calls", 'set xhprof.mode=sample, or xhprof.hooks=auto');
        }
        if (in_array($mode, ['sample', 'aggregate'], true) && $interval >= self::COARSE) {
            $todo = 'shorter requests get no sample; xhprof.sampling_interval=10000, or 1000 (µs), costs little';

            return Finding::note($text, $todo);
        }
        if ($isEvery && $this->php->start() === 'yes') {
            $todo = 'too costly in production: set xhprof.mode=aggregate, or xhprof.start_with_request=sampled';

            return Finding::note($text, $todo);
        }

        return Finding::ok($text);
    }

    /** @return list<Finding> whether this PHP can be sampled, if it cannot */
    private function sampling(): array
    {
        if ($this->php->refusal === '') {
            return [];
        }
        $text = "nothing can be sampled: {$this->php->refusal}";
        $isWanted = in_array($this->php->text('mode'), ['sample', 'aggregate'], true);

        return [$isWanted ? Finding::wrong($text, 'change that, or set xhprof.mode=exact') : Finding::note($text)];
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
                ? Finding::ok("at most $bound of a source are kept")
                : Finding::note('the folder grows without limit', 'set xhprof.max_bytes=1G, or run xhprof prune by cron'),
            ...($slow > 0 ? [Finding::ok('only profiles of ' . Units::us($slow * 1000) . ' or more are kept')] : []),
        ];
    }
}
