<?php

/*
 * The other service, for `php -S`: GET /rates/USD answers {"currency": "USD", "rate": 1.08}.
 */

declare(strict_types=1);

const RATES = ['EUR' => 1.0, 'USD' => 1.08, 'GBP' => 0.84];

$currency = basename((string) parse_url((string) $_SERVER['REQUEST_URI'], PHP_URL_PATH));
http_response_code(isset(RATES[$currency]) ? 200 : 404);
header('Content-Type: application/json');
echo json_encode(['currency' => $currency, 'rate' => RATES[$currency] ?? null], JSON_THROW_ON_ERROR);
