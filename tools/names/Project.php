<?php

declare(strict_types=1);

namespace XHProf\Tools\Names;

/** Where the project lives and who maintains it, as tools/project.json says. Nothing else has a say in it. */
final class Project
{
    /**
     * @param string $repository address of the repository, without a slash at its end
     * @param string $site address of the documentation, with one
     * @param string $author who maintains it, as packages name them
     * @param string $email where mail reaches them
     */
    private function __construct(
        public readonly string $repository,
        public readonly string $site,
        public readonly string $author,
        public readonly string $email,
    ) {
    }

    /** @throws \RuntimeException when a name is missing or cannot be what it should be */
    public static function read(string $file): self
    {
        try {
            $names = json_decode((string) @file_get_contents($file), true, flags: JSON_THROW_ON_ERROR);
        } catch (\JsonException $e) {
            throw new \RuntimeException("$file: " . ($e->getMessage() ?: 'no JSON'));
        }
        $patterns = [
            'repository' => ['~^https://[a-z0-9.-]+(/[\w.-]+){2}$~iD', 'https://HOST/OWNER/NAME'],
            'site' => ['~^https://[a-z0-9.-]+/([\w./-]*/)?$~iD', 'https://HOST/ or https://HOST/PATH/'],
            'author' => ["~^[\\p{L}\\p{N}][\\p{L}\\p{N} .'-]*$~uD", 'a name'],
            'email' => ['~^[\w.+-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$~iD', 'NAME@HOST'],
        ];
        $names = is_array($names) ? $names : [];
        foreach ($patterns as $key => [$pattern, $form]) {
            if (!is_string($names[$key] ?? null) || preg_match($pattern, $names[$key]) !== 1) {
                throw new \RuntimeException("$file: \"$key\" is to be $form");
            }
        }
        if (($unknown = array_diff_key($names, $patterns)) !== []) {
            $known = implode(', ', array_keys($patterns));
            throw new \RuntimeException("$file: \"" . array_key_first($unknown) . "\" is none of $known");
        }
        return new self(...array_intersect_key($names, $patterns));
    }

    /** OWNER/NAME. */
    public function slug(): string
    {
        return ltrim((string) parse_url($this->repository, PHP_URL_PATH), '/');
    }
}
