--TEST--
xhprof_save(): what the metadata has of flags, and of values that are no JSON or start a profile
--FILE--
<?php
require __DIR__ . '/../run_files.inc';

echo "xhprof_save(): flags, their names and the totals follow the session's flags:\n";

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
foreach ([0, 1, 2, 4, 6] as $flags) {
    xhprof_enable($flags);
    $edges = xhprof_disable();
    $id = xhprof_save();
    $m = xhprof_test_run_part($folder, "$id.xhprof", 'meta');
    unset($edges['main()']['ct']);
    printf("%d %s %s %s\n", $m['flags'], json_encode($m['flag_names']), json_encode(array_keys($m['totals'])),
        $m['totals'] === $edges['main()'] ? 'as main()' : json_encode($m['totals']));
    echo isset($m['meta']) ? json_encode($m['meta']) : '[]', "\n";
}

echo "xhprof_save(): metadata JSON has no word for: saved as valid JSON or refused, no half-written files:\n";

class Throws implements JsonSerializable
{
    public function jsonSerialize(): mixed { throw new DomainException('not me'); }
}

class Starts implements JsonSerializable
{
    public function jsonSerialize(): mixed { xhprof_enable(); return 'started'; }
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

echo "xhprof_save() never mixes two profiles, even if encoding the metadata starts another one:\n";

final class StartsAnother implements JsonSerializable
{
    public function jsonSerialize(): int { xhprof_enable(); return 1; }
}

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
xhprof_enable();
xhprof_disable();
try {
    xhprof_save('test', ['m' => new StartsAnother()]);
} catch (RuntimeException $e) {
    echo $e->getMessage(), "\n";
}
var_dump(is_array(xhprof_disable()), xhprof_test_list($folder));
?>
--EXPECT--
xhprof_save(): flags, their names and the totals follow the session's flags:
0 [] ["wt"] as main()
[]
1 ["NO_BUILTINS"] ["wt"] as main()
[]
2 ["CPU"] ["wt","cpu"] as main()
[]
4 ["MEMORY"] ["wt","mu","pmu"] as main()
[]
6 ["CPU","MEMORY"] ["wt","cpu","mu","pmu"] as main()
[]
xhprof_save(): metadata JSON has no word for: saved as valid JSON or refused, no half-written files:
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
xhprof_save() never mixes two profiles, even if encoding the metadata starts another one:
xhprof_save(): Another profile was started meanwhile
bool(true)
array(0) {
}
