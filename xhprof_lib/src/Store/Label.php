<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Exception\InvalidLabel;

/**
 * A user's label of a run: pinned (kept when old runs are removed), tags, a note. Kept in ID.SOURCE.label.json, which stays
 * when a run of the same name is saved again.
 */
final class Label
{
    public const MAX_TAGS = 20;
    public const LONGEST_TAG = 40;
    public const LONGEST_NOTE = 4000;

    /** Bytes of a label file; no label is longer. */
    public const MAX_BYTES = 1 << 16;

    /**
     * @param list<string> $tags
     * @param string|null  $error why the saved label cannot be read; it then counts as pinned, because it may be
     */
    private function __construct(
        public readonly bool $pinned = false,
        public readonly array $tags = [],
        public readonly string $note = '',
        public readonly ?string $error = null,
    ) {
    }

    public static function none(): self
    {
        return new self();
    }

    /**
     * @param list<string> $tags as typed: put in order, doubles left out
     *
     * @throws InvalidLabel with a sentence for the user
     */
    public static function fromInput(bool $pinned, array $tags, string $note): self
    {
        $clean = [];
        foreach ($tags as $tag) {
            $tag = trim($tag);
            if ($tag === '') {
                continue;
            }
            if (!self::isTag($tag)) {
                throw new InvalidLabel(sprintf(
                    'A tag has at most %d characters and none of comma, quote, backslash, <, > or control characters.',
                    self::LONGEST_TAG,
                ));
            }
            $clean["\0" . $tag] = $tag;
        }
        if (count($clean) > self::MAX_TAGS) {
            throw new InvalidLabel('A run has at most ' . self::MAX_TAGS . ' tags.');
        }
        $note = trim(str_replace(["\r\n", "\r"], "\n", $note));
        if (strlen($note) > self::LONGEST_NOTE) {
            throw new InvalidLabel('A note has at most ' . self::LONGEST_NOTE . ' bytes.');
        }
        if (preg_match('//u', $note) !== 1 || str_contains($note, "\0")) {
            throw new InvalidLabel('The note is not a text.');
        }
        ksort($clean, SORT_STRING);

        return new self($pinned, array_values($clean), $note);
    }

    public static function isTag(string $tag): bool
    {
        $pattern = '/\A[^\p{C}\p{Zl}\p{Zp},"\'\\\\<>\s](?:[^\p{C}\p{Zl}\p{Zp},"\'\\\\<>]{0,' . (self::LONGEST_TAG - 1) . '})\z/u';

        return preg_match($pattern, $tag) === 1;
    }

    /**
     * @return self damaged() if it is no label
     */
    public static function fromJson(string $json): self
    {
        $data = json_decode($json, true, 8);
        if (!is_array($data) || ($data['v'] ?? null) !== 1) {
            return self::damaged('not a label of version 1');
        }
        $tags = $data['tags'] ?? [];
        $note = $data['note'] ?? '';
        $pinned = $data['pinned'] ?? false;
        if (!is_array($tags) || !is_string($note) || !is_bool($pinned)) {
            return self::damaged('it holds more than tags and a note');
        }

        return self::fromParts($pinned, array_values(array_filter($tags, is_string(...))), $note);
    }

    /**
     * @param list<string> $tags
     */
    private static function fromParts(bool $pinned, array $tags, string $note): self
    {
        try {
            return self::fromInput($pinned, $tags, $note);
        } catch (InvalidLabel $e) {
            return self::damaged(rtrim($e->getMessage(), '.'));
        }
    }

    public static function damaged(string $why): self
    {
        return new self(pinned: true, error: $why);
    }

    /**
     * Reads a label from the index, which is as untrusted as a file.
     *
     * @param string $tags one per line
     */
    public static function restored(bool $pinned, string $tags, string $note, ?string $error): self
    {
        return $error !== null ? self::damaged($error) : self::fromParts($pinned, explode("\n", $tags), $note);
    }

    public function isEmpty(): bool
    {
        return !$this->pinned && $this->tags === [] && $this->note === '' && $this->error === null;
    }

    public function toJson(): string
    {
        $data = ['v' => 1, 'pinned' => $this->pinned, 'tags' => $this->tags, 'note' => $this->note];

        return json_encode($data, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR) . "\n";
    }

    public function withPinned(bool $pinned): self
    {
        return new self($pinned, $this->tags, $this->note);
    }

    /**
     * @param list<string> $add
     * @param list<string> $remove
     *
     * @throws InvalidLabel
     */
    public function withTags(array $add, array $remove = []): self
    {
        return self::fromInput($this->pinned, [...array_diff($this->tags, $remove), ...$add], $this->note);
    }
}
