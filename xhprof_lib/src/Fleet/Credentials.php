<?php

declare(strict_types=1);

namespace XHProf\Fleet;

use XHProf\Exception\SendError;
use XHProf\Exception\StoreError;
use XHProf\File\OpenFile;

/** User and password of a store: of a file, or of the environment. Never of the command line, which all users of a machine see. */
final class Credentials
{
    public const USER = 'XHPROF_SHIP_USER';
    public const PASSWORD = 'XHPROF_SHIP_PASSWORD';

    private const MAX_BYTES = 4096;

    private const READABLE_BY_OTHERS = 0004;

    private function __construct(
        public readonly string $user,
        #[\SensitiveParameter]
        public readonly string $password,
    ) {
    }

    public static function ofEnvironment(): self
    {
        return new self((string) getenv(self::USER), (string) getenv(self::PASSWORD));
    }

    /**
     * @param string $path of a file with the lines "user=NAME" and "password=TEXT", either of which may be missing
     *
     * @throws SendError if others may read it, or it holds anything else; the message quotes nothing of it
     */
    public static function ofFile(string $path): self
    {
        try {
            $file = OpenFile::named($path);
            $mode = fstat($file->stream)['mode'] ?? self::READABLE_BY_OTHERS;
            if (($mode & self::READABLE_BY_OTHERS) !== 0) {
                throw new SendError("$path can be read by all users: chmod 600 or 640");
            }
            $text = $file->bytes(self::MAX_BYTES);
        } catch (StoreError $e) {
            throw new SendError($e->getMessage(), 0, $e);
        }
        $found = [];
        foreach (preg_split('/\R/', $text) ?: [] as $line) {
            if (trim($line) === '' || preg_match('/\A(user|password)=(.*)\z/', $line, $match) === 1) {
                $found += isset($match[2]) ? [$match[1] => $match[2]] : [];
                $match = [];
                continue;
            }
            throw new SendError("$path has other lines than user=NAME and password=TEXT");
        }

        return new self($found['user'] ?? '', $found['password'] ?? '');
    }
}
