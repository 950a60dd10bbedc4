<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\DamagedRun;
use XHProf\Exception\InvalidProfile;

/**
 * The head of a tree.json: names of functions, and where they are. It comes before the columns of the nodes, which are most of
 * the file, and is read without these.
 *
 * @internal
 */
final class TreeHead
{
    private const CHUNK = 1 << 18;

    /** Bytes of names and paths; of what has more nothing is known. */
    private const MAX_BYTES = 64 << 20;

    /** The first column of nodes. In a text the quotes would have a backslash before them. */
    private const NODES = '/,\s*"fn":\[/';

    /** @param list<string> $names */
    private function __construct(
        public readonly array $names,
        public readonly CodePlaces $places,
        private readonly int $bytes,
        private readonly \Closure $part,
    ) {
    }

    /**
     * @param string                     $file for the message
     * @param \Closure(int, int): string $part returns bytes of it, from an offset on
     *
     * @throws DamagedRun naming the file
     */
    public static function read(string $file, \Closure $part): self
    {
        $head = self::upToNodes($part);
        try {
            $data = json_decode("$head}", true, 4, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
            $data = is_array($data) ? $data : [];
            $names = SavedColumns::names($data['names'] ?? [], 'the call tree');

            return new self($names, CodePlaces::fromArray($data, count($names)), strlen($head), $part);
        } catch (\JsonException | InvalidProfile $e) {
            throw new DamagedRun("$file: {$e->getMessage()}", 0, $e);
        }
    }

    /** The nodes, which come next in the file. */
    public function nodes(): TreeStream
    {
        return new TreeStream($this->names, $this->bytes, $this->part);
    }

    /** @param \Closure(int, int): string $part */
    private static function upToNodes(\Closure $part): string
    {
        $head = '';
        do {
            $piece = $part(strlen($head), self::CHUNK);
            // The mark may be cut in two.
            $from = max(0, strlen($head) - 64);
            $head .= $piece;
            if (preg_match(self::NODES, $head, $match, PREG_OFFSET_CAPTURE, $from) === 1) {
                return substr($head, 0, $match[0][1]);
            }
        } while ($piece !== '' && strlen($head) < self::MAX_BYTES);

        return '{"names":[]';
    }
}
