<?php

declare(strict_types=1);

namespace XHProf\Bridge\Symfony;

use Symfony\Component\HttpKernel\Exception\NotFoundHttpException;
use Symfony\Component\Security\Core\Authorization\AuthorizationCheckerInterface;
use Symfony\Component\Security\Core\Exception\AccessDeniedException;
use Symfony\Component\Security\Core\Exception\AuthenticationCredentialsNotFoundException;

/** Who sees the pages: those with the role of the configuration, by the site's firewall; without one, everybody in debug mode. */
final class PagesAccess
{
    public function __construct(
        private readonly bool $isEnabled,
        private readonly ?string $role,
        private readonly bool $isDebug,
        private readonly ?AuthorizationCheckerInterface $checker,
    ) {
    }

    public function isGranted(): bool
    {
        if (!$this->isEnabled || $this->role === null) {
            return $this->isEnabled && $this->isDebug;
        }
        try {
            return $this->checker?->isGranted($this->role) ?? false;
        } catch (AuthenticationCredentialsNotFoundException) {
            // The path is behind no firewall.
            return false;
        }
    }

    /**
     * @throws NotFoundHttpException where nobody sees them: they are not there then
     * @throws AccessDeniedException which the firewall answers with its login
     */
    public function check(): void
    {
        if ($this->isGranted()) {
            return;
        }
        if (!$this->isEnabled || $this->role === null || $this->checker === null) {
            throw new NotFoundHttpException('XHProf\'s pages are shown in debug mode, or to users with the role "xhprof.role".');
        }
        throw new AccessDeniedException("XHProf's pages are for users with $this->role.");
    }
}
