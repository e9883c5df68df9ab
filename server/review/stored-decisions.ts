import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { matchesSchema } from '#shared/api/http/json-body';
import { parseJson } from '#shared/api/http/parse-json';
import { DecisionsResponse } from '#shared/api/contract/schemas-edits';
import type { Task } from '#shared/domain/task';
import type { TaskService } from '#shared/tasks/service';

/** The decisions about a result, with their times and reviewers, as `GET …/decisions` has them. */
export const decisionsText = ({ decisions = [] }: Pick<Task, 'decisions'>): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify({ decisions }, null, 2)}\n`);

/** @returns undefined where a text is not one of decisions */
export const readDecisions = (text: string): DecisionsResponse['decisions'] | undefined => {
  const value = parseJson(text);
  return matchesSchema(DecisionsResponse, value) ? value.decisions : undefined;
};

/**
 * Gives a task the decisions of an earlier review.
 *
 * @param name path of their file below the result folder
 * @returns a sentence if their file is not one of decisions
 */
export const applyDecisions = async (
  folder: string,
  name: string,
  { id }: Task,
  tasks: TaskService,
): Promise<string | undefined> => {
  const text = await readFile(join(folder, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const decisions = readDecisions(text);
  if (!decisions) return `The file ${name} does not contain decisions.`;
  await tasks.decide(id, decisions);
  return undefined;
};
