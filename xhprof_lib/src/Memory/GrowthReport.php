<?php

declare(strict_types=1);

namespace XHProf\Memory;

use XHProf\Format\Units;
use XHProf\Format\VisibleName;
use XHProf\Report\Column;
use XHProf\Report\Finding;
use XHProf\Report\FindingList;
use XHProf\Report\Heading;
use XHProf\Report\Level;
use XHProf\Report\Report;
use XHProf\Report\Table;
use XHProf\Report\Unit;
use XHProf\Stats\Growth;
use XHProf\Stats\GrowthKind;

/** Which call paths keep memory beyond their requests, and whether that grows: windows, one after the other. */
final class GrowthReport
{
    /** The order of rows, unless another one is asked for. */
    public const USUAL = 'verdict';

    /** How windows come to have these figures. */
    public const HOW = 'xhprof.mode=aggregate with xhprof.alloc_sample_bytes follows the blocks of requests and jobs in processes '
        . 'that go on after them; see docs/memory.md';

    private const ABOUT = [
        GrowthKind::Grows->value => 'more and more of it stays',
        GrowthKind::Slows->value => 'it grows, but less than half as fast as before: a large cache that fills, or a leak',
        GrowthKind::Filled->value => 'it grew, and has stopped: a cache that is full',
        GrowthKind::Once->value => 'nearly all of it came at once',
        GrowthKind::LetGo->value => 'as much is let go as is kept: a cache with a bound, or work for later',
        GrowthKind::Few->value => 'too few samples to say',
        GrowthKind::Short->value => 'less than ' . Growth::LEAST . ' windows to compare',
    ];

    /** Bytes of a name, and functions of a path, in a sentence. */
    private const LONGEST = 200;
    private const FRAMES = 12;

    /** Most findings of a report: the table has all paths. */
    private const FINDINGS = 10;

    private const VERDICT = 'Whether it grows, judged over the windows';
    private const STAYS = 'Memory that outlives a request and is not freed later: an estimate from samples';
    private const KEPT = 'Memory that was alive 16 requests after its own';
    private const RELEASED = 'Of that, what was freed later';
    private const UNTIL = 'When it grew for the last time';

    /** @param list<KeptPath> $paths */
    private function __construct(private readonly KeptPaths $windows, private readonly array $paths)
    {
    }

    public static function of(KeptPaths $windows, ?string $route = null): self
    {
        return new self($windows, $windows->paths($route));
    }

    public function isEmpty(): bool
    {
        return $this->windows->requests() === 0;
    }

    public function report(): Report
    {
        $covered = $this->windows->covered();
        $unfollowed = $this->windows->unfollowed();

        return new Report(
            [$this->table()],
            [...$this->legend(), ...($unfollowed === 0 ? [] : [
                Units::counted($unfollowed, 'sampled block') . ' could not be followed: something else recorded the heap'
                    . ' meanwhile, or there was no room.',
            ])],
            [
                'from' => $covered['from'] ?? null,
                'to' => $covered['to'] ?? null,
                'windows' => $this->windows->windows(),
                'requests' => $this->windows->requests(),
                'unfollowed' => $unfollowed,
                'paths_total' => count($this->paths),
            ],
            $covered === null || $this->isEmpty() ? [] : [new Heading('', [sprintf(
                '%s followed in %s, %s to %s (%s)',
                Units::counted($this->windows->requests(), 'request'),
                Units::counted($this->windows->windows(), 'window'),
                date('Y-m-d H:i', $covered['from']),
                date('Y-m-d H:i', $covered['to']),
                date('T'),
            )])],
            findings: [new FindingList(array_slice($this->findings(), 0, self::FINDINGS), 'findings', '', 'Memory that grows')],
        );
    }

    /** @return list<Finding> of the paths that grow, the most first */
    public function findings(): array
    {
        $found = [];
        foreach ($this->paths as $path) {
            if ($path->growth->kind === GrowthKind::Grows) {
                $found[] = self::finding($path);
            }
        }

        return $found;
    }

