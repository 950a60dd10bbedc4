<?php

declare(strict_types=1);

namespace XHProf\Heap\Export;

use XHProf\Export\Utf8Names;
use XHProf\Heap\HeapGraph;
use XHProf\Heap\SnapshotColumns;

/**
 * Writes reli's tree of contexts: the nodes below each root, every node in full at its place in ReliPlacement, elsewhere as its
 * number.
 *
 * @phpstan-import-type Row from SnapshotColumns
 */
final class ReliTree
{
    /** JSON readers limit the depth: jq 1.6 to 128 nested objects, PHP's json_decode() to 512. */
    private const MAX_DEPTH = 120;
    private const DEPTH_OF_CONTEXT = 8;

    private readonly ReliNames $names;
    private readonly ReliPlacement $places;

    /** @var array<string, int> */
    private readonly array $roots;

    /** @var list<ReliLevel> */
    private array $levels = [];

    /** @var list<int> nodes that were too deep */
    private array $continued = [];

    /** The next number of a context that is not a node. */
    private int $nextId;

    private int $written = 0;

    /** @param \Closure(string, int, int): void $progress */
    public function __construct(
        private readonly SnapshotColumns $all,
        private readonly JsonWriter $json,
        private readonly \Closure $progress,
    ) {
        $this->names = new ReliNames($all);
        $this->roots = $all->roots();
        $this->places = new ReliPlacement($all, $this->names, $this->roots, $progress);
        $this->nextId = $all->nodes;
    }

    /** Writes the members of "context". */
    public function write(): void
    {
        foreach ($this->roots as $name => $root) {
            $this->json->key($name);
            $this->tree($root);
        }
        if ($this->continued === []) {
            return;
        }
        $this->json->key('continued');
        $this->beginOwn('ContinuedContext');
        for ($i = 0; isset($this->continued[$i]); $i++) {
            $this->json->key((string) $this->continued[$i]);
            $this->tree($this->continued[$i]);
        }
        $this->json->close('}');
    }

    private function tree(int $node): void
    {
        $this->begin($node, null);
        while ($this->levels !== []) {
            $top = $this->levels[count($this->levels) - 1];
            $at = strpos($top->groupOf, $top->group, $top->cursor);
            if ($at !== false && ($top->isInGroup || $top->group === ReliNames::DIRECT)) {
                $top->cursor = $at + 1;
                $this->reference($top, $at);
            } elseif (!$this->nextGroup($top)) {
                $this->json->close('}');
                array_pop($this->levels);
                if ($top->isWrapped) {
                    $this->json->close('}');
                }
            }
        }
    }

    /** Closes the open group and opens the next one; false after the last. */
    private function nextGroup(ReliLevel $level): bool
    {
        if ($level->isInGroup) {
            $this->json->close('}');
            $level->isInGroup = false;
        }
        while (isset($level->groups[$level->next])) {
            $level->group = $level->groups[$level->next++];
            [$key, $type, $isAlways, $part] = ReliNames::GROUPS[$level->group];
            $count = $level->count($level->group);
            if ($count === 0 && !$isAlways) {
                continue;
            }
            $this->json->key($key);
            $this->beginOwn($type);
            $isWhole = in_array($level->type, ['array', 'closure', 'function'], true);
            if ($level->group === ReliNames::ELEMENTS || $part !== null || $isWhole) {
                $this->locations($level, $part, $level->group === ReliNames::OP_ARRAY ? $this->all->at($level->node) : null);
            }
            if ($level->group !== ReliNames::OP_ARRAY && $level->group !== ReliNames::CLOSURE) {
                $length = $level->type === 'array' ? $this->all->at($level->node)['length'] : 0;
                $this->json->number('#count', max($count, $length));
            }
            $level->cursor = 0;

            return $level->isInGroup = true;
        }

        return false;
    }

