/** One step of the tables. */
export interface Migration {
  /** Of the tables after it. */
  readonly version: number;
  /** Statements that change the tables from the version before to this one. */
  readonly sql: string;
  /**
   * The oldest version of the tables whose programs can work with these tables. Processes of two versions run side by
   * side during an upgrade, so a migration adds columns with defaults; renaming and removing must wait for a version
   * whose predecessors do not use the column any more.
   */
  readonly minCompatible: number;
}

/** Oldest first. Tables of a version before the first one are refused. */
export type Migrations = readonly [Migration, ...Migration[]];

/**
 * Append only after a release, because tables of every released version from the first step on exist.
 *
 * Columns next to `record` are derived from it at each change (`locked-task.ts`) or belong to claims. Columns that change
 * with each progress report are in no index, so that PostgreSQL updates these rows in place (heap-only tuples).
 */
export const MIGRATIONS: Migrations = [
  {
    version: 4, // 1 to 3: tables of unreleased versions
    minCompatible: 4,
    sql: `
CREATE TABLE tasks (
  arrival bigint GENERATED ALWAYS AS IDENTITY UNIQUE, -- order of the list
  id text PRIMARY KEY,
  record json NOT NULL, -- a Task without the secrets below
  kind text NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL,
  ended_at_ms bigint,
  settings json, -- WorkSettings of the accepting process
  changed_at timestamptz NOT NULL DEFAULT now(),
  -- What is to be done: 'process', 'edits' or nothing
  work text,
  is_urgent boolean NOT NULL DEFAULT false,
  job_number integer NOT NULL DEFAULT 1,
  waiting_since timestamptz NOT NULL DEFAULT now(),
  -- The claim; token is null if there is none
  token text,
  worker text,
  heartbeat_at timestamptz,
  -- Result and edits
  folders text[] NOT NULL DEFAULT '{}',
  wanted json, -- Edits
  edit_version integer NOT NULL DEFAULT 0,
  edit_attempts integer NOT NULL DEFAULT 0,
  -- Webhooks
  webhook_due_at_ms bigint,
  webhook_leased_until timestamptz,
  -- Secrets of clients, which workers cannot read
  webhook_target json,
  has_webhook_target boolean GENERATED ALWAYS AS (webhook_target IS NOT NULL) STORED,
  idempotency_key text,
  idempotency_request text
) WITH (fillfactor = 80);
CREATE INDEX tasks_status ON tasks (status) INCLUDE (attempts);
CREATE INDEX tasks_work ON tasks (is_urgent DESC, arrival) WHERE work IS NOT NULL;
CREATE INDEX tasks_ended ON tasks (ended_at_ms) WHERE ended_at_ms IS NOT NULL;
CREATE INDEX tasks_webhook_due ON tasks (webhook_due_at_ms) WHERE webhook_due_at_ms IS NOT NULL;
CREATE INDEX tasks_key ON tasks (idempotency_key, arrival) WHERE idempotency_key IS NOT NULL;

CREATE TABLE attempts ( -- folders that are not, or no longer, part of a result
  token text PRIMARY KEY,
  task_id text NOT NULL,
  next_sweep_at timestamptz, -- null while the claim is alive
  sweeps integer NOT NULL DEFAULT 0
);
CREATE INDEX attempts_task ON attempts (task_id);
CREATE INDEX attempts_due ON attempts (next_sweep_at) WHERE next_sweep_at IS NOT NULL;

CREATE TABLE files_in_doubt (
  task_id text PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE counters (name text PRIMARY KEY, value bigint NOT NULL);
INSERT INTO counters (name, value) VALUES ('lost-heartbeats', 0);

CREATE TABLE segments ( -- parts of long videos, as long as their task waits or is processed
  task_id text NOT NULL REFERENCES tasks ON DELETE CASCADE,
  number integer NOT NULL,
  segment json NOT NULL, -- Segment
  state text NOT NULL DEFAULT 'waiting',
  -- The latest claim; its token names the file of a result
  token text,
  worker text,
  heartbeat_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  frames_done integer NOT NULL DEFAULT 0,
  failure json,
  PRIMARY KEY (task_id, number)
) WITH (fillfactor = 80);

CREATE TABLE subjects ( -- persons who stay visible
  arrival bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  id text PRIMARY KEY,
  created_at_ms bigint NOT NULL,
  embeddings json NOT NULL -- biometric data
);
CREATE INDEX subjects_created ON subjects (created_at_ms);`,
  },
];
