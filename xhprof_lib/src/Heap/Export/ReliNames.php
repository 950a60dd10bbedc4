<?php

declare(strict_types=1);

namespace XHProf\Heap\Export;

use XHProf\Heap\HeapGraph;
use XHProf\Heap\SnapshotColumns;

/** reli's names for the nodes of a heap, and its places for their references: in a context itself, or in a group of its own. */
final class ReliNames
{
    /** Groups, a byte each: parts of a context that reli has as contexts of their own, although they are no blocks. */
    public const DIRECT = "\0";
    public const ELEMENTS = "\1";
    public const PROPERTIES = "\2";
    public const CLOSURE = "\3";
    public const OP_ARRAY = "\4";
    public const LOCALS = "\5";
    public const METHODS = "\6";
    public const STATICS = "\7";
    public const CONSTANTS = "\x08";
    public const PROPERTY_INFO = "\x09";
    /** Ours: strings that are keys of an engine table. */
    public const KEYS = "\x0A";

    /** Not a context, but a location of one of these. */
    public const LOCATION = "\x0B";
    /** Written with the element before it. */
    public const KEY_OF = "\x0C";
    /** Leads to a node that is not in the file. */
    public const NOWHERE = "\x0D";

    /** Key, context, whether an empty group is written, name of the part that is its memory. */
    public const GROUPS = [
        self::ELEMENTS => ['array_elements', 'ArrayElementsContext', true, null],
        self::PROPERTIES => ['object_properties', 'ObjectPropertiesContext', true, null],
        self::CLOSURE => ['closure', 'ClosureContext', true, null],
        self::OP_ARRAY => ['op_array', 'OpArrayContext', true, null],
        self::LOCALS => ['local_variables', 'CallFrameVariableTableContext', true, null],
        self::METHODS => ['methods', 'DefinedFunctionsContext', false, 'methods'],
        self::STATICS => ['static_properties', 'ClassStaticPropertiesContext', false, 'static members'],
        self::CONSTANTS => ['constants', 'ClassConstantsContext', false, 'constants'],
        self::PROPERTY_INFO => ['property_info', 'PropertiesInfoContext', false, 'properties'],
        self::KEYS => ['keys', 'KeysContext', false, null],
    ];

    public const OBJECTS = ['object', 'generator', 'fiber', 'enum case'];

    private const CLASS_GROUPS = self::METHODS . self::STATICS . self::CONSTANTS . self::PROPERTY_INFO . self::KEYS;

    /** Per type the groups besides DIRECT, and by the node's name, "" for any other, the context and the location. */
    private const TYPES = [
        'root' => [self::KEYS, ['' => ['RootContext', null]]],
        'string' => ['', ['' => ['StringContext', 'ZendStringMemoryLocation']]],
        'array' => [self::ELEMENTS, ['' => ['ArrayHeaderContext', 'ZendArrayMemoryLocation']]],
        'array table' => ['', ['' => ['ArrayTableContext', 'ZendArrayTableMemoryLocation']]],
        'object' => [self::PROPERTIES, ['' => ['ObjectContext', 'ZendObjectMemoryLocation']]],
        'closure' => [self::CLOSURE, ['' => ['ObjectContext', 'ZendObjectMemoryLocation']]],
        'generator' => [self::PROPERTIES, ['' => ['ObjectContext', 'ZendObjectMemoryLocation']]],
        'fiber' => [self::PROPERTIES, ['' => ['ObjectContext', 'ZendObjectMemoryLocation']]],
        'enum case' => [self::PROPERTIES, ['' => ['ObjectContext', 'ZendObjectMemoryLocation']]],
        'reference' => ['', ['' => ['PhpReferenceContext', 'ZendReferenceMemoryLocation']]],
        'resource' => ['', ['' => ['ResourceContext', 'ZendResourceMemoryLocation']]],
        'constant expression' => ['', ['' => ['ConstantExpressionContext', 'ZendAstMemoryLocation']]],
        'function' => [self::OP_ARRAY, ['' => ['UserFunctionDefinitionContext', 'ZendOpArrayHeaderMemoryLocation']]],
        'opcodes' => ['', ['' => ['OpArrayBodyContext', 'ZendOpArrayBodyMemoryLocation']]],
        'function part' => ['', [
            'arguments' => ['ArgInfosContext', 'ZendArgInfosMemoryLocation'],
            'variables' => ['LocalVariableNameTableContext', 'LocalVariableNameTableMemoryLocation'],
            'declared functions' => ['DynamicFuncDefsContext', 'DynamicFuncDefsTableMemoryLocation'],
            '' => ['FunctionPartContext', 'FunctionPartMemoryLocation'],
        ]],
        'runtime cache' => ['', ['' => ['RuntimeCacheContext', 'RuntimeCacheMemoryLocation']]],
        'class' => [self::CLASS_GROUPS, ['' => ['ClassDefinitionContext', 'ZendClassEntryMemoryLocation']]],
        'class part' => ['', [
            'property' => ['PropertyInfoContext', 'ZendPropertyInfoMemoryLocation'],
            'default properties' => ['DefaultPropertiesTableContext', 'DefaultPropertiesTableMemoryLocation'],
            'default static members' => ['DefaultStaticPropertiesContext', 'DefaultStaticMembersTableMemoryLocation'],
            'static members' => ['StaticMembersTableContext', 'StaticMembersTableMemoryLocation'],
            '' => ['ClassPartContext', 'ClassPartMemoryLocation'],
        ]],
        'constant' => ['', ['' => ['GlobalConstantContext', 'ZendConstantMemoryLocation']]],
        'frame' => [self::LOCALS, ['' => ['CallFrameContext', 'CallFrameHeaderMemoryLocation']]],
        'vm stack' => ['', ['' => ['VmStackContext', 'VmStackMemoryLocation']]],
        'arena' => ['', ['' => ['ArenaContext', 'ZendArenaMemoryLocation']]],
        'engine' => ['', ['' => ['EngineContext', 'EngineMemoryLocation']]],
        'output buffer' => ['', ['' => ['OutputBufferContext', 'OutputBufferMemoryLocation']]],
        'native' => ['', ['' => ['NativeContext', 'NativeMemoryLocation']]],
        'unreachable' => ['', ['' => ['UnreachableContext', 'UnreachableMemoryLocation']]],
    ];

