<?php

declare(strict_types=1);

namespace XHProf\Heap\Export;

use XHProf\Exception\StoreError;
use XHProf\Export\Utf8Names;
use XHProf\File\Sink;

/**
 * Texts of a table that comes after everything that refers to it, kept in a temporary file until then. Each is kept once until
 * there are too many: then some are kept twice.
 */
final class StringSpool
{
    private const IN_MEMORY = 8 << 20;
    private const MAX_KNOWN = 1 << 16;
    private const MAX_KNOWN_BYTES = 256;

    /** @var array<string, int> */
    private array $known = [];

    /** @var resource */
    private $stream;

    private readonly Sink $texts;

    /**
     * @param int $next number of the first text
     *
     * @throws StoreError if there is no room for temporary files
     */
    public function __construct(private int $next)
    {
        $this->stream = fopen('php://temp/maxmemory:' . self::IN_MEMORY, 'w+b')
            ?: throw new StoreError('there is no temporary file for the strings of the snapshot');
        $this->texts = Sink::toStream($this->stream, 'the temporary file for the strings of the snapshot');
    }

    public function number(string $text): int
    {
        $isKept = strlen($text) <= self::MAX_KNOWN_BYTES;
        if ($isKept && isset($this->known[$text])) {
            return $this->known[$text];
        }
        $this->texts->write(",\n" . Utf8Names::json($text));
        if (!$isKept) {
            return $this->next++;
        }
        if (count($this->known) >= self::MAX_KNOWN) {
            $this->known = [];
        }

        return $this->known[$text] = $this->next++;
    }

    /** Writes all of them as JSON, each after a comma. */
    public function write(Sink $out): void
    {
        $this->texts->end();
        rewind($this->stream);
        while (($piece = (string) fread($this->stream, 1 << 16)) !== '') {
            $out->write($piece);
        }
    }
}
