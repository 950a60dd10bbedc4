<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * Everything this library throws on purpose. The message is one line, fit to be shown to the user.
 */
interface XHProfException extends \Throwable
{
}
