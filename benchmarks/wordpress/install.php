<?php

/* Fills WordPress's database: posts in categories, with tags and comments, always the same ones. */

declare(strict_types=1);

const POSTS = 60;
const COMMENTS = 8;

$_SERVER['HTTP_HOST'] = 'shop.test';
define('WP_INSTALLING', true);
require __DIR__ . '/config.php';
require ABSPATH . 'wp-settings.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';

/** As many words of an endless text, from the word `from`. */
function words(int $from, int $count): string
{
    $word = static fn(int $i): string => substr(md5((string) $i), 0, 3 + $i % 7);

    return implode(' ', array_map($word, range($from, $from + $count - 1)));
}

/** A text of eight paragraphs as the editor makes them. */
function paragraphs(int $from): string
{
    $text = '';
    for ($i = 0; $i < 8; $i++) {
        $text .= "<!-- wp:paragraph -->\n<p>" . words($from + 50 * $i, 50) . "</p>\n<!-- /wp:paragraph -->\n\n";
    }

    return $text;
}

wp_install('Bench', 'bench', 'bench@shop.test', true, '', 'bench');
$categories = array_map(static fn(int $i): int => wp_create_category(words($i, 2)), range(1, 6));
for ($i = 1; $i <= POSTS; $i++) {
    $post = wp_insert_post([
        'post_title' => words($i, 5), 'post_content' => paragraphs(1000 * $i), 'post_status' => 'publish',
        'post_author' => 1, 'post_category' => [$categories[$i % 6], $categories[($i + 2) % 6]],
        'tags_input' => explode(' ', words($i, 4)),
    ]);
    for ($j = 1; $j <= COMMENTS; $j++) {
        wp_insert_comment(['comment_post_ID' => $post, 'comment_author' => words($j, 2), 'comment_content' => words($i + $j, 30)]);
    }
}
echo POSTS, " posts\n";