    private function reference(ReliLevel $level, int $at): void
    {
        $number = $level->first + $at;
        $isElement = $level->group === ReliNames::ELEMENTS;
        $this->json->key($this->names->key($level->type, $number, $level->repeats[$at] ?? 0));
        if ($isElement) {
            $this->beginOwn('ArrayElementContext');
            if ($level->type === 'root') {
                // An interned string: the key is the value.
                $this->keyOfElement($level, $number);
                $this->json->key('value');
                $this->referTo($this->all->target($number));
                $this->json->close('}');

                return;
            }
            if (($level->groupOf[$at + 1] ?? '') === ReliNames::KEY_OF) {
                $this->keyOfElement($level, $number + 1);
            }
            $this->json->key('value');
        }
        if ($this->beginValue($level, $number)) {
            $this->levels[count($this->levels) - 1]->isWrapped = $isElement;
        } elseif ($isElement) {
            $this->json->close('}');
        }
    }

    /** A string: it has no references. */
    private function keyOfElement(ReliLevel $level, int $number): void
    {
        $this->json->key('key');
        if ($this->beginValue($level, $number)) {
            $this->json->close('}');
            array_pop($this->levels);
        }
    }

    /** Writes the value of a reference after its key. True if it begins a context. */
    private function beginValue(ReliLevel $level, int $number): bool
    {
        $to = $this->all->target($number);
        if (SnapshotColumns::isScalar($this->all->kinds[$number])) {
            $this->beginOwn('ScalarValueContext');
            $value = self::scalar($this->all->text($to));
            $this->json->raw('#value', $value);
            $this->json->raw('value', $value);
            $this->json->close('}');

            return false;
        }
        if ($this->places->at[$to] !== $number) {
            $this->referTo($to);

            return false;
        }
        if ($this->json->depth + self::DEPTH_OF_CONTEXT > self::MAX_DEPTH) {
            $this->places->at[$to] = ReliPlacement::CONTINUED;
            $this->continued[] = $to;
            $this->referTo($to);

            return false;
        }
        $this->begin($to, $level->type);

        return true;
    }

    private function referTo(int $node): void
    {
        $this->json->open('{');
        $this->json->number('#reference_node_id', $node);
        $this->json->close('}');
    }

    private function beginContext(int $id, string $type): void
    {
        $this->json->open('{');
        $this->json->number('#node_id', $id);
        $this->json->text('#type', $type);
    }

    private function beginOwn(string $type): void
    {
        $this->beginContext($this->nextId++, $type);
    }

    /** Opens a context and writes its own members. */
    private function begin(int $node, ?string $parentType): void
    {
        if (++$this->written % 4096 === 0) {
            ($this->progress)('Writing', $this->written, $this->all->nodes);
        }
        $row = $this->all->at($node);
        $type = $this->all->type($node);
        $isUser = $type === 'function' ? $this->names->isUser($node, $row['file']) : $row['file'] !== '';
        $this->levels[] = $level = $this->level($node, $type, $isUser);
        $this->beginContext($node, $this->names->context($node, $type, $isUser, $parentType));
        if ($type === 'function' || $type === 'class') {
            $this->json->raw('#is_internal', $isUser ? 'false' : 'true');
        }
        if ($type === 'root') {
            $others = $level->count(ReliNames::LOCATION) + $level->count(ReliNames::KEYS) + $level->count(ReliNames::NOWHERE);
            $this->json->number('#count', strlen($level->groupOf) - $others);
            if (!str_contains($level->groups, ReliNames::ELEMENTS)) {
                $this->locations($level, null, null);
            }
        } elseif ($type === 'class') {
            $this->json->key('class_entry');
            $this->beginOwn('ClassEntryContext');
            $this->locations($level, null, $row);
            $this->json->close('}');
        } elseif (!str_contains($level->groups, ReliNames::OP_ARRAY)) {
            $this->openLocations();
            $this->location($node, $row);
            $this->json->close(']');
        }
        if ($type === 'frame') {
            $this->json->text('function_name', $level->name === '{main}' ? '<main>' : $level->name);
            if ($row['line'] > 0) {
                $this->json->number('lineno', $row['line']);
            }
        }
    }

