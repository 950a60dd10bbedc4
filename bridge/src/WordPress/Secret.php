<?php

declare(strict_types=1);

namespace XHProf\Bridge\WordPress;

/**
 * What signs the cookie of the next request: made of the key and the salt that wp_salt() is made of. Must-use plug-ins run before
 * wp_salt() exists, and what they want recorded begins with them.
 */
final class Secret
{
    private const CONSTANTS = ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE', 'SECRET'];

    private const PLACEHOLDER = 'put your unique phrase here';

    /** Makes the key and the salt where a site has none in its configuration: from then on known() has them. */
    public static function make(): string
    {
        wp_salt('auth');

        return self::known();
    }

    /** @return string '' where the site has no key or no salt yet: then nothing is signed */
    public static function known(): string
    {
        $used = [];
        foreach (self::CONSTANTS as $name) {
            foreach (['KEY', 'SALT'] as $part) {
                $used[] = defined("{$name}_$part") ? (string) constant("{$name}_$part") : '';
            }
        }
        $secret = '';
        foreach (['KEY', 'SALT'] as $part) {
            $value = defined("AUTH_$part") ? (string) constant("AUTH_$part") : '';
            // The same text for two of them is a text of the documentation, in whatever language.
            if ($value === '' || $value === self::PLACEHOLDER || count(array_keys($used, $value, true)) > 1) {
                $value = get_site_option('auth_' . strtolower($part));
            }
            if (!is_string($value) || $value === '') {
                return '';
            }
            $secret .= $value;
        }

        return hash_hmac('sha256', 'XHProf: the next request', $secret);
    }
}
