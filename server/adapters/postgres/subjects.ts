import type { Subject } from '#shared/domain/subject';
import type { SubjectStore } from '#shared/ports/storage';
import type { Database } from './connect';

interface Row {
  readonly id: string;
  readonly created_at_ms: string;
  readonly embeddings: Subject['embeddings'];
}

const COLUMNS = 'id, created_at_ms, embeddings';

const subjectOf = ({ id, created_at_ms: createdAtMs, embeddings }: Row): Subject => ({
  id,
  createdAtMs: Number(createdAtMs),
  embeddings,
});

/** Subjects of all processes. The server keeps deleted rows until its automatic vacuum, and its logs for longer. */
export const createSubjects = (database: Database): SubjectStore => ({
  put: async ({ id, createdAtMs, embeddings }) => {
    await database.query(`INSERT INTO subjects (${COLUMNS}) VALUES ($1, $2, $3)`, [
      id,
      createdAtMs,
      JSON.stringify(embeddings),
    ]);
  },
  get: async (id) => {
    const [row] = await database.query<Row>(`SELECT ${COLUMNS} FROM subjects WHERE id = $1`, [id]);
    return row && subjectOf(row);
  },
  list: async () =>
    (await database.query<Row>(`SELECT ${COLUMNS} FROM subjects ORDER BY arrival DESC`)).map(subjectOf),
  remove: async (id) =>
    (await database.query('DELETE FROM subjects WHERE id = $1 RETURNING id', [id])).length > 0,
  removeCreatedBefore: async (atMs) => {
    await database.query('DELETE FROM subjects WHERE created_at_ms < $1', [atMs]);
  },
});