    private const ROOTS = [
        'call_frames' => 'CallFramesContext',
        'global_variables' => 'GlobalVariablesContext',
        'function_table' => 'DefinedFunctionsContext',
        'class_table' => 'DefinedClassesContext',
        'global_constants' => 'GlobalConstantsContext',
        'included_files' => 'IncludedFilesContext',
        self::INTERNED => 'ArrayHeaderContext',
        'objects_store' => 'ObjectsStoreContext',
        'resources' => 'ResourcesContext',
        'engine' => 'EngineContext',
        'native_memory' => 'NativeMemoryContext',
        'unreachable' => 'UnreachableContext',
        'collector' => 'GarbageCollectorContext',
    ];
    private const INTERNED = 'interned_strings';

    /** Keys of parts. Any other part has its own name as key, with "_" for spaces. */
    private const PART_KEYS = [
        'arguments' => 'arg_infos',
        'declared functions' => 'dynamic_function_definitions',
        'default static members' => 'default_static_properties',
        'file' => 'filename',
        'properties' => 'dynamic_properties',
        'runtime cache' => 'run_time_cache',
        'variables' => 'variable_name_table',
    ];

    /** Groups of a node that has only DIRECT references, like a function of the engine. */
    private const NO_GROUPS = '';

    public function __construct(private readonly SnapshotColumns $all)
    {
    }

    public function isInterned(int $node): bool
    {
        return $this->all->type($node) === 'root' && $this->all->name($node) === self::INTERNED;
    }

    /** Whether it is a function of a script, not of the engine. */
    public function isUser(int $node, string $file): bool
    {
        if ($file !== '') {
            return true;
        }
        foreach ($this->targetsOf($node) as $to) {
            if ($this->all->type($to) === 'opcodes') {
                return true;
            }
        }

        return false;
    }

    /** @return string the groups of a node's context beside DIRECT, in order */
    public function groups(int $node, string $type, bool $isUser): string
    {
        return match (true) {
            $type === 'root' && $this->isInterned($node) => self::ELEMENTS,
            $type === 'function' && !$isUser => self::NO_GROUPS,
            default => self::TYPES[$type][0] ?? self::NO_GROUPS,
        };
    }

    /** "StringContext" */
    public function context(int $node, string $type, bool $isUser, ?string $parentType): string
    {
        $name = $this->all->name($node);

        return match (true) {
            $type === 'root' => self::ROOTS[$name] ?? 'RootContext',
            $type === 'constant' && $parentType === 'class' => 'ClassConstantContext',
            $type === 'function' && !$isUser => 'InternalFunctionDefinitionContext',
            default => $this->names($type, $name)[0],
        };
    }

    /** "ZendStringMemoryLocation"; null if it has no memory */
    public function location(int $node): ?string
    {
        return $this->names($this->all->type($node), $this->all->name($node))[1];
    }

    /** Whether all of a type's references are DIRECT. */
    public static function isPlain(string $type): bool
    {
        return !in_array($type, ['root', 'array', 'closure', 'function', 'frame', 'class'], true)
            && !in_array($type, self::OBJECTS, true);
    }

