<?php

/*
 * first-minutes.php: what docs/first-five-minutes.md has to be typed, for tools/first-minutes.sh.
 *   ways                      prints the ways of the page, one a line
 *   script WAY PHP PORT       prints the lines of one for bash; PHP is like 8.4
 *   result WAY PHP PORT NAME  reads what that script printed, and prints lines of TAP and rows of the page's table, of the
 *                             room NAME; exit code 1 where a line failed
 */

declare(strict_types=1);

namespace XHProf\Tests\Docs;

require_once __DIR__ . '/Markdown.php';
require_once __DIR__ . '/TypedPage.php';
require_once __DIR__ . '/Typing.php';

[, $what, $way, $php, $port, $room] = $argv + array_fill(0, 6, '');
$page = new TypedPage(new Markdown((string) file_get_contents(__DIR__ . '/../../docs/first-five-minutes.md')));
if ($what === 'ways') {
    echo implode("\n", $page->ways()), "\n";
    exit(0);
}
if (!in_array($what, ['script', 'result'], true) || !in_array($way, $page->ways(), true)) {
    fwrite(STDERR, "first-minutes.php ways|script|result WAY PHP PORT NAME; ways: " . implode(', ', $page->ways()) . "\n");
    exit(2);
}
$typing = new Typing($page->steps($way), ['php8.2' => "php$php", ':8000' => ":$port"]);
if ($what === 'script') {
    echo $typing->script();
    exit(0);
}
$typed = $typing->read((string) stream_get_contents(STDIN));
echo implode("\n", [...Typing::tap("$way, $room", $typed), ...array_map(
    static fn (string $row): string => "# $row",
    Typing::rows($way, $typed),
)]), "\n";
exit(array_filter($typed, static fn (array $one): bool => $one['status'] !== 0 || $one['missing'] !== null) === [] ? 0 : 1);
