import type { Subject } from '#shared/domain/subject';
import type { SubjectStore } from '#shared/ports/storage';
import type { Database } from './database';
import { onDisk } from './disk-refusal';

/** The table of subjects, in the database with the task records. */
export const SUBJECTS_TABLE = `CREATE TABLE subjects (
     arrival INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     created_at_ms INTEGER NOT NULL,
     embeddings TEXT NOT NULL -- JSON; biometric data
   ) STRICT;`;

interface Row {
  readonly id: string;
  readonly created_at_ms: number;
  readonly embeddings: string;
}

const subjectOf = ({ id, created_at_ms: createdAtMs, embeddings }: Row): Subject => ({
  id,
  createdAtMs,
  embeddings: JSON.parse(embeddings) as Subject['embeddings'],
});

/** Subjects in the database of the task records. Deleted ones are also erased from its files. */
export const createSubjectStore = ({
  prepare,
  flush,
  flushAndErase,
}: Pick<Database, 'prepare' | 'flush' | 'flushAndErase'>): SubjectStore => {
  const insert = prepare('INSERT INTO subjects (id, created_at_ms, embeddings) VALUES (?, ?, ?)');
  const selectOne = prepare('SELECT id, created_at_ms, embeddings FROM subjects WHERE id = ?');
  const selectAll = prepare('SELECT id, created_at_ms, embeddings FROM subjects ORDER BY arrival DESC');
  const deleteOne = prepare('DELETE FROM subjects WHERE id = ?');
  const deleteOld = prepare('DELETE FROM subjects WHERE created_at_ms < ?');
  return {
    put: ({ id, createdAtMs, embeddings }) =>
      onDisk(async () => {
        insert.run(id, createdAtMs, JSON.stringify(embeddings));
        await flush();
      }),
    get: async (id) => {
      const row = selectOne.get(id) as Row | undefined;
      return row && subjectOf(row);
    },
    list: async () => (selectAll.all() as Row[]).map(subjectOf),
    remove: (id) =>
      onDisk(async () => {
        const { changes } = deleteOne.run(id);
        if (changes > 0) await flushAndErase();
        return changes > 0;
      }),
    removeCreatedBefore: (atMs) =>
      onDisk(async () => {
        if (deleteOld.run(atMs).changes > 0) await flushAndErase();
      }),
  };
};
