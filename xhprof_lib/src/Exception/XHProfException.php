<?php

declare(strict_types=1);

namespace XHProf\Exception;

/** Base of all exceptions that this library throws on purpose. The message is one line, fit to be shown to the user. */
interface XHProfException extends \Throwable
{
}
