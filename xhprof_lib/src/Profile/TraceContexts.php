<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * The trace contexts of a run: of which spans of distributed traces its samples and operations are. Validated once, never changed
 * after.
 *
 * @phpstan-type ContextOperation array{node: int, kind: string, text: string, context: int, ct: int, total: int}
 */
final class TraceContexts
{
    private const MAX_SAMPLES = 1 << 44;

    /**
     * @param list<array{trace_id: string, span_id: string}> $ids        hexadecimal digits; each pair once
     * @param array<int, array<int, int>>                    $samples    by node, by index into ids: samples of it as the innermost
     * @param list<ContextOperation>                         $operations calls and ns of an operation at a node in a context
     * @param int                                            $dropped    samples and operations whose context had no room
     */
    private function __construct(
        public readonly array $ids,
        private readonly array $samples,
        public readonly array $operations,
        public readonly int $dropped,
    ) {
    }

    /**
     * @param array<mixed> $data    the document "contexts" of a run
     * @param array<mixed> $samples the document "samples"; [] for none
     * @param array<mixed> $rows    the document "operations"; [] for none
     * @param int          $nodes   of the run's call tree
     *
     * @throws InvalidProfile
     */
    public static function fromArray(array $data, array $samples, array $rows, int $nodes): self
    {
        $traces = self::ids($data['trace_id'] ?? [], 32);
        $spans = self::ids($data['span_id'] ?? [], 16);
        if (count($traces) !== count($spans)) {
            throw new InvalidProfile('the trace contexts have not as many traces as spans');
        }
        $ids = $numbers = $places = [];
        foreach ($traces as $i => $trace) {
            $numbers[] = $places["$trace-$spans[$i]"] ??= count($places);
            if (count($ids) < count($places)) {
                $ids[] = ['trace_id' => $trace, 'span_id' => $spans[$i]];
            }
        }

        return new self(
            $ids,
            self::ofSamples($samples, $numbers, $nodes),
            self::ofOperations($rows, $numbers, $nodes),
            SavedColumns::integer($data['dropped'] ?? 0, 'the number of dropped trace contexts'),
        );
    }

    /** The same without operations, whose texts may be secret. */
    public function withoutOperations(): self
    {
        return new self($this->ids, $this->samples, [], $this->dropped);
    }

    /**
     * Divides the figures of a node of a sampled tree among its contexts, by their samples.
     *
     * @param list<int> $values
     *
     * @return list<array{int|null, list<int>}> index into ids, null for the rest; without parts of zeros alone
     */
    public function parts(int $node, int $samples, array $values): array
    {
        $of = $this->samples[$node] ?? [];
        $samples = max($samples, array_sum($of));
        $parts = [];
        $rest = $values;
        foreach ($of as $context => $count) {
            // In this order no product is too large.
            $part = array_map(
                static fn (int $value): int => intdiv($value, $samples) * $count + intdiv($value % $samples * $count, $samples),
                $values,
            );
            $rest = array_map(static fn (int $value, int $share): int => $value - $share, $rest, $part);
            $parts[] = [$context, $part];
        }
        $parts[] = [null, $rest];

        return array_values(array_filter($parts, static fn (array $part): bool => array_filter($part[1]) !== []));
    }

    /**
     * @return list<string>
     *
     * @throws InvalidProfile
     */
    private static function ids(mixed $ids, int $digits): array
    {
        $isId = static fn (mixed $id): bool => is_string($id) && preg_match("/\A[0-9a-f]{{$digits}}\z/", $id) === 1;
        if (!is_array($ids) || !array_is_list($ids) || array_filter($ids, $isId) !== $ids) {
            throw new InvalidProfile("a trace context has something else than $digits hexadecimal digits");
        }

        /** @var list<string> $ids */
        return $ids;
    }

    /**
     * @param array<mixed> $samples
     * @param list<int>    $numbers
     *
     * @return array<int, array<int, int>>
     *
     * @throws InvalidProfile
     */
    private static function ofSamples(array $samples, array $numbers, int $nodes): array
    {
        if (!isset($samples['context'])) {
            return [];
        }
        $context = SavedColumns::integers($samples['context'], '"context" of the samples', 0, null, count($numbers));
        $count = count($context);
        $node = SavedColumns::integers($samples['node'] ?? null, '"node" of the samples', 0, $count, $nodes - 1);
        $n = SavedColumns::integers($samples['n'] ?? null, '"n" of the samples', 1, $count, self::MAX_SAMPLES);
        $found = [];
        foreach ($context as $i => $number) {
            if ($number > 0) {
                $place = $numbers[$number - 1];
                $found[$node[$i]][$place] = ($found[$node[$i]][$place] ?? 0) + $n[$i];
            }
        }

        return $found;
    }

    /**
     * @param array<mixed> $rows
     * @param list<int>    $numbers
     *
     * @return list<ContextOperation>
     *
     * @throws InvalidProfile
     */
    private static function ofOperations(array $rows, array $numbers, int $nodes): array
    {
        if (!is_array($rows['context'] ?? null)) {
            return [];
        }
        $of = $rows['context'];
        $text = SavedColumns::integers($rows['text'] ?? null, 'text', 0, null);
        $node = SavedColumns::integers($rows['node'] ?? null, 'node', 0, count($text), $nodes - 1);
        $row = SavedColumns::integers($of['row'] ?? null, 'context.row', 0, null, count($text) - 1);
        $context = SavedColumns::integers($of['context'] ?? null, 'context.context', 1, count($row), count($numbers));
        $ct = SavedColumns::integers($of['ct'] ?? null, 'context.ct', 0, count($row));
        $total = SavedColumns::integers($of['total'] ?? null, 'context.total', 0, count($row));
        $found = [];
        foreach ($row as $i => $place) {
            $kind = $rows['kind_of_text'][$text[$place]] ?? null;
            [$bytes, $name] = [$rows['texts'][$text[$place]] ?? null, is_int($kind) ? $rows['kinds'][$kind] ?? null : null];
            if (!is_string($bytes) || !is_string($name)) {
                throw new InvalidProfile('an operation in a trace context has no text');
            }
            $found[] = [
                'node' => $node[$place], 'kind' => $name, 'text' => $bytes,
                'context' => $numbers[$context[$i] - 1], 'ct' => $ct[$i], 'total' => $total[$i],
            ];
        }

        return $found;
    }
}
