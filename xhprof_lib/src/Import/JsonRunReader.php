<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Export\JsonRun as Written;
use XHProf\Profile\CallTree;
use XHProf\Profile\CorrectedTimes;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Profile;
use XHProf\Profile\SavedColumns;

/** Reads files of Export\JsonRun: calls, call tree and metadata. */
final class JsonRunReader implements Reader
{
    public const NAME = 'json';
    public const LABEL = "XHProf's JSON";
    public const OTHERS = [
        ['/\Axhprof-run [0-9]/', 'the file of a run of XHProf', 'put it into the run folder'],
        [
            '/\A\{"v":[0-9]+,"kind":"(?!' . Written::KIND . '")[a-z_-]+"/',
            'data of XHProf, but not a run',
            'a dump of xhprof_alloc_dump() is one that xhprof export reads',
        ],
    ];

    /** Levels of its JSON. */
    private const DEPTH = 64;

    public function recognizes(string $head): bool
    {
        return preg_match('/\A\s*\{/', $head) === 1 && preg_match('/"kind"\s*:\s*"' . Written::KIND . '"/', $head) === 1;
    }

    public function read(InputFile $file): iterable
    {
        yield '' => self::fromArray($file->json(self::DEPTH));
    }

    /**
     * @param string $json as Export\JsonRun writes it
     *
     * @throws InvalidProfile if it is no such file
     */
    public static function parse(string $json): ImportedRun
    {
        return self::fromArray(InputFile::decoded($json, self::DEPTH));
    }

    /** @param array<mixed> $data */
    private static function fromArray(array $data): ImportedRun
    {
        if (($data['kind'] ?? null) !== Written::KIND || ($data['v'] ?? null) !== 1) {
            throw new InvalidProfile('not a run of version 1');
        }
        $meta = is_array($data['meta'] ?? null) ? $data['meta'] : [];
        unset($meta['id'], $meta['source'], $meta['v']);

        $profile = self::profile($data);
        if (!is_array($data['tree'] ?? null)) {
            return new ImportedRun($profile, null, $meta);
        }
        $own = is_array($data['tree']['self'] ?? null) ? $data['tree']['self'] : [];
        if (isset($own['live_bytes']) && array_diff_key($own, ['live_bytes' => true, 'live_blocks' => true]) === []) {
            throw new InvalidProfile('this is live memory, which has calls beside main(): import it as pprof or speedscope');
        }
        $tree = CallTree::fromArray($data['tree']);
        // Throws if they are not of one run: one of them is then wrong.
        CorrectedTimes::join($profile, $tree);

        return ImportedRun::ofTree($tree, $meta);
    }

    /**
     * @param array<mixed> $data
     *
     * @throws InvalidProfile
     */
    private static function profile(array $data): Profile
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
                if (isset($column[$i])) {
                    $row[$metric] = $column[$i];
                }
            }
            $edges[EdgeKey::build($callers[$i] < 0 ? null : $names[$callers[$i]], $names[$callee])] = $row;
        }

        return Profile::fromEdges($edges);
    }
}
