import { expect, test } from 'vitest';
import { startMessage } from './serve';

const ADDRESS = 'http://127.0.0.1:7000';

test('the start message says that files are kept until they are deleted, and names the flag that limits that', () => {
  expect(startMessage(ADDRESS, undefined)).toBe(
    `Veil is ready at ${ADDRESS}\nUploads and results are kept until their task is deleted; --data-retention deletes them after a time.\n`,
  );
});

test('the start message says how long files are kept', () => {
  expect(startMessage(ADDRESS, 7 * 86_400_000)).toContain(
    'Uploads and results are kept for 7 days after their task has ended (--data-retention).',
  );
});
