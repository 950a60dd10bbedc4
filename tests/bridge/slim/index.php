<?php

declare(strict_types=1);

$app = require __DIR__ . '/app.php';
if (getenv('XHPROF_TEST_PSR7') === 'nyholm') {
    // Nyholm's package has no creator of its own for globals: that of Slim's is converted, as a worker's would come.
    $slim = Slim\Psr7\Factory\ServerRequestFactory::createFromGlobals();
    $factory = new Nyholm\Psr7\Factory\Psr17Factory();
    $request = new Nyholm\Psr7\ServerRequest(
        $slim->getMethod(),
        (string) $slim->getUri(),
        $slim->getHeaders(),
        $factory->createStream((string) $slim->getBody()),
        '1.1',
        $slim->getServerParams(),
    );
    $files = array_map(static fn(object $file): object => $factory->createUploadedFile(
        $file->getStream(),
        $file->getSize(),
        $file->getError(),
        $file->getClientFilename(),
    ), $slim->getUploadedFiles());
    $request = $request->withCookieParams($_COOKIE)->withUploadedFiles($files);
    $app->run($files === [] ? $request : $request->withParsedBody($_POST));
} else {
    $app->run();
}