    private function level(int $node, string $type, bool $isUser): ReliLevel
    {
        [$first, $count] = $this->all->range($node);
        $isPlain = ReliNames::isPlain($type);
        $isInterned = $this->names->isInterned($node);
        $groupOf = '';
        $seen = $repeats = [];
        for ($i = 0; $i < $count; $i++) {
            $kind = $this->all->kinds[$first + $i];
            $before = $i > 0 ? $this->all->kinds[$first + $i - 1] : null;
            $groupOf .= $isPlain && $kind !== HeapGraph::LOST
                ? ReliNames::DIRECT
                : $this->names->group($type, $isUser, $isInterned, $first + $i, $before);
            if ($kind !== HeapGraph::LOST && ($kind === HeapGraph::WEAK_INDEX || !SnapshotColumns::isIndex($kind))) {
                $label = $this->all->label($first + $i);
                $repeat = $seen[$label] ?? 0;
                $seen[$label] = $repeat + 1;
                if ($repeat > 0) {
                    $repeats[$i] = $repeat;
                }
            }
        }
        $groups = $this->names->groups($node, $type, $isUser);

        return new ReliLevel($node, $type, $this->all->name($node), $groups, $first, $groupOf, $repeats);
    }

    private function openLocations(): void
    {
        $this->json->key('#locations');
        $this->json->open('[');
    }

    /**
     * "#locations" of a context, or of one of its groups: its own memory, and that of parts that are no contexts.
     *
     * @param string|null $part name of those parts; null: all of them, except for a class
     * @param Row|null    $own
     */
    private function locations(ReliLevel $level, ?string $part, ?array $own): void
    {
        $isOpen = $own !== null;
        if ($own !== null) {
            $this->openLocations();
            $this->location($level->node, $own);
        }
        for ($at = -1; ($at = strpos($level->groupOf, ReliNames::LOCATION, $at + 1)) !== false;) {
            $reference = $level->first + $at;
            $isWanted = $part === null ? $level->type !== 'class' : $this->names->label($reference) === $part;
            if (!$isWanted || $this->all->kinds[$reference] !== HeapGraph::PART) {
                continue;
            }
            if (!$isOpen) {
                $this->openLocations();
                $isOpen = true;
            }
            $to = $this->all->target($reference);
            $this->location($to, $this->all->at($to));
        }
        if ($isOpen) {
            $this->json->close(']');
        }
    }

    /** @param Row $row */
    private function location(int $node, array $row): void
    {
        $json = $this->json;
        $json->item();
        $json->open('{');
        $json->number('address', $row['address']);
        $json->number('size', $row['size']);
        if ($row['refcount'] !== null) {
            $json->number('refcount', $row['refcount']);
        }
        $type = $this->all->type($node);
        $name = $this->all->name($node);
        if ($type === 'string') {
            if ($row['value'] !== '') {
                $json->text('value', $row['value']);
            }
            if ($row['length'] > strlen($row['value'])) {
                $json->number('length', $row['length']);
            }
        } elseif ($name !== '') {
            $isOfClass = $type === 'class' || $type === 'closure' || in_array($type, ReliNames::OBJECTS, true);
            $json->text(match (true) {
                $isOfClass => 'class_name',
                $type === 'function' => 'function_name',
                default => 'name',
            }, $name);
        }
        if ($row['file'] !== '') {
            $json->text('file', $row['file']);
        }
        if ($row['line'] > 0) {
            $json->number('line_start', $row['line']);
        }
        $json->close('}');
    }

    /** A scalar as JSON: as a string if JSON has none for it ("INF", "NAN"). */
    private static function scalar(string $text): string
    {
        return preg_match('/\A(?:null|false|true|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)\z/', $text) === 1
            ? $text
            : Utf8Names::data($text);
    }
}