    /**
     * Group of a reference.
     *
     * @param string|null $before kind of the one before it
     */
    public function group(string $type, bool $isUser, bool $isInterned, int $reference, ?string $before): string
    {
        $all = $this->all;
        $kind = $all->kinds[$reference];
        if ($kind === HeapGraph::LOST) {
            return self::NOWHERE;
        }
        $to = SnapshotColumns::isScalar($kind) ? null : $all->target($reference);
        $isPart = $kind === HeapGraph::PART;
        $isPlain = !$isPart && !SnapshotColumns::isWeak($kind);
        switch ($type) {
            case 'root':
                if ($isPart && $all->type((int) $to) !== 'string' && $all->range((int) $to)[1] === 0) {
                    return self::LOCATION;
                }
                if ($isInterned) {
                    return $isPart ? self::DIRECT : self::ELEMENTS;
                }

                return $isPart && $this->isKey($reference, (int) $to) ? self::KEYS : self::DIRECT;
            case 'array':
                if ($isPart && $all->type((int) $to) === 'array table') {
                    return self::LOCATION;
                }
                if ($isPart && $before === HeapGraph::NAMED && $this->isKey($reference, (int) $to)) {
                    return self::KEY_OF;
                }

                return $isPlain ? self::ELEMENTS : self::DIRECT;
            case 'closure':
                return $to !== null && $all->type($to) === 'opcodes' ? self::LOCATION : self::CLOSURE;
            case 'function':
                if ($to !== null && $all->type($to) === 'opcodes') {
                    return self::LOCATION;
                }

                return !$isUser || $isPart && $this->label($reference) === 'name' ? self::DIRECT : self::OP_ARRAY;
            case 'frame':
                $isThis = $kind === HeapGraph::NAMED && $this->label($reference) === 'this';

                return $isPlain && !$isThis ? self::LOCALS : self::DIRECT;
            case 'class':
                return $this->classGroup($reference, $kind, $to);
            default:
                return $isPlain && in_array($type, self::OBJECTS, true) ? self::PROPERTIES : self::DIRECT;
        }
    }

    private function classGroup(int $reference, string $kind, ?int $to): string
    {
        $label = $this->label($reference);
        if ($kind === HeapGraph::PART) {
            if ($label === 'key' && $this->all->type((int) $to) === 'string') {
                return self::KEYS;
            }
            if ($label === 'property') {
                return self::PROPERTY_INFO;
            }
            $isEmpty = $this->all->type((int) $to) === 'class part' && $this->all->range((int) $to)[1] === 0;

            return $isEmpty && in_array($label, array_column(self::GROUPS, 3), true) ? self::LOCATION : self::DIRECT;
        }

        return match (true) {
            $kind !== HeapGraph::NAMED && $kind !== HeapGraph::SCALAR => self::DIRECT,
            str_starts_with($label, '::$') => self::STATICS,
            str_starts_with($label, '::') => self::CONSTANTS,
            default => self::METHODS,
        };
    }

    /** The key of a reference in its group. */
    public function key(string $type, int $reference, int $repeat): string
    {
        $kind = $this->all->kinds[$reference];
        $label = $this->label($reference);
        if (SnapshotColumns::isIndex($kind) && $kind !== HeapGraph::WEAK_INDEX) {
            return $label;
        }
        $isNamed = $kind === HeapGraph::NAMED || $kind === HeapGraph::SCALAR;
        $key = match (true) {
            $type === 'root' && SnapshotColumns::isWeak($kind) && str_starts_with($label, '#') => substr($label, 1),
            !$isNamed => $label,
            $type === 'class' && str_starts_with($label, '::$') => substr($label, 3),
            $type === 'class' && str_starts_with($label, '::') => substr($label, 2),
            $type === 'class' && strlen($label) > 2 && str_ends_with($label, '()') => substr($label, 0, -2),
            $type === 'reference' && $label === 'value' => 'referenced',
            $type === 'closure' && $label === 'this' => 'this_ptr',
            default => $label,
        };
        if (!$isNamed) {
            $key = self::PART_KEYS[$label] ?? str_replace(' ', '_', $key);
        }

        // Keys that begin with "#" are the format's own.
        return (str_starts_with($key, '#') ? "#$key" : $key) . ($repeat > 0 ? '#' . $repeat + 1 : '');
    }

    public function label(int $reference): string
    {
        $label = $this->all->label($reference);

        return SnapshotColumns::isIndex($this->all->kinds[$reference]) ? (string) $label : $this->all->text($label);
    }

    private function isKey(int $reference, int $to): bool
    {
        return $this->all->type($to) === 'string' && $this->label($reference) === 'key';
    }

    /** @return array{string, string|null} */
    private function names(string $type, string $name): array
    {
        $names = self::TYPES[$type][1] ?? ['' => ['UnknownContext', null]];

        return $names[$name] ?? $names[''];
    }

    /** @return \Generator<int, int> nodes that a node refers to, by the number of the reference */
    private function targetsOf(int $node): \Generator
    {
        [$first, $count] = $this->all->range($node);
        foreach ($this->all->targets($first, $count) as $i => $to) {
            $kind = $this->all->kinds[$first + $i - 1];
            if ($kind !== HeapGraph::LOST && !SnapshotColumns::isScalar($kind)) {
                yield $first + $i - 1 => $to;
            }
        }
    }
}
