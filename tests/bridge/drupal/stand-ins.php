<?php

declare(strict_types=1);

// What the module uses of Drupal's own classes, which no registry here has: their names and methods.

namespace Drupal\Core\PathProcessor {
    use Symfony\Component\HttpFoundation\Request;

    interface InboundPathProcessorInterface
    {
        /**
         * @param string $path
         * @return string
         */
        public function processInbound($path, Request $request);
    }
}

namespace Drupal\Core\Site {
    final class Settings
    {
        public static string $salt = '';

        public static function getHashSalt(): string
        {
            return self::$salt !== '' ? self::$salt : throw new \RuntimeException('settings.php has no hash_salt.');
        }
    }
}
