--TEST--
Near memory_limit the heap collects its free pages for an allocation, as without tracking: every block or samples
--SKIPIF--
<?php
if (PHP_DEBUG) {
    die('skip blocks of a debug build are larger');
}
?>
--INI--
opcache.jit=disable
--FILE--
<?php
declare(strict_types=1);

// The JIT is off: it compiles while the program runs, and leaves blocks of its own where they may be in every chunk. At the limit the
// heap goes on after a collection only if that has emptied a whole chunk (get_chunk in zend_mm_alloc_pages()).

/** Fills pages with small blocks, frees these, and needs the pages for larger ones. */
function reuses_pages(): int
{
    $small = range(1, 60000);
    for ($i = 0; $i < 60000; $i++) {
        $small[$i] = str_repeat('x', 30 + $i % 3);
    }
    for ($i = 0; $i < 60000; $i++) {
        $small[$i] = 0;
    }
    $large = [];
    for ($i = 0; $i < 2500; $i++) {
        $large[] = str_repeat('y', 1500);
    }
    return count($large);
}

ini_set('memory_limit', '8M'); // 3.3 MB of small blocks, 3.8 of large ones, 1 of an array
foreach ([0, 4096] as $sample) {
    ini_set('xhprof.alloc_sample_bytes', (string) $sample);
    memprof_enable();
    echo reuses_pages(), "\n";
    memprof_disable();
    gc_mem_caches();
}
?>
--EXPECT--
2500
2500
