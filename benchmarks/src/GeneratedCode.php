<?php

declare(strict_types=1);

namespace XHProf\Bench;

/** Code written to build/bench/code/: opcache and its JIT do not process evaluated code. */
final class GeneratedCode
{
    /** @return string the file */
    public static function file(string $name, string $code): string
    {
        $file = self::folder() . "/$name-" . substr(sha1($code), 0, 12) . '.php';
        if (!is_file($file)) {
            // Renamed into place: another process may be reading it.
            $new = "$file." . getmypid();
            file_put_contents($new, "<?php\n\n$code");
            rename($new, $file);
        }

        return $file;
    }

    public static function folder(): string
    {
        $folder = dirname(__DIR__, 2) . '/build/bench/code';
        if (!is_dir($folder) && !@mkdir($folder, 0777, true) && !is_dir($folder)) {
            throw new Failure("cannot create $folder");
        }

        return $folder;
    }
}
