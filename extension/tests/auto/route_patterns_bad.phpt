--TEST--
xhprof.route_patterns: what is no pattern, or runs wild, is one line in PHP's log; the program notices nothing
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('loopback'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../auto.inc';

const PROGRAM = <<<'PHP'
    <?php
    echo preg_last_error(), ' ', json_encode(error_get_last()), ' ', memory_get_usage(), ' ', memory_get_peak_usage();
    PHP;

/** @return array{answers: list<string>, log: string, routes: list<string>} */
function ask(string $program, array $ini, array $paths, bool $waits = true): array
{
    $log = xhprof_test_folder() . '/log';
    touch($log);
    $server = new XhprofTestServer($program, $ini, ['error_log' => $log, 'pcre.jit' => 0]);
    $answers = $routes = [];
    foreach ($paths as $i => $path) {
        $answers[] = $server->request($path)['body'];
        $routes = $waits ? array_column($server->runs($i + 1), 'route') : [];
    }
    $server->stop();
    return ['answers' => $answers, 'log' => preg_replace('/^\[.*? UTC] /m', '', file_get_contents($log)), 'routes' => $routes];
}

$wild = '/' . str_repeat('a', 60) . '!';
$paths = ['/good', $wild, '/good', $wild];
$patterns = implode(' ', [
    'word', '#open=x', '#/good#', '#/good#=', '#/good#q=x', '=/good=x', '#(/good#=x', '#/(go)od#=\1\2', '#^/(a+)+$#=wild', '#/good#=good',
]);
$bad = ask(PROGRAM, ['route_patterns' => "'$patterns'"], $paths);
$none = ask(PROGRAM, [], $paths);
echo $bad['log'];
print_r($bad['routes']);
echo implode(' ', array_slice(explode(' ', $bad['answers'][3]), 0, 2)), "\n";
var_dump($bad['answers'] === $none['answers'], $none['log']);

echo "A program that looks at its own errors, and begins a span meanwhile:\n";
$program = <<<'PHP'
    <?php
    ini_set('pcre.backtrack_limit', '1');
    preg_match('/(a+)+$/', 'aaaaaaaaaa!');
    $before = preg_last_error();
    $span = xhprof_span('job');
    echo $before, ' ', preg_last_error(), ' ', preg_last_error_msg();
    PHP;
$span = ask($program, ['start_with_request' => 'no', 'mode' => 'aggregate', 'route_patterns' => "'#^/(a+)+$#=wild'"], [$wild], false);
echo $span['answers'][0], "\n", $span['log'];
?>
--EXPECT--
xhprof: xhprof.route_patterns: "word" is ignored: a pattern is written as #expression#=name
xhprof: xhprof.route_patterns: "#open=x #/good#" is ignored: a pattern is written as #expression#=name
xhprof: xhprof.route_patterns: "#/good#=" is ignored: a pattern is written as #expression#=name
xhprof: xhprof.route_patterns: "#/good#q=x" is ignored: a pattern is written as #expression#=name
xhprof: xhprof.route_patterns: "=/good=x" is ignored: a pattern is written as #expression#=name
xhprof: xhprof.route_patterns: "#(/good#=x" is ignored: missing closing parenthesis
xhprof: xhprof.route_patterns: "#/(go)od#=\1\2" is ignored: its name has a group that the expression lacks
xhprof: xhprof.route_patterns: "#^/(a+)+$#=wild" was given up for a URL: it takes too many steps
Array
(
    [0] => GET good
    [1] => GET /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!
    [2] => GET good
    [3] => GET /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!
)
0 null
bool(true)
string(0) ""
A program that looks at its own errors, and begins a span meanwhile:
2 2 Backtrack limit exhausted
xhprof: xhprof.route_patterns: "#^/(a+)+$#=wild" was given up for a URL: it takes too many steps
