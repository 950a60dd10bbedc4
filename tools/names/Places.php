<?php

declare(strict_types=1);

namespace XHProf\Tools\Names;

/** The files that contain a name of the project literally: what reads them cannot look it up in tools/project.json. */
final class Places
{
    private const SOURCE = 'tools/project.json';
    /** A name in them is no place: they are what this class reads and what tests it. */
    private const APART = [self::SOURCE, 'tests/tools/NamesTest.php'];

    /** @param string $root the project, absolute */
    public function __construct(private readonly string $root, private readonly Project $project)
    {
    }

    /** @return list<string> the files that contain a name, in order */
    public function files(): array
    {
        return array_keys($this->places());
    }

    /** @return list<string> files that have changed */
    public function write(): array
    {
        $changed = [];
        foreach ($this->places() as $file => $places) {
            $old = $this->text($file);
            $new = $old;
            foreach ($places as [$pattern, $value]) {
                // From the end, as a change moves what is behind it.
                foreach (array_reverse($this->found($file, $pattern, $new)) as [$text, $offset]) {
                    $new = substr_replace($new, $value, $offset, strlen($text));
                }
            }
            if ($new !== $old) {
                file_put_contents("$this->root/$file", $new);
                $changed[] = $file;
            }
        }
        return $changed;
    }

    /** @return list<string> one line for each place that differs, and for each name that is at no place */
    public function offences(): array
    {
        $lines = [];
        $known = [];
        foreach ($this->places() as $file => $places) {
            $text = $this->text($file);
            foreach ($places as [$pattern, $value]) {
                foreach ($this->found($file, $pattern, $text) as [$is, $offset]) {
                    $known[$file][] = [$offset, $offset + strlen($is)];
                    if ($is !== $value) {
                        $lines[] = "$file:" . self::line($text, $offset) . ": \"$is\" is to be \"$value\": make names";
                    }
                }
            }
        }
        foreach ($this->tracked() as $file) {
            $text = (string) @file_get_contents("$this->root/$file");
            foreach (in_array($file, self::APART, true) ? [] : $this->names($text) as [$name, $offset]) {
                $inside = static fn(array $place): bool => $place[0] <= $offset && $offset + strlen($name) <= $place[1];
                if (array_filter($known[$file] ?? [], $inside) === []) {
                    $lines[] = "$file:" . self::line($text, $offset) . ": \"$name\" is at no place that make names writes:"
                        . ' add it to tools/names/Places.php';
                }
            }
        }
        return $lines;
    }

    /**
     * File => its places: a pattern, whose first group is what is to be the value; each is there at least once.
     *
     * @return array<string, non-empty-list<array{string, string}>>
     */
    private function places(): array
    {
        $project = $this->project;
        $person = "$project->author <$project->email>";
        $action = ['~uses: ([\w./-]+)/\.github/actions/~', $project->slug()];
        $report = "$project->repository/security/advisories/new";
        $places = [
            'debian/changelog' => [['~^ -- (.*>)  ~m', $person]],
            'debian/control.in' => [
                ['~^Maintainer: (.*)$~m', $person],
                ['~^Homepage: (.*)$~m', $project->site],
                ['~^Vcs-Browser: (.*)$~m', $project->repository],
                ['~^Vcs-Git: (.*)$~m', "$project->repository.git"],
            ],
            'debian/copyright' => [
                ['~^Upstream-Contact: (.*)$~m', $person],
                ['~^Source: (.*)$~m', $project->repository],
                ['~^Files: \\*\\nCopyright: [\\d-]+ (.*)$~m', $project->author],
            ],
            'debian/watch' => [
                ['~^  https://api\\.github\\.com/repos/(\\S+)/releases ~m', $project->slug()],
                ['~ (https://\\S+)/releases/download/~', $project->repository],
            ],
            'docs/ci.md' => [$action],
            'docs/recipes.md' => [['~repository: ([\w./-]+), path: xhprof\b~', $project->slug()]],
            'tools/pecl/package.xml.in' => [
                ['~<lead>\s*<name>(.*)</name>~', htmlspecialchars($project->author, ENT_XML1)],
                ['~<email>(.*)</email>~', $project->email],
            ],
            ...array_fill_keys(
                array_map(static fn(string $name): string => "tools/docker/Dockerfile$name", ['', '.alpine', '.tools']),
                [['~org\.opencontainers\.image\.source="(.*?)"~', $project->repository]],
            ),
            'tools/devcontainer/xhprof/devcontainer-feature.json' => [
                ['~"documentationURL": "(.*)"~', $project->site],
                ['~"licenseURL": "(.*)/blob/main/LICENSE"~', $project->repository],
                ['~"default": "(.*)/releases/download/~', $project->repository],
            ],
            'SECURITY.md' => [['~\(([^()]*/security/advisories/new)\)~', $report]],
        ];
        foreach (['composer.json', 'tools/composer/composer.json', 'bridge/composer.json'] as $file) {
            $places[$file] = $this->composer();
        }
        // The sources of a release are without debian/ and .github/.
        return array_filter($places, fn(string $file): bool => is_dir($this->root . '/' . strstr("$file/", '/', true))
            || is_file("$this->root/$file"), ARRAY_FILTER_USE_KEY);
    }

    /** @return non-empty-list<array{string, string}> */
    private function composer(): array
    {
        $json = fn(string $key, string $value): array => [
            '~^ {4,}"?.*"' . $key . '": "([^"]*)"~m', addcslashes($value, '"\\'),
        ];
        return [
            $json('homepage', $this->project->site),
            // Of the list of authors: the package's own name is at the top level.
            ['~"authors": \[\{ ?"name": "([^"]*)"~', $this->project->author],
            $json('email', $this->project->email),
            $json('issues', $this->project->repository . '/issues'),
            $json('source', $this->project->repository),
            $json('docs', $this->project->site),
            $json('security', $this->project->repository . '/security/policy'),
        ];
    }

    /**
     * @return non-empty-list<array{string, int}> what the pattern's first group matches, and its offsets
     *
     * @throws \RuntimeException when it is not there
     */
    private function found(string $file, string $pattern, string $text): array
    {
        preg_match_all($pattern, $text, $matches, PREG_OFFSET_CAPTURE);
        return $matches[1] ?: throw new \RuntimeException("$file: nothing is like $pattern of tools/names/Places.php");
    }

    /** @return list<array{string, int}> names of the project in the text, and their offsets */
    private function names(string $text): array
    {
        $names = [$this->project->repository, $this->project->site, $this->project->email];
        // Composer's name of the extension stands in many places, whoever owns the repository.
        if ($this->project->slug() !== 'xhprof/xhprof') {
            $names[] = $this->project->slug();
        }
        $words = implode('|', array_map(static fn(string $name): string => preg_quote($name, '~'), $names));
        preg_match_all("~(?<![\\w.-])(?:$words)(?![\\w-])~i", $text, $matches, PREG_OFFSET_CAPTURE);
        return $matches[0];
    }

    /** @return list<string> */
    private function tracked(): array
    {
        $list = shell_exec('cd ' . escapeshellarg($this->root) . " && bash -c '. tools/env.sh; tracked .'");
        return (array) preg_replace('~^\./~', '', array_values(array_filter(explode("\0", (string) $list))));
    }

    /** @throws \RuntimeException */
    private function text(string $file): string
    {
        $text = @file_get_contents("$this->root/$file");
        return $text === false ? throw new \RuntimeException("$file cannot be read: tools/names/Places.php has it") : $text;
    }

    private static function line(string $text, int $offset): int
    {
        return substr_count($text, "\n", 0, $offset) + 1;
    }
}
