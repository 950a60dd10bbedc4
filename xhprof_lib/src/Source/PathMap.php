<?php

declare(strict_types=1);

namespace XHProf\Source;

/** Where the files of a program are on another machine, as of a container: "/app>/home/me/shop&/lib>/home/me/lib". */
final class PathMap
{
    /** @param array<string, string> $folders from, without a slash at its end => to; the longest that fits counts */
    private function __construct(private readonly array $folders)
    {
    }

    /** @param string $text pairs with "&" or "," between them; what is no pair is left out */
    public static function parse(string $text): self
    {
        $folders = [];
        foreach (preg_split('/[&,]/', $text, -1, PREG_SPLIT_NO_EMPTY) ?: [] as $pair) {
            $ends = explode('>', trim($pair), 2);
            if (count($ends) === 2 && $ends[0] !== '') {
                $folders[rtrim(trim($ends[0]), '/')] = rtrim(trim($ends[1]), '/');
            }
        }
        uksort($folders, static fn (int|string $a, int|string $b): int => strlen((string) $b) <=> strlen((string) $a));

        return new self($folders);
    }

    public function apply(string $file): string
    {
        foreach ($this->folders as $from => $to) {
            if (str_starts_with($file, "$from/")) {
                return $to . substr($file, strlen((string) $from));
            }
        }

        return $file;
    }
}
