<?php

declare(strict_types=1);

// A must-use plug-in that prints the files of this request behind the page.
add_action('shutdown', static function (): void {
    echo '<!-- loaded ', wp_json_encode(get_included_files(), JSON_UNESCAPED_SLASHES), ' -->';
});
