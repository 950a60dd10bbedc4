<?php

declare(strict_types=1);

namespace XHProf\Exception;

/** A file of budgets or a baseline that cannot be used. The message begins with the file and the line. */
final class InvalidCheck extends \InvalidArgumentException implements XHProfException
{
}
