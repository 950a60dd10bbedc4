<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/** Places of the functions of a call tree: columns beside its names, and the files that they count in. Runs of older versions, and of other tools, have none. */
final class CodePlaces
{
    /** No program file has more lines. */
    private const MAX_LINE = 1 << 32;

    /**
     * @param list<string> $files
     * @param list<int>    $file     per name an index into files, -1: not known
     * @param list<int>    $line     per name, 0: not known
     * @param list<int>    $lastLine the same
     */
    private function __construct(
        public readonly array $files,
        private readonly array $file,
        private readonly array $line,
        private readonly array $lastLine,
    ) {
    }

    public static function none(): self
    {
        return new self([], [], [], []);
    }

    /**
     * @param list<CodePlace|null> $places per name
     */
    public static function fromPlaces(array $places): self
    {
        if (array_filter($places) === []) {
            return self::none();
        }
        $files = $file = $line = $lastLine = [];
        foreach ($places as $place) {
            $file[] = $place === null ? -1 : $files["\0$place->file"] ??= count($files);
            $line[] = $place->line ?? 0;
            $lastLine[] = $place->lastLine ?? 0;
        }
        $paths = array_map(static fn (int|string $key): string => substr((string) $key, 1), array_keys($files));

        return new self($paths, $file, $line, $lastLine);
    }

    /**
     * @param array<mixed> $data  of a call tree
     * @param int          $names number of names
     *
     * @throws InvalidProfile
     */
    public static function fromArray(array $data, int $names): self
    {
        $files = $data['files'] ?? null;
        if ($files === null || !isset($data['file'])) {
            return self::none();
        }
        if (!is_array($files) || !array_is_list($files) || array_filter($files, is_string(...)) !== $files) {
            throw new InvalidProfile('the files of the call tree are not a list of texts');
        }
        $column = static fn (string $name, int $least, int $most): array
            => SavedColumns::integers($data[$name] ?? null, "\"$name\" of the call tree", $least, $names, $most);

        /** @var list<string> $files */
        return new self(
            $files,
            $column('file', -1, count($files) - 1),
            $column('line', 0, self::MAX_LINE),
            $column('last_line', 0, self::MAX_LINE),
        );
    }

    public function isEmpty(): bool
    {
        return $this->files === [];
    }

    /** @param int $name an index of the names */
    public function at(int $name): ?CodePlace
    {
        $file = $this->file[$name] ?? -1;

        return $file < 0 ? null : new CodePlace($this->files[$file], $this->line[$name], $this->lastLine[$name]);
    }

    /**
     * @param list<int> $names indexes of names, in a new order
     */
    public function select(array $names): self
    {
        return $this->isEmpty() ? $this : self::fromPlaces(array_map($this->at(...), $names));
    }

    /** @return array<string, list<int|string>> members of a call tree; [] where there are none */
    public function toArray(): array
    {
        return $this->isEmpty()
            ? []
            : ['files' => $this->files, 'file' => $this->file, 'line' => $this->line, 'last_line' => $this->lastLine];
    }
}