    private static function finding(KeptPath $path): Finding
    {
        $growth = $path->growth;
        $figure = sprintf(
            '%s per request stay (± %s), %s so far, %s',
            Units::bytes((int) round($growth->perRequest)),
            Units::bytes((int) round($growth->error)),
            Units::bytes($growth->net),
            $growth->trend(),
        );
        // Names are bytes from outside.
        $why = 'Of ' . Units::counted($path->requests, 'request') . ' in ' . VisibleName::text($path->route, self::LONGEST) . '.';
        if ($path->frames !== []) {
            $frames = array_map(static fn (string $name): string => VisibleName::text($name, self::LONGEST), $path->frames);
            $why .= ' Its path: ' . (count($frames) > self::FRAMES ? '… > ' : '')
                . implode(' > ', array_slice($frames, -self::FRAMES)) . '.';
        }

        return new Finding(
            Level::Wrong,
            $figure,
            symbol: $path->function(),
            why: $why,
            facts: [
                'rule' => 'growing-memory',
                'figure' => $figure,
                'function' => $path->function(),
                'route' => $path->route,
                'path' => $path->frames,
                'bytes_per_request' => (int) round($growth->perRequest),
                'error_bytes' => (int) round($growth->error),
                'kept_bytes' => $growth->kept,
                'released_bytes' => $growth->released,
                'requests' => $path->requests,
                'trend' => $growth->trend(),
                'why' => $why,
            ],
        );
    }

    public function table(): Table
    {
        $rows = array_map(static fn (KeptPath $path): array => [
            'verdict' => $path->growth->kind->value,
            'about' => self::ABOUT[$path->growth->kind->value],
            'trend' => $path->growth->trend(),
            'bytes_per_request' => (int) round($path->growth->perRequest),
            'error_bytes' => (int) round($path->growth->error),
            'net_bytes' => $path->growth->net,
            'kept_bytes' => $path->growth->kept,
            'released_bytes' => $path->growth->released,
            'requests' => $path->requests,
            'grew_until' => $path->growth->kind->isKnown() ? $path->until : null,
            'route' => $path->route,
            'path' => array_reverse($path->frames),
        ], $this->paths);

        return new Table(
            'paths',
            [
                new Column('path', Unit::Path, 'path, the function that allocates first', 0, 'Path', sort: null),
                new Column('route', Unit::Name, 'route', 3, 'Route or job'),
                new Column('verdict', Unit::Text, 'verdict', 0, help: self::VERDICT, sort: null),
                new Column('bytes_per_request', Unit::Bytes, 'per request', 1, help: self::STAYS, sort: 'per-request'),
                new Column('net_bytes', Unit::Bytes, 'stays', 12, help: self::STAYS, sort: 'stays'),
                new Column('kept_bytes', Unit::Bytes, 'kept', 21, help: self::KEPT, sort: 'kept'),
                new Column('released_bytes', Unit::Bytes, 'released', 22, help: self::RELEASED, sort: 'released'),
                new Column('grew_until', Unit::Minute, 'grew until', 23, help: self::UNTIL, sort: null),
            ],
            $rows,
            $this->isEmpty() ? 'No memory was followed: ' . self::HOW . '.' : 'Nothing that was sampled outlived its request.',
            'Memory that stays',
            'Call paths, with the memory that they keep beyond their requests',
            printed: [
                'verdict', 'bytes_per_request', 'net_bytes', 'kept_bytes', 'released_bytes', 'grew_until', 'route', 'path',
            ],
        );
    }

    /** @return list<string> sentences: what the verdicts of these paths mean */
    public function legend(): array
    {
        $found = [];
        foreach ($this->paths as $path) {
            $kind = $path->growth->kind->value;
            $found[$kind] = "$kind: " . self::ABOUT[$kind] . '.';
        }

        return array_values($found);
    }
}
