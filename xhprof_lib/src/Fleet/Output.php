<?php

declare(strict_types=1);

namespace XHProf\Fleet;

/**
 * Where runs are sent. A run may be sent again, alone or with others: an output counts it once, by its key, or says in its
 * documentation that it cannot.
 */
interface Output
{
    /** Its address as it may be shown: without user, password and parameters. */
    public function name(): string;

    /**
     * Returns when the store has confirmed all of them.
     *
     * @param non-empty-list<Shipment> $shipments
     *
     * @throws Rejected    if the store refuses these runs for what they are; it may have taken some of them
     * @throws Unavailable if they may be taken later: no answer, overload, wrong credentials, an address that leads nowhere
     */
    public function send(array $shipments): void;
}
