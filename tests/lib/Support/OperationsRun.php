<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use XHProf\Run\RunId;
use XHProf\Store\RunFolder;

require_once __DIR__ . '/RunFiles.php';

/** Operations made by hand in the shape in which the extension saves them. */
final class OperationsRun
{
    private const KINDS = ['sql', 'http', 'cache', 'file', 'gc'];

    /** A loop in which a query runs per author, another query, a request, a file. */
    public const ROWS = [
        ['sql', 'SELECT name FROM author WHERE id = ?', 3, 20, 90000, 78000, 5],
        ['sql', 'SELECT name FROM author WHERE id = ?', 4, 1, 3000, 3000, 1],
        ['sql', 'INSERT INTO log VALUES (…)', 4, 1, 57000, 57000, 1],
        ['http', 'GET api.example.com/users/{id}', 5, 1, 5051000, 5051000, 1],
        ['file', 'fopen cache/{id}.txt', 1, 30, 30000, 2000, 30],
    ];

    /** The tree that the rows are of: main() calls page() once, which calls author() 20 times, which executes a statement. */
    public const TREE = [
        'names' => ['main()', 'page', 'author', 'PDOStatement::execute', 'PDO::query', 'curl_exec'],
        'fn' => [0, 1, 2, 3, 4, 5],
        'depth' => [0, 1, 2, 3, 2, 2],
        'ct' => [1, 1, 20, 20, 2, 1],
        'self' => ['wt' => [1000, 2000, 3000, 90000, 60000, 5051000]],
    ];

    /**
     * @param list<array{string, string, int, int, int, int, int}> $rows kind, text, node, calls, total and max in ns, distinct
     * @param array<string, mixed> $more replaces members
     *
     * @return array<string, mixed>
     */
    public static function data(array $rows = self::ROWS, array $more = []): array
    {
        $texts = [];
        $data = ['texts' => [], 'kind_of_text' => [], 'distinct_of_text' => []];
        $columns = ['text' => [], 'node' => [], 'ct' => [], 'total' => [], 'max' => [], 'distinct' => []];
        $buckets = ['row' => [], 'number' => [], 'ct' => []];
        foreach ($rows as [$kind, $text, $node, $ct, $total, $max, $distinct]) {
            $index = $texts["$kind $text"] ??= count($texts);
            $data['texts'][$index] = $text;
            $data['kind_of_text'][$index] = array_search($kind, self::KINDS, true);
            $data['distinct_of_text'][$index] = ($data['distinct_of_text'][$index] ?? 0) + $distinct;
            foreach (array_combine(array_keys($columns), [$index, $node, $ct, $total, $max, $distinct]) as $name => $value) {
                $columns[$name][] = $value;
            }
            if ($ct > 1) { // all but one in the shortest bucket
                array_push($buckets['row'], count($columns['ct']) - 1, count($columns['ct']) - 1);
                array_push($buckets['number'], 0, self::bucket($max));
                array_push($buckets['ct'], $ct - 1, 1);
            }
        }

        return $more + ['lost' => 0, 'kinds' => self::KINDS] + $data + $columns
            + ['bounds' => [0, 1000, 10000, 100000, 1000000], 'bucket' => $buckets];
    }

    /**
     * @param list<array{string, string, int, int, int, int, int}> $rows
     * @param array<string, mixed> $more
     */
    public static function save(RunFolder $store, RunId $run, array $rows = self::ROWS, array $more = []): void
    {
        RunFiles::put($store->directory(), $run, ['operations' => self::data($rows, $more)]);
    }

    private static function bucket(int $ns): int
    {
        return min(4, max(0, (int) floor(log10(max(1, $ns))) - 2));
    }
}
