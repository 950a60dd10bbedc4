<?php

declare(strict_types=1);

namespace XHProf\Status;

use XHProf\Cli\CliError;
use XHProf\Cli\UsageError;
use XHProf\Store\DefaultFolder;

/**
 * A pool of PHP-FPM, and its XHProf settings over php.ini.
 *
 * @phpstan-type Lines array{file: string, user: string|null, lower: array<string, string>, upper: array<string, string>,
 *     folder: string}
 */
final class FpmPool
{
    /** Folders of pools beside php.ini: Debian's; Red Hat's and that of PHP's own images, /usr/local/etc/php-fpm.d. */
    private const FOLDERS = ['pool.d', 'php-fpm.d', '../php-fpm.d'];

    /** user = www-data; php_admin_value[xhprof.mode] = sample */
    private const LINE = '/^\s*([a-z_]+)(?:\[\s*([\w.]+)\s*\])?\s*=(.*)$/';

    /**
     * @param string                $file     the first one that has a section of the pool
     * @param string|null           $user     that its workers run as; null if it is not said
     * @param array<string, string> $settings "xhprof.mode" => "sample"
     * @param string                $folder   of its environment, '' for none
     */
    private function __construct(
        public readonly string $name,
        public readonly string $file,
        public readonly ?string $user,
        public readonly array $settings,
        public readonly string $folder,
    ) {
    }

    /**
     * @param string      $ini  php.ini, or its folder
     * @param string|null $wanted the name of a pool, or a file with pools; null for all beside php.ini
     *
     * @return list<self> none if there is no folder of pools
     *
     * @throws CliError
     */
    public static function find(string $ini, ?string $wanted): array
    {
        if ($wanted !== null && is_file($wanted)) {
            return self::read([$wanted]);
        }
        $folder = is_dir($ini) ? rtrim($ini, '/') : dirname($ini);
        $pools = [];
        foreach (self::FOLDERS as $name) {
            if (is_dir("$folder/$name") && (!str_starts_with($name, '.') || basename($folder) === 'php')) {
                $pools = self::read(glob("$folder/$name/*.conf") ?: []);
                break;
            }
        }
        if ($wanted === null) {
            return $pools;
        }
        $names = implode(', ', array_map(static fn (self $pool): string => $pool->name, $pools));

        $hint = $names === '' ? '; --pool takes the path of its file too' : "; its pools: $names";

        return array_values(array_filter($pools, static fn (self $pool): bool => $pool->name === $wanted))
            ?: throw new UsageError("no pool $wanted beside $ini$hint");
    }

    /**
     * @param list<string> $files
     *
     * @return list<self>
     */
    private static function read(array $files): array
    {
        $found = [];
        foreach ($files as $file) {
            $pool = 'global';
            $lines = @file($file, FILE_IGNORE_NEW_LINES);
            if ($lines === false) {
                throw new CliError("cannot read $file");
            }
            foreach ($lines as $line) {
                if (preg_match('/^\s*\[([^\]]+)\]/', $line, $match) === 1) {
                    $pool = trim($match[1]);
                    $found[$pool] ??= ['file' => $file, 'user' => null, 'lower' => [], 'upper' => [], 'folder' => ''];
                } elseif (isset($found[$pool]) && preg_match(self::LINE, $line, $match) === 1) {
                    $value = str_replace('$pool', $pool, self::value($match[3]));
                    $found[$pool] = self::with($found[$pool], $match[1], $match[2], $value);
                }
            }
        }
        unset($found['global']);
        $pools = [];
        foreach ($found as $name => ['file' => $file, 'user' => $user, 'lower' => $lower, 'upper' => $upper, 'folder' => $folder]) {
            $pools[] = new self((string) $name, $file, $user, array_replace($lower, $upper), $folder);
        }

        return $pools;
    }

    /**
     * @param Lines $pool
     *
     * @return Lines
     */
    private static function with(array $pool, string $directive, string $key, string $value): array
    {
        if ($directive === 'user') {
            $pool['user'] = $value;
        } elseif ($directive === 'env' && $key === DefaultFolder::VARIABLE) {
            $pool['folder'] = $value;
        } elseif (preg_match('/\Aphp_(admin_)?(value|flag)\z/', $directive, $match) === 1 && str_starts_with($key, 'xhprof.')) {
            $value = $match[2] === 'value' ? $value : (string) (int) filter_var($value, FILTER_VALIDATE_BOOL);
            // php_admin_value wins, whatever the order of the lines.
            $pool[$match[1] === '' ? 'lower' : 'upper'][$key] = $value;
        }

        return $pool;
    }

    private static function value(string $text): string
    {
        $text = trim($text);

        return preg_match('/\A(["\'])(.*?)\1/', $text, $match) === 1 ? $match[2] : trim(explode(';', $text)[0]);
    }
}
