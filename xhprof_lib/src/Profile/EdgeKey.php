<?php

declare(strict_types=1);

namespace XHProf\Profile;

/** The key of a call edge: "caller==>callee", or the bare name of a function without a caller ("main()"). */
final class EdgeKey
{
    public const SEPARATOR = '==>';

    /**
     * Splits at the first separator: a caller never holds one, a callee with SQL in its name may.
     *
     * @return array{0: ?string, 1: string} caller (null for a root) and callee
     */
    public static function parse(string $key): array
    {
        $at = strpos($key, self::SEPARATOR);

        return $at === false ? [null, $key] : [substr($key, 0, $at), substr($key, $at + 3)];
    }

    public static function build(?string $caller, string $callee): string
    {
        return $caller === null ? $callee : $caller . self::SEPARATOR . $callee;
    }

    /**
     * "" and "12" are no names: PHP turns "12" into the array key 12, and no function can be called that. Code that reads or
     * imports runs refuses them.
     *
     * @phpstan-assert-if-true non-empty-string $symbol
     */
    public static function isName(string $symbol): bool
    {
        return $symbol !== '' && (string) (int) $symbol !== $symbol;
    }

    /**
     * A function's name as edges have it: "==>" in it and "@2" at its end would be taken for parts of an edge. The extension
     * writes such names with the same rule (symbols_escape() in trace/symbol.c), imports get it here.
     *
     * @return string "a\x3D=>b", "tpl\x402"; other names as they are
     */
    public static function escaped(string $name): string
    {
        if (!str_contains($name, self::SEPARATOR) && !str_contains($name, '@')) {
            return $name;
        }

        return preg_replace('/@(?=[0-9]+\z)/', '\x40', str_replace(self::SEPARATOR, '\x3D=>', $name)) ?? $name;
    }

    /**
     * "f@2" (f called while two f are running) => "f"; "class@anonymous::m" stays as it is.
     */
    public static function stripRecursion(string $symbol): string
    {
        return preg_replace('/@[0-9]+\z/', '', $symbol) ?? $symbol;
    }

    /**
     * @param array<string, string> $map name without a level => another
     *
     * @return string "g@2" of "f@2" where f is g
     */
    public static function renamed(string $symbol, array $map): string
    {
        $name = self::stripRecursion($symbol);

        return isset($map[$name]) ? $map[$name] . substr($symbol, strlen($name)) : $symbol;
    }
}
