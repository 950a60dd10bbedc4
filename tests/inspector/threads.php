<?php

declare(strict_types=1);

/*
 * The script of each request of tools/zts/threads.c: functions and objects of the thread's own, until the file "end" is there.
 *
 * @var int $thread
 * @var int $request
 * @var string $folder
 */

if ($request > 0) {
    return;
}
eval("class Own$thread { public string \$text = 'of $thread'; }");
$work = "own_$thread";
eval(<<<PHP
    function $work(array \$objects, string \$folder): void
    {
        while (!is_file("\$folder/end")) {
            usleep(1000);
            clearstatcache();
        }
    }
    PHP);
$class = "Own$thread";
$objects = [];
for ($i = 0; $i <= $thread; $i++) {
    $objects[] = new $class();
}
file_put_contents("$folder/ready$thread", '');
$work($objects, $folder);
