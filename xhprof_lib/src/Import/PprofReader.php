<?php

declare(strict_types=1);

namespace XHProf\Import;

use XHProf\Exception\InvalidProfile;
use XHProf\Export\Proto;

/**
 * Reads pprof's profile.proto, which Go, Export\Pprof and many others write: one sample per call path, with a value for each type.
 *
 * @link https://github.com/google/pprof/blob/main/proto/profile.proto
 */
final class PprofReader implements Reader
{
    public const NAME = 'pprof';
    public const LABEL = 'pprof';

    /** Fields of a profile. */
    private const TYPE = 1;
    private const SAMPLE = 2;
    private const LOCATION = 4;
    private const FUNCTION = 5;
    private const TEXT = 6;
    private const TIME = 9;
    private const DURATION = 10;
    private const COMMENT = 13;

    /** Fields that are numbers. Comments are numbers too, or a packed list of numbers. */
    private const INTEGERS = [7, 8, self::TIME, self::DURATION, 12, 14];

    private const DEEPEST = 50000;

    /** Most samples, places, functions and texts together: an empty one takes two bytes of the file, and much more memory. */
    private const MAX_MESSAGES = 2000000;

    /** Recognizes the first field: fields mostly come in the order of their numbers, and the first is a type of value. */
    public function recognizes(string $head): bool
    {
        // A text is none: the numbers of the format have bytes that no text has.
        foreach (preg_match('/[\x00-\x08]/', $head) === 1 ? Proto::each($head) : [] as [$field, $value]) {
            if ($field > 14 || ($field !== self::COMMENT && is_int($value) !== in_array($field, self::INTEGERS, true))) {
                return false;
            }
            if ($field === self::TYPE && is_string($value)) {
                return preg_match('/\A\x08[\x01-\xFF]+/', $value) === 1 && isset(Proto::fields($value)[1]);
            }
        }

        return false;
    }

    public function read(InputFile $file): iterable
    {
        $types = $samples = $places = $texts = $comments = [];
        $functions = [];
        $count = 0;
        $numbers = [self::TIME => 0, self::DURATION => 0];
        $fields = Proto::each($file->bytes());
        foreach ($fields as [$field, $value]) {
            if (is_int($value)) {
                $numbers[$field] = $value;
                if ($field === self::COMMENT) {
                    $comments[] = $value;
                }
                continue;
            }
            if (++$count > self::MAX_MESSAGES) {
                throw new InvalidProfile('the file has too many samples and names');
            }
            switch ($field) {
                case self::TYPE:
                    $types[] = Proto::fields($value);
                    break;
                case self::SAMPLE:
                    $samples[] = $value;
                    break;
                case self::LOCATION:
                    self::location($value, $places);
                    break;
                case self::FUNCTION:
                    $function = Proto::fields($value);
                    $functions[(int) ($function[1] ?? 0)] = $function;
                    break;
                case self::TEXT:
                    $texts[] = $value;
                    break;
                case self::COMMENT:
                    array_push($comments, ...Proto::numbers($value) ?? []);
                    break;
            }
        }
        $isWhole = $fields->getReturn();
        $metrics = PprofTypes::parse(array_map(static fn (array $type): array => [
            $texts[(int) ($type[1] ?? 0)] ?? '',
            $texts[(int) ($type[2] ?? 0)] ?? '',
        ], $types));
        $frames = new PprofFrames($places, $functions, $texts);
        $tree = self::tree($samples, $frames, $metrics);
        $why = $isWhole ? ($frames->isWhole() ? null : 'before its last names') : 'within a field';
        $comment = $texts[$comments[0] ?? 0] ?? '';
        $meta = [
            'ts' => $numbers[self::TIME] > 0 ? intdiv($numbers[self::TIME], 1000) / 1e6 : null,
            'duration_us' => $numbers[self::DURATION] > 0 ? intdiv($numbers[self::DURATION], 1000) : null,
            'command' => $comment === '' ? null : $comment,
        ];
        $meta = array_filter($meta, static fn (mixed $value): bool => $value !== null);

        yield '' => ImportedRun::ofTree($tree->tree(), $meta, $why === null ? [] : ["the file was cut short $why"]);
    }

    /**
     * Builds the call tree.
     *
     * @param list<string> $samples as encoded messages
     *
     * @throws InvalidProfile
     */
    private static function tree(array $samples, PprofFrames $frames, PprofTypes $types): PathTree
    {
        $tree = new PathTree();
        $tree->places(...$frames->places());
        $tree->addCalls(PathTree::ROOT, 0);
        foreach ($samples as $sample) {
            $stack = $values = [];
            foreach (Proto::each($sample) as [$field, $value]) {
                $list = is_int($value) ? [$value] : Proto::numbers($value) ?? throw new InvalidProfile('a sample is cut');
                if ($field === 1) {
                    array_push($stack, ...$list);
                } elseif ($field === 2) {
                    array_push($values, ...$list);
                }
            }
            if (count($stack) > self::DEEPEST) {
                throw new InvalidProfile('a call path is too deep');
            }
            $node = $tree->path($frames->path($stack));
            foreach ($types->figures($values) as $metric => $value) {
                $tree->add($metric, $node, $value);
            }
            $tree->addCalls($node, $types->calls($values));
        }

        return $tree;
    }

    /**
     * Reads a location.
     *
     * @param array<int, list<array{int, int}>> $places by number of the location: function and line, the innermost first
     */
    private static function location(string $message, array &$places): void
    {
        $id = $address = 0;
        $lines = [];
        foreach (Proto::each($message) as [$field, $value]) {
            if ($field === 4 && is_string($value)) {
                $line = Proto::fields($value);
                $lines[] = [(int) ($line[1] ?? 0), (int) ($line[2] ?? 0)];
            } elseif (is_int($value)) {
                $id = $field === 1 ? $value : $id;
                $address = $field === 3 ? $value : $address;
            }
        }
        // A location without symbols is known by its address only.
        $places[$id] = $lines === [] ? [[-1, $address]] : $lines;
    }
}
