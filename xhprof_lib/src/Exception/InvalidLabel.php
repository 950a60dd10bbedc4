<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * Tags or a note that cannot be kept; the message is a sentence for the user.
 */
final class InvalidLabel extends \InvalidArgumentException implements XHProfException
{
}
