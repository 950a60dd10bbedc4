<?php

/*
Plugin Name: Busy loops
*/

declare(strict_types=1);

// Computes for some milliseconds: 400 calls of a function that hashes.
add_action('wp_loaded', static function (): void {
    $begin = hrtime(true);
    $texts = array_map(busy_step(...), range(1, 400));
    $spent = hrtime(true) - $begin;
    // The hook of the other plug-in: what it takes is no part of this one.
    do_action('busy_loops_done', count($texts));
    busy_note($spent);
});

function busy_step(int $step): string
{
    $text = (string) $step;
    for ($i = 0; $i < 300; $i++) {
        $text = hash('sha256', $text);
    }

    return $text;
}

function busy_note(int $nanoseconds): void
{
    file_put_contents((string) getenv('XHPROF_TEST_NOTES'), "busy-loops $nanoseconds\n", FILE_APPEND);
}
