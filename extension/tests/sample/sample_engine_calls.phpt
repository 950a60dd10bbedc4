--TEST--
Sampling: what the engine calls by itself since 8.4 and 8.5 has frames of its own: property hooks, initializers of lazy objects, pipes, clone with values
--SKIPIF--
<?php require __DIR__ . '/../needs.inc'; xhprof_test_needs('PHP 8.5', 'sampling'); ?>
--FILE--
<?php
require __DIR__ . '/../lib.inc';

function busy(): int
{
    for ($i = 0; $i < 300_000; $i++) {
    }
    return $i;
}

class Entity
{
    public int $read { get => busy(); }
    public int $written = 0 { set => busy(); }
    public int $plain = 1;
    const FILTER = static function (int $n): int { return busy(); };
    public function __clone(): void
    {
        busy();
    }
}

function work(): void
{
    $entity = new Entity();
    $entity->read;
    $more = clone($entity, ['written' => 3]);
    $lazy = (new ReflectionClass(Entity::class))->newLazyGhost(initialize(...));
    $lazy->plain;
    $n = 1 |> (static fn (int $n): int => busy()) |> Entity::FILTER;
}

function initialize(Entity $entity): void
{
    busy();
}

$paths = ['Entity::$read::get==>busy', 'clone==>Entity::__clone==>busy', 'clone==>Entity::$written::set==>busy',
    'initialize==>busy', '{closure}==>busy', 'Entity::{closure}==>busy'];
$counts = [];
for ($try = 0; $try < 20; $try++) { // on a busy machine the timer's thread may not run for as long as one
    xhprof_sample_enable(['interval' => 200]);
    for ($i = 0; $i < 5; $i++) {
        work();
    }
    foreach (xhprof_sample_disable() as $path) {
        $path = preg_replace('/\{closure:[^}]*\}/', '{closure}', $path);
        $counts[$path] = ($counts[$path] ?? 0) + 1;
    }
    $few = array_filter($paths, static fn (string $path): bool => ($counts["main()==>work==>$path"] ?? 0) < 20);
    if (!$few) {
        break;
    }
}
echo $few ? json_encode($counts) : 'as they ran', "\n";
?>
--EXPECT--
as they ran
