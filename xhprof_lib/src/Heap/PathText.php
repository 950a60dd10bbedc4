<?php

declare(strict_types=1);

namespace XHProf\Heap;

/**
 * Writes paths through memory as PHP code: $GLOBALS['cache']->items[12]->owner. Parts without PHP syntax are in braces.
 *
 * @internal
 */
final class PathText
{
    /** Bytes shown of a key or value. */
    private const KEY = 60;

    /** Label of the table of static variables and of a closure's used variables. */
    private const STATIC = 'static variables';

    /** Beginning of a path from one of these roots. */
    private const ROOTS = [
        'global_variables' => '$GLOBALS', 'call_frames' => '', 'function_table' => '', 'class_table' => '',
        'global_constants' => '', 'included_files' => '{included files}', 'interned_strings' => '{interned strings}',
        'objects_store' => '{objects store}', 'resources' => '{resources}', 'engine' => '{engine}',
        'native_memory' => '{native memory}', 'unreachable' => '{unreachable}', 'collector' => '{collector}',
    ];

    /** Text of the node that a path begins at, a root or garbage. */
    public static function start(string $type, string $name): string
    {
        if ($type === 'root') {
            return self::ROOTS[$name] ?? '{' . $name . '}';
        }

        return $type === $name || $name === '' ? "($type)" : "($name)";
    }

    /**
     * @param string $from     type of the node that refers
     * @param string $fromName its name
     * @param string $to       type of the node that is referred to
     * @param string $toName   its name
     * @param bool   $isBare   numbers and keys of elements are left out, so that all elements of one list are equal
     */
    public static function step(
        string $from,
        string $fromName,
        string $kind,
        string $label,
        string $to,
        string $toName,
        bool $isBare = false,
    ): string {
        if ($from === 'root' && $kind === HeapReference::PART) {
            $prefix = (self::ROOTS[$fromName] ?? '') === '' ? strtr($fromName, '_', ' ') . ': ' : '';

            return '{' . $prefix . self::key($label) . '}';
        }
        if ($from === 'root') {
            return match ($fromName) {
                'global_variables' => "['" . self::key($label) . "']",
                'call_frames' => self::code($toName, $label),
                'function_table' => self::code($toName, $label),
                'class_table' => $toName === '' ? $label : $toName,
                'global_constants' => $toName === '' ? $label : $toName,
                default => '{' . self::key($label) . '}',
            };
        }
        if ($to === 'frame') {
            return '{' . self::code($toName, $label) . '}';
        }
        if ($kind === HeapReference::PART) {
            return match (true) {
                // Array tables hold values only, so they need no text.
                $to === 'array table', $from === 'array table' => '',
                $label === self::STATIC => $from === 'closure' ? '{use}' : '{static}',
                default => '{' . self::key($label) . '}',
            };
        }
        return match (true) {
            $from === 'reference' => '',
            $from === 'array', $from === 'array table' => match (true) {
                $isBare => '[*]',
                $kind === HeapReference::INDEX => "[$label]",
                default => "['" . self::key($label) . "']",
            },
            $from === 'frame' => ' $' . self::key($label),
            $kind === HeapReference::INDEX => $isBare ? '[*]' : "[$label]",
            $from === 'closure' && $label === 'this' => '{$this}',
            in_array($from, HeapIndex::OBJECTS, true) => '->' . self::key($label),
            $from === 'class' => '::' . ltrim($label, ':'),
            default => '{' . self::key($label) . '}',
        };
    }

    /** Joins the steps of the whole path. */
    public static function join(string $steps): string
    {
        $text = preg_replace("/\\{(use|static)\\}\\['([^'{}]*)'\\]/", '{$1 \$$2}', $steps) ?? $steps;

        return preg_replace('/\{static (\$[^{}]*)\}/', ' static $1', $text) ?? $text;
    }

    private static function code(string $name, string $label): string
    {
        return ($name === '' ? $label : $name) . '()';
    }

    private static function key(string $label): string
    {
        return strlen($label) > self::KEY ? substr($label, 0, self::KEY - 3) . '...' : $label;
    }
}
