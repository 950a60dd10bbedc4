<?php

declare(strict_types=1);

namespace XHProf\Heap;

/** A reference from one node to another, or a scalar that a node holds. */
final class HeapReference
{
    public const NAMED = 'named';
    public const INDEX = 'index';
    public const PART = 'part';
    public const WEAK = 'weak';
    public const SCALAR = 'scalar';

    /**
     * @param self::* $kind  INDEX: the label is a number; PART: a table, opcodes, a key ...; WEAK: does not keep alive
     * @param string $label  name of the property, variable, part, or the element's key or number; any bytes
     * @param HeapNode|null $node its target, or its source in referrers(); null for SCALAR and for a node that is not in the file
     * @param string $scalar of SCALAR: "null", "true", "12", "1.5"
     * @param string $text   as PHP would write it behind its holder: "->items", "['key']", "[12]", "::$instance", "{table}"
     */
    public function __construct(
        public readonly string $kind,
        public readonly string $label,
        public readonly ?HeapNode $node,
        public readonly string $scalar,
        public readonly string $text,
    ) {
    }
}
