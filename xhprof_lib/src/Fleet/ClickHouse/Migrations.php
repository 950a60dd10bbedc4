<?php

declare(strict_types=1);

namespace XHProf\Fleet\ClickHouse;

use XHProf\Exception\SendError;

/**
 * Brings a store to the schema of this version. A step is done when its number is in the store: one that was interrupted is done
 * again, and each of its statements does nothing where it was done before.
 */
final class Migrations
{
    /** ClickHouse's error for a table or a database that does not exist. */
    private const UNKNOWN = [60, 81];

    public function __construct(private readonly Client $client, private readonly Ddl $ddl)
    {
    }

    /**
     * A later version is a line here, and what it makes is what Schema has then. It must not be ALTER TABLE ... MODIFY QUERY of a
     * view: after the server's next start the view does not know its tokens, and a run that is sent again counts twice (seen with
     * 26.7; StoreTest::testTokensOutliveTheServer finds it).
     *
     * @return non-empty-array<int, list<string>> number => statements
     */
    public static function steps(Ddl $ddl): array
    {
        return [
            1 => array_merge(...array_map($ddl->create(...), Schema::tables())),
            2 => [
                ...$ddl->add(Schema::table(Schema::INBOX), Schema::suspendedColumns()),
                ...array_merge(...array_map($ddl->create(...), Schema::suspended())),
                ...$ddl->create(Schema::table(Schema::KEPT)),
            ],
        ];
    }

    public static function newest(): int
    {
        return max(array_keys(self::steps(new Ddl())));
    }

    /**
     * @return int of the store; 0 if there is none
     *
     * @throws QueryFailed|SendError
     */
    public function version(): int
    {
        try {
            $version = $this->client->rows('SELECT max(version) FROM ' . Schema::VERSIONS)[0][0] ?? 0;
        } catch (QueryFailed $e) {
            if (in_array($e->error, self::UNKNOWN, true)) {
                return 0;
            }
            throw $e;
        }

        return is_int($version) ? $version : 0;
    }

    /**
     * Makes the database, and all tables that are not there.
     *
     * @return list<int> the steps that were done
     *
     * @throws QueryFailed|SendError
     */
    public function init(): array
    {
        $this->client->run($this->ddl->database($this->client->database), isGlobal: true);

        return $this->upgrade();
    }

    /**
     * @return list<int> the steps that were done
     *
     * @throws QueryFailed|SendError
     */
    public function upgrade(): array
    {
        $from = $this->version();
        $done = [];
        foreach (self::steps($this->ddl) as $number => $statements) {
            if ($number <= $from) {
                continue;
            }
            foreach ($statements as $statement) {
                $this->client->run($statement);
            }
            $this->client->insert(Schema::VERSIONS, ['version'], [[$number]]);
            $done[] = $number;
        }

        return $done;
    }

    /**
     * Changes how long tables keep their rows.
     *
     * @param list<TableRetention> $which
     *
     * @throws QueryFailed|SendError
     */
    public function keep(array $which): void
    {
        foreach (Schema::tables() as $table) {
            $statement = in_array($table->keep, $which, true) ? $this->ddl->keep($table) : null;
            if ($statement !== null) {
                $this->client->run($statement);
            }
        }
    }
}
