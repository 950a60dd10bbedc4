--TEST--
xhprof_save(): metadata JSON has no word for: saved as valid JSON or refused, no half-written files
--FILE--
<?php
require __DIR__ . '/../lib.inc';
require __DIR__ . '/../run_files.inc';

class Throws implements JsonSerializable
{
    public function jsonSerialize(): mixed
    {
        throw new DomainException('not me');
    }
}

class Starts implements JsonSerializable
{
    public function jsonSerialize(): mixed
    {
        xhprof_enable();
        return 'started';
    }
}

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
$recursive = ['a' => 1];
$recursive['self'] = &$recursive;
$deep = [];
for ($i = 0; $i < 2000; $i++) {
    $deep = [$deep];
}
$metas = [
    'nan' => ['x' => NAN],
    'inf' => ['x' => INF],
    'resource' => ['x' => STDIN],
    'closure' => ['x' => static fn () => 1],
    'object' => ['x' => new ArrayObject([1])],
    'recursive' => $recursive,
    'deep' => $deep,
    'throws' => ['x' => new Throws()],
    'invalid utf-8' => ['x' => "\xff"],
    'list' => [1, 2, 3],
    'numeric keys' => [5 => 'a', 7 => 'b'],
    'starts a session' => ['x' => new Starts()],
];
foreach ($metas as $label => $meta) {
    xhprof_disable();
    xhprof_enable();
    xhprof_disable();
    try {
        $id = xhprof_save('m', $meta);
        $result = 'saved';
    } catch (Throwable $e) {
        $id = null;
        $result = 'refused';
    }
    $files = xhprof_test_list($folder);
    if ($id === null) {
        echo $label, $files === [] ? ': ok' : ': refused, but there are ' . implode(' ', $files), "\n";
    } else {
        $json = xhprof_test_run_part($folder, "$id.m", 'meta');
        $whole = is_array($json) && is_array($json['meta'] ?? null) && $json['id'] === $id && xhprof_test_run_list($folder) === '1 runs';
        echo $label, $whole ? ': ok' : ': saved as ' . implode(' ', $files), "\n";
    }
    array_map('unlink', glob("$folder/*"));
}
?>
--EXPECT--
nan: ok
inf: ok
resource: ok
closure: ok
object: ok
recursive: ok
deep: ok
throws: ok
invalid utf-8: ok
list: ok
numeric keys: ok
starts a session: ok
