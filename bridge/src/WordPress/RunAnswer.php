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
    /** Kinds of time that are named beside the total. */
    private const KINDS = 2;

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
            'text' => self::line($summary),
            'url' => $pages . ($summary->links[0]['url'] ?? ''),
            'findings' => $findings,
        ];
    }

    /** "412 ms · SQL 38 % · PHP code 31 % · 2 findings" */
    private static function line(RunSummary $summary): string
    {
        $parts = [$summary->tiles[0]['text'] ?? ''];
        $pieces = $summary->bar['pieces'] ?? [];
        usort($pieces, static fn (array $a, array $b): int => (float) $b['width'] <=> (float) $a['width']);
        foreach (array_slice($pieces, 0, self::KINDS) as $piece) {
            $parts[] = "{$piece['label']} {$piece['share']}";
        }
        $count = count($summary->findings);
        $parts[] = match (true) {
            $count === 0 => 'no findings',
            $count === 1 => '1 finding',
            default => $count . ($count === RunSummary::FINDINGS ? ' first' : '') . ' findings',
        };

        return implode(' · ', array_filter($parts, static fn (string $part): bool => $part !== ''));
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
