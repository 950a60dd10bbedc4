<?php

declare(strict_types=1);

namespace XHProf\Run;

/**
 * Where a column of a run file is, as its head says it: judged by RunHead.
 *
 * @internal
 */
final class Section
{
    public const TEXT = 'text';

    /** A column of equal values takes no bytes. */
    public const SAME = 'same';

    /** Whole numbers that do not fit 32 bits. */
    public const F64 = 'f64';

    /** Bytes of a value. */
    public const SIZES = [self::SAME => 0, self::TEXT => 0, 'u8' => 1, 'u16' => 2, 'u32' => 4, 'i32' => 4, self::F64 => 8];

    /** Largest absolute values. */
    public const MOST = ['u8' => 0xFF, 'u16' => 0xFFFF, 'u32' => 0xFFFFFFFF, 'i32' => 1 << 31];

    /** Formats of pack(). That of signed numbers has the machine's byte order: only little-endian machines are supported. */
    public const FORMATS = ['u8' => 'C', 'u16' => 'v', 'u32' => 'V', 'i32' => 'l', self::F64 => 'e'];

    /** Largest whole number up to which a double holds all. */
    public const LARGEST = 1 << 53;

    /** Sections begin at multiples of this. */
    public const ALIGNMENT = 8;

    /**
     * @param key-of<self::SIZES> $type
     * @param int                 $at    bytes after the head
     * @param int                 $n     values
     * @param int                 $bytes all together
     * @param int                 $value of SAME
     */
    public function __construct(
        public readonly string $type,
        public readonly int $at,
        public readonly int $n,
        public readonly int $bytes,
        public readonly int $value = 0,
    ) {
    }

    /** @return array<string, int|string> as it stands in the head */
    public function toArray(): array
    {
        return match ($this->type) {
            self::SAME => ['type' => $this->type, 'value' => $this->value, 'n' => $this->n],
            self::TEXT => ['type' => $this->type, 'at' => $this->at, 'n' => $this->n, 'bytes' => $this->bytes],
            default => ['type' => $this->type, 'at' => $this->at, 'n' => $this->n],
        };
    }

    /** @return self the same elsewhere */
    public function movedTo(int $at): self
    {
        return new self($this->type, $at, $this->n, $this->bytes, $this->value);
    }

    /** @return int bytes up to where the next one begins */
    public static function filledUp(int $bytes): int
    {
        return $bytes + self::ALIGNMENT - 1 & -self::ALIGNMENT;
    }
}
