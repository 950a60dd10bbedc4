<?php

declare(strict_types=1);

namespace XHProf\Runs\Web;

use XHProf\Exception\InvalidRunId;
use XHProf\Run\RunId;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Run\RunOpener;

/**
 * The side of a comparison that was chosen first: A (before) or B (after), one run or several; or a run that may become either.
 * In addresses it is "ID.SOURCE", "ID,ID.SOURCE" for several.
 */
final class ComparisonSide
{
    /** Parameters of the list: A, B, and one whose side is open. */
    private const KEYS = ['a', 'b', 'with'];

    /**
     * @param 'a'|'b'|'with'|null $side null while nothing is chosen
     * @param list<RunId> $ids
     */
    private function __construct(public readonly ?string $side, public readonly array $ids)
    {
    }

    /** What cannot be a side is ignored: the list is shown without it. */
    public static function fromRequest(Request $request): self
    {
        foreach (self::KEYS as $side) {
            $ids = self::parse($request->method === 'POST' ? $request->posted($side) : $request->text($side));
            if ($ids !== []) {
                return new self($side, $ids);
            }
        }

        return new self(null, []);
    }

    /** @return array<string, string> parameter of the list, [] while nothing is chosen */
    public function state(): array
    {
        return $this->side === null ? [] : [$this->side => self::text($this->ids)];
    }

    public function holds(RunId $id): bool
    {
        return in_array((string) $id, array_map(strval(...), $this->ids), true);
    }

    /**
     * Where choosing a side leads: to the comparison if the other one is chosen, else to the list.
     *
     * @param 'a'|'b' $side
     * @param non-empty-list<RunId> $ids of one source
     * @param array<string, ?string> $state of the list
     */
    public function choose(string $side, array $ids, array $state = []): string
    {
        if ($this->side === null || $this->side === $side) {
            return Url::index([$side => self::text($ids)] + $state);
        }
        [$a, $b] = $side === 'a' ? [$ids, $this->ids] : [$this->ids, $ids];
        $runs = ['run1' => self::names($a), 'run2' => self::names($b)];

        return Url::index($a[0]->source === $b[0]->source
            ? $runs + ['source' => $a[0]->source]
            : $runs + ['source1' => $a[0]->source, 'source2' => $b[0]->source]);
    }

    /**
     * @param list<RunId> $ids
     * @return non-empty-list<RunId> the same
     * @throws HttpError 400 if they cannot be one side
     */
    public static function check(array $ids): array
    {
        $sources = array_unique(array_map(static fn (RunId $id): string => $id->source, $ids));
        if (count($sources) > 1) {
            throw new HttpError(400, 'One side is made of runs of one source; you picked ' . implode(' and ', $sources) . '.');
        }
        if ($ids === []) {
            throw new HttpError(400, 'Pick the runs of that side first.');
        }
        if (count($ids) > RunOpener::MAX_RUNS) {
            throw new HttpError(400, 'A side takes at most ' . RunOpener::MAX_RUNS . ' runs; you picked ' . count($ids) . '.');
        }

        return $ids;
    }

    /** @param list<RunId> $ids */
    private static function names(array $ids): string
    {
        return implode(',', array_map(static fn (RunId $id): string => $id->id, $ids));
    }

    /** @param list<RunId> $ids */
    private static function text(array $ids): string
    {
        return self::names($ids) . ($ids === [] ? '' : ".{$ids[0]->source}");
    }

    /** @return list<RunId> none for a text that names none */
    private static function parse(string $text): array
    {
        $at = strpos($text, '.');
        if ($at === false || substr_count($text, ',') >= RunOpener::MAX_RUNS) {
            return [];
        }
        try {
            return array_map(
                static fn (string $id): RunId => RunId::fromText($id . substr($text, $at)),
                explode(',', substr($text, 0, $at)),
            );
        } catch (InvalidRunId) {
            return [];
        }
    }
}
