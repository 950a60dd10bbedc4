<?php

declare(strict_types=1);

namespace XHProf\Tests\Soak;

/** What the server of fibers does for its requests. */
final class FiberRoutes
{
    /** Loops of a request, of which what the library does for it is little. */
    public const LOOPS = [
        'GET /turns' => 900_000, 'GET /long' => 1_200_000, 'GET /parts' => 2_400_000, 'GET /fails' => 900_000,
        'GET /leaves' => 1_200_000,
    ];
    /** Functions of fibers/server.php */
    public const HANDLERS = [
        'GET /turns' => __NAMESPACE__ . '\in_turns', 'GET /long' => __NAMESPACE__ . '\spin',
        'GET /parts' => __NAMESPACE__ . '\in_parts', 'GET /fails' => __NAMESPACE__ . '\with_failure',
        'GET /leaves' => __NAMESPACE__ . '\without_patience',
    ];
    /** Routes that do not wait, so that none of their requests is suspended. */
    public const BUSY = ['GET /long'];
    public const FAILING = ['GET /fails'];
    /** Ends the server. */
    public const END = 'GET /end';
}
