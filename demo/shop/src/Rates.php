<?php

declare(strict_types=1);

namespace Shop;

/** Exchange rates, which another program serves (rates.php); without it a euro is a euro. */
final class Rates
{
    public static function of(string $currency): float
    {
        $base = (string) getenv('SHOP_HTTP');
        if ($base === '' || !extension_loaded('curl')) {
            return 1.0;
        }
        $request = curl_init("$base/rates/" . rawurlencode($currency));
        curl_setopt_array($request, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 10, CURLOPT_FAILONERROR => true]);
        $answer = curl_exec($request);
        $rate = is_string($answer) ? json_decode($answer, true) : null;

        return (float) ($rate['rate'] ?? throw new \RuntimeException('No rate: ' . curl_error($request)));
    }
}
