<?php

declare(strict_types=1);

namespace XHProf\Bridge\Symfony;

use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpFoundation\Cookie;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpKernel\Event\RequestEvent;
use Symfony\Component\HttpKernel\Event\ResponseEvent;
use Symfony\Component\HttpKernel\Event\TerminateEvent;
use Symfony\Component\HttpKernel\KernelEvents;
use XHProf\Bridge\NextRequest;
use XHProf\Bridge\Recorder;

/**
 * Records a request that was asked for by a click: from its begin, with its sub-requests, what it streams and what it does after
 * the answer, until just before the web profiler saves its own data.
 */
final class RequestListener implements EventSubscriberInterface
{
    /** Routes whose requests are not the site's own: they neither are recorded nor use up the click. */
    private const NOT_OF_SITE = '/\A(?:xhprof_pages|_wdt|_profiler)/';

    private ?Request $asked = null;

    private ?Recorder $running = null;

    /** The one of the last request that was asked for. */
    private ?Recorder $used = null;

    /**
     * @param \Closure(): Recorder $recorder
     * @param \Closure(): NextRequest $next
     */
    public function __construct(private readonly \Closure $recorder, private readonly \Closure $next)
    {
    }

    public static function getSubscribedEvents(): array
    {
        return [
            KernelEvents::REQUEST => [['begin', 8192], ['leaveOut', 31]],
            KernelEvents::RESPONSE => ['forget', -1024],
            KernelEvents::TERMINATE => ['end', -1000],
        ];
    }

    public function begin(RequestEvent $event): void
    {
        if (!$event->isMainRequest()) {
            return;
        }
        $this->used?->reset();
        $this->asked = $this->running = $this->used = null;
        $cookie = $event->getRequest()->cookies->all()[NextRequest::COOKIE] ?? null;
        if ($cookie === null || !($this->next)()->take($cookie)) {
            return;
        }
        $this->asked = $event->getRequest();
        $this->running = $this->used = ($this->recorder)();
        $this->running->begin(true);
    }

    /** The router has found the route. */
    public function leaveOut(RequestEvent $event): void
    {
        $route = $event->getRequest()->attributes->get('_route');
        if ($this->asked === $event->getRequest() && is_string($route) && preg_match(self::NOT_OF_SITE, $route) === 1) {
            $this->running?->drop();
            ($this->next)()->giveBack($event->getRequest()->cookies->all()[NextRequest::COOKIE] ?? null);
            $this->asked = $this->running = null;
        }
    }

    public function forget(ResponseEvent $event): void
    {
        $request = $event->getRequest();
        if ($this->asked === $request) {
            $event->getResponse()->headers->setCookie(Cookie::fromString(NextRequest::clearCookie($request->isSecure())));
        }
    }

    public function end(TerminateEvent $event): void
    {
        $request = $event->getRequest();
        if ($this->asked !== $request) {
            return;
        }
        $route = $request->attributes->get('_route');
        $this->running?->end(is_string($route) ? $request->getMethod() . ' ' . $route : null);
        $this->asked = $this->running = null;
    }
}
