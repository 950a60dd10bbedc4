<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress;

/** What wp-config.php may name. */
final class Settings
{
    /** @return string|null the folder of the runs: the constant XHPROF_OUTPUT_DIR; null for that of the setting xhprof.output_dir */
    public static function folder(): ?string
    {
        $folder = defined('XHPROF_OUTPUT_DIR') ? (string) constant('XHPROF_OUTPUT_DIR') : '';

        return $folder === '' ? null : $folder;
    }
}
