<?php

declare(strict_types=1);

namespace Shop;

/** A file of templates/, within the page. */
final class Template
{
    /** @param array<string, mixed> $values */
    public static function render(string $name, array $values): string
    {
        return self::file('page', ['title' => $values['title'] ?? $name, 'body' => self::file($name, $values)]);
    }

    public static function escape(string $text): string
    {
        return htmlspecialchars($text, ENT_QUOTES);
    }

    public static function price(int $cents): string
    {
        return sprintf('%d.%02d', intdiv($cents, 100), $cents % 100);
    }

    /** @param array<string, mixed> $values */
    private static function file(string $name, array $values): string
    {
        ob_start();
        (static function (string $file, array $values): void {
            extract($values);
            require $file;
        })(dirname(__DIR__) . "/templates/$name.phtml", $values);

        return (string) ob_get_clean();
    }
}
