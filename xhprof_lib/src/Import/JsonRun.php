<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Export\JsonRun as Written;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Profile\SavedColumns;
use XHProf\Profile\TreeTimes;

/** Reads files of Export\JsonRun: calls, call tree and metadata. */
final class JsonRun implements KnowsOthers, Reader
{
    /** Levels of its JSON. */
    private const DEPTH = 64;

    public function name(): string
    {
        return 'json';
    }

    public function label(): string
    {
        return "XHProf's JSON";
    }

    public function recognizes(string $head): bool
    {
        return preg_match('/\A\s*\{/', $head) === 1 && preg_match('/"kind"\s*:\s*"' . Written::KIND . '"/', $head) === 1;
    }

    public function others(): array
    {
        return [
            // Of other kinds than this one.
            new Kind(
                '/\A\{"v":[0-9]+,"kind":"(?!' . Written::KIND . '")[a-z_-]+"/',
                'a part of a run of XHProf',
                'import the .xhprof file of the same name, or put both into the run folder',
            ),
        ];
    }

    public function read(InputFile $file): iterable
    {
        yield '' => self::of($file->json(self::DEPTH));
    }

    /**
     * @param string $json as Export\JsonRun writes it
     *
     * @throws InvalidProfile if it is no such file
     */
    public static function ofText(string $json): ImportedRun
    {
        return self::of(InputFile::decoded($json, self::DEPTH));
    }

    /** @param array<mixed> $data */
    private static function of(array $data): ImportedRun
    {
        if (($data['kind'] ?? null) !== Written::KIND || ($data['v'] ?? null) !== 1) {
            throw new InvalidProfile('not a run of version 1');
        }
        $tree = is_array($data['tree'] ?? null) ? CallTree::fromArray($data['tree']) : null;
        $meta = is_array($data['meta'] ?? null) ? $data['meta'] : [];
        unset($meta['id'], $meta['source'], $meta['v']);
        $profile = self::profile($data, $tree !== null && $tree->corrected !== []);
        // Throws if they are not of one run, which could not be opened later.
        CorrectedTimes::join($profile, $tree);

        return new ImportedRun($tree === null ? $profile : self::recorded($profile, $tree), $tree, $meta);
    }

    /** The file has the times to the nanosecond: whole microseconds that add up come from its call tree. */
    private static function recorded(Profile $profile, CallTree $tree): Profile
    {
        $times = array_filter(array_intersect($profile->metrics(), $tree->metrics()), Metrics::isTime(...));
        $edges = $profile->edges();
        foreach (TreeTimes::ofEdges($profile, $tree, array_values($times), false) ?? [] as $metric => $column) {
            foreach ($profile->keys() as $position => $key) {
                $edges[$key][$metric] = $column[$position];
            }
        }

        return Profile::fromEdges($edges);
    }

    /**
     * @param array<mixed> $data
     * @param bool         $hasCorrected whether the tree has the corrected times: they are computed from it again
     */
    private static function profile(array $data, bool $hasCorrected): Profile
    {
        $names = SavedColumns::names($data['names'] ?? null, 'the run');
        $columns = is_array($data['edges'] ?? null) ? $data['edges'] : [];
        $most = count($names) - 1;
        $callers = SavedColumns::integers($columns['p'] ?? null, '"p"', -1, null, $most);
        $callees = SavedColumns::integers($columns['c'] ?? null, '"c"', 0, count($callers), $most);
        $values = array_filter(is_array($columns['m'] ?? null) ? $columns['m'] : [], is_array(...));
        $edges = [];
        foreach ($callees as $i => $callee) {
            $row = [];
            foreach ($values as $metric => $column) {
                if (isset($column[$i]) && !($hasCorrected && Metrics::isCorrected((string) $metric))) {
                    $row[$metric] = $column[$i];
                }
            }
            $edges[EdgeKey::build($callers[$i] < 0 ? null : $names[$callers[$i]], $names[$callee])] = $row;
        }

        return Profile::fromEdges($edges);
    }
}
