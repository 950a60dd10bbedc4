<?php

declare(strict_types=1);

namespace XHProf\Tools\Docs;

/** Functions, constants and the class of the extension, as the stubs beside its sources declare them. */
final class Stubs
{
    private const FILES = ['xhprof.stub.php', 'memprof.stub.php', 'tideways.stub.php'];

    private const CONSTANT = '~/\*\*(?<doc>(?:(?!\*/).)*)\*/\s*const (?<name>\w+) =~s';

    private const FUNCTION = '~(?:/\*\*(?<doc>(?:(?!\*/).)*)\*/\s*)?
        ^\s*(?:public\s+)?function\s+(?<name>\w+)\((?<parameters>[^)]*)\)(?::\s*(?<type>[\w|?]+))?\s*\{\}~smx';

    private const OF_CLASS = '~/\*\*(?<doc>(?:(?!\*/).)*)\*/\s*final class (?<name>\w+)\s*\{(?<body>.*?)\n\}~s';

    /** @param string $extension its folder */
    public function __construct(private readonly string $extension)
    {
    }

    /**
     * @return array<string, string> name => comment
     */
    public function constants(): array
    {
        preg_match_all(self::CONSTANT, $this->source(), $found, PREG_SET_ORDER);

        return array_column($found, 'doc', 'name');
    }

    /**
     * @return array<string, array{signature: string, doc: string}> by name; methods as Class::name
     */
    public function functions(): array
    {
        $source = $this->source();
        $functions = [];
        foreach ($this->classes() as $class => ['body' => $body]) {
            $source = str_replace($body, '', $source);
            foreach (self::functionsOf($body) as $name => $function) {
                if ($name !== '__construct') {
                    $functions["$class::$name"] = $function;
                }
            }
        }

        return self::functionsOf($source) + $functions;
    }

    /**
     * @return array<string, array{doc: string, body: string}> by name
     */
    public function classes(): array
    {
        preg_match_all(self::OF_CLASS, $this->source(), $found, PREG_SET_ORDER);

        return array_map(
            static fn(array $class): array => ['doc' => $class['doc'], 'body' => $class['body']],
            array_column($found, null, 'name'),
        );
    }

    /**
     * @return array<string, array{signature: string, doc: string}>
     */
    private static function functionsOf(string $source): array
    {
        preg_match_all(self::FUNCTION, $source, $found, PREG_SET_ORDER);
        $functions = [];
        foreach ($found as $function) {
            $type = ($function['type'] ?? '') === '' ? '' : ": $function[type]";
            $functions[$function['name']] = [
                'signature' => "$function[name]($function[parameters])$type",
                'doc' => $function['doc'],
            ];
        }

        return $functions;
    }

    private function source(): string
    {
        return implode("\n", array_map(
            fn(string $file): string => (string) file_get_contents("$this->extension/$file"),
            self::FILES,
        ));
    }
}
