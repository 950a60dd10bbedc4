<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * The nodes of a tree.json one by one, for sums over trees that do not fit into memory: its columns are read side by side, in
 * pieces.
 *
 * @internal
 */
final class TreeStream
{
    private const PIECE = 1 << 14;

    /** Bytes of a key of the file, at most: it may be cut in two by the end of a piece. */
    private const KEY = 80;

    /** @var array<string, int> where columns begin in the file: "fn", "ct", "self.wt"... */
    private array $columns = [];

    /**
     * @param list<string>               $names of functions, see TreeHead
     * @param int                        $nodes where the columns of the nodes begin, see TreeHead
     * @param \Closure(int, int): string $part  returns bytes of the file, from an offset on
     */
    public function __construct(
        private readonly array $names,
        int $nodes,
        private readonly \Closure $part,
        private readonly int $piece = self::PIECE,
    ) {
        $group = '';
        for ($at = $nodes; ($text = ($this->part)($at, $this->piece + self::KEY)) !== ''; $at += $this->piece) {
            preg_match_all('/"([^"]{1,60})"\s{0,4}:\s{0,4}([\[{])|\}/', $text, $found, PREG_SET_ORDER | PREG_OFFSET_CAPTURE);
            foreach ($found as $match) {
                if ($match[0][1] >= $this->piece) {
                    continue; // it is in the next piece too
                }
                if (!isset($match[2])) {
                    $group = '';
                    continue;
                }
                $key = $match[1][0] ?? '';
                if ($match[2][0] === '{') {
                    $group = "$key.";
                } else {
                    $this->columns[$group . $key] ??= $at + $match[0][1] + strlen($match[0][0]);
                }
            }
        }
    }

    /** @return list<string> metrics of the nodes */
    public function metrics(): array
    {
        $metrics = [];
        foreach (array_keys($this->columns) as $column) {
            if (str_starts_with($column, 'self.') && Metrics::isName(substr($column, 5))) {
                $metrics[] = substr($column, 5);
            }
        }

        return $metrics;
    }

    /**
     * @param list<string> $metrics of metrics()
     *
     * @return array<string, array<string, int>> the edges, as EdgeFolder has them
     *
     * @throws InvalidProfile
     */
    public function fold(bool $runInit, array $metrics): array
    {
        $names = array_map(EdgeKey::escaped(...), $this->names);
        $folder = new EdgeFolder($names, $runInit, $metrics, true);
        $fn = $this->integers('fn');
        $depth = $this->integers('depth');
        $ct = $this->integers('ct');
        $own = [];
        foreach ($metrics as $metric) {
            $own[$metric] = $this->integers("self.$metric");
        }
        $others = [$depth, $ct, ...array_values($own)];
        $last = -1;
        for ($sums = []; $fn->valid(); $fn->next()) {
            foreach ($others as $column) {
                if (!$column->valid()) {
                    throw new InvalidProfile('a column of the call tree is of the wrong length');
                }
            }
            [$name, $level, $calls] = [$fn->current(), $depth->current(), $ct->current()];
            if (!isset($names[$name]) || $level < 0 || $level > $last + 1 || ($level === 0) !== ($last < 0) || $calls < 0) {
                throw new InvalidProfile('a node of the call tree has no name, no parent, or a wrong number of calls');
            }
            $figures = [];
            foreach ($own as $metric => $values) {
                $figures[$metric] = $values->current();
                $sums[$metric] = ($sums[$metric] ?? 0) + abs($figures[$metric]);
                $values->next();
            }
            $sums['ct'] = ($sums['ct'] ?? 0) + $calls;
            if (max($sums) > SavedColumns::MAX_SUM) {
                throw new InvalidProfile('the values of the call tree are too large');
            }
            $folder->add($name, $level, $calls, $figures);
            $last = $level;
            $depth->next();
            $ct->next();
        }
        foreach ($others as $column) {
            if ($column->valid() || $last < 0) {
                throw new InvalidProfile('a column of the call tree is of the wrong length');
            }
        }

        return $folder->edges();
    }

    /**
     * @return \Generator<int, int> the numbers of a column; it throws InvalidProfile
     */
    private function integers(string $column): \Generator
    {
        $at = $this->columns[$column] ?? throw new InvalidProfile("the call tree has no column $column");
        $rest = '';
        do {
            $text = ($this->part)($at, $this->piece);
            $at += strlen($text);
            $end = strcspn($text, ']');
            $isLast = $end < strlen($text);
            $rest .= str_replace([' ', "\n", "\r", "\t"], '', substr($text, 0, $end));
            $cut = $isLast ? strlen($rest) : strrpos($rest, ',');
            if ($text === '') {
                throw new InvalidProfile("the column $column of the call tree has no end");
            }
            if ($isLast) {
                $this->checkAfter($at - strlen($text) + $end + 1, $column);
            }
            if ($cut === false || $cut === 0) {
                continue; // a number that goes on, or an empty column
            }
            $whole = substr($rest, 0, $cut);
            $rest = substr($rest, $cut + 1);
            $values = array_map(intval(...), explode(',', $whole));
            if (implode(',', $values) !== $whole) {
                throw new InvalidProfile("the column $column of the call tree holds values that are not integers");
            }
            yield from $values;
        } while (!$isLast);
    }

    /**
     * A bracket within the last number would cut it short, and be taken for the column's end.
     *
     * @throws InvalidProfile
     */
    private function checkAfter(int $end, string $column): void
    {
        $next = ltrim(($this->part)($end, self::KEY), " \n\r\t")[0] ?? '';
        if ($next !== ',' && $next !== '}') {
            throw new InvalidProfile("the column $column of the call tree has another end");
        }
    }
}
