<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress;

use XHProf\App\MountedSite;
use XHProf\Bridge\RunSummary;

/**
 * What the admin bar shows of a run, when its page has been loaded: the run is saved when the request has ended, so no page can
 * have its own figures.
 *
 * @phpstan-type Found array{text: string, url: string}
 * @phpstan-type Answer array{state: 'saved'|'none'|'problem', text: string, url: string, findings: list<Found>}
 */
final class RunAnswer
{
    /** admin-ajax.php with `run` (ID.SOURCE), or `of`: a request that was recorded by a click. */
    public static function send(): never
    {
        if (function_exists('xhprof_ignore_request')) {
            xhprof_ignore_request();
        }
        if (!Administrator::isHere()) {
            wp_send_json(self::nothing('none', ''), 403);
            exit;
        }
        nocache_headers();
        $run = self::parameter('run');
        $of = self::parameter('of');
        if ($of !== '') {
            $last = Administrator::last();
            $run = $last !== null && hash_equals($last['of'], $of) ? $last['run'] : '';
        }
        wp_send_json(self::of($run));
        exit;
    }

    /**
     * @param string $run ID.SOURCE; '' for one that is not saved yet
     * @return Answer
     */
    public static function of(string $run): array
    {
        if ($run === '') {
            return self::nothing('none', '');
        }
        if (!class_exists(MountedSite::class)) {
            return self::nothing('problem', 'The library of XHProf is not installed.');
        }
        [$id, $source] = explode('.', $run, 2) + [1 => ''];
        $summary = RunSummary::read($id, $source, Settings::folder());
        if ($summary->problem !== '') {
            return self::nothing('problem', $summary->problem);
        }
        $pages = Address::pages();
        $findings = [];
        foreach ($summary->findings as $found) {
            $between = $found['between'] === '' ? ' ' : "; {$found['between']} ";
            $findings[] = ['text' => $found['text'] . $between . $found['symbol'], 'url' => $pages . $found['url']];
        }

        return [
            'state' => 'saved',
            'text' => $summary->line(),
            'url' => $pages . ($summary->links[0]['url'] ?? ''),
            'findings' => $findings,
        ];
    }

    private static function parameter(string $name): string
    {
        return Address::plain($_GET[$name] ?? '');
    }

    /**
     * @param 'none'|'problem' $state
     * @return Answer
     */
    private static function nothing(string $state, string $text): array
    {
        return ['state' => $state, 'text' => $text, 'url' => '', 'findings' => []];
    }
}
