--TEST--
xhprof_save() never mixes two profiles, even if encoding the metadata starts another one
--FILE--
<?php
require __DIR__ . '/../lib.inc';

final class Starts implements JsonSerializable
{
    public function jsonSerialize(): int
    {
        xhprof_enable();
        return 1;
    }
}

$folder = xhprof_test_folder();
ini_set('xhprof.output_dir', $folder);
xhprof_enable();
xhprof_disable();
try {
    xhprof_save('test', ['m' => new Starts()]);
} catch (RuntimeException $e) {
    echo $e->getMessage(), "\n";
}
var_dump(is_array(xhprof_disable()), xhprof_test_list($folder));
?>
--EXPECT--
xhprof_save(): Another profile was started meanwhile
bool(true)
array(0) {
}
