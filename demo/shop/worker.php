<?php

/*
 * worker.php JOBS [MS]: a queue worker with a span for each job. Prints the id of each job's run, "-" where none was saved, and at
 * the end the private memory of the process after a tenth of the jobs and now, kB.
 */

declare(strict_types=1);

namespace Shop;

require __DIR__ . '/src/autoload.php';

/** The private memory of the process, kB. */
function memory(): int
{
    preg_match('/^RssAnon:\s+(\d+)/m', (string) file_get_contents('/proc/self/status'), $match);

    return (int) ($match[1] ?? 0);
}

function job(Products $products, int $number, int $ms): string
{
    $text = '';
    foreach ($products->list(5 + $number % 5) as $product) {
        $text .= Template::price((int) $product['cents']) . ' ' . Template::escape($product['name']) . "\n";
    }
    usleep(1000 * $ms);

    return $text;
}

[, $jobs, $ms] = $argv + [2 => '0'];
$products = new Products(ini_get('session.save_path') . '/../data/shop.sqlite');
$before = 0;
for ($i = 0; $i < (int) $jobs; $i++) {
    xhprof_begin_span('prices ' . $i % 3, ['job' => $i]);
    job($products, $i, (int) $ms);
    echo xhprof_end_span() ?? '-', "\n";
    if ($i === intdiv((int) $jobs, 10)) {
        $before = memory();
    }
}
echo $before, ' ', memory(), "\n";
