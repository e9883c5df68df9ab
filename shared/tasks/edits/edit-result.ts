import pLimit from 'p-limit';
import { editPlan, candidatesWithoutMask, numberFound } from '../../engine/edits/edit-plan';
import type { RedactionPlan } from '../../domain/plan';
import type { NumberedDetection, EditRequest } from '../../domain/edits/edits';
import { reportPlan } from '../../engine/redact/report';
import { DEFAULT_ENCODINGS } from '../files/image-formats';
import type { ServiceSettings } from '../base/settings';
import {
  readFirstPlan,
  readStoredResult,
  removeTaskFiles,
  replaceResult,
  sourceKey,
} from '../files/task-files';
import type { TaskPorts } from '../base/task-ports';

/** What a search gave. */
export interface SearchFacts {
  /** All that was found, whether it is hidden or not. */
  readonly found: readonly NumberedDetection[];
  /** Whether it went piece by piece, because memory did not suffice. */
  readonly sparedMemory: boolean;
}

/** Applies edits to the results of finished image tasks: renders the stored detections again, without any detector. */
export interface ResultEditor {
  /** @returns undefined where there is no such result (any more) */
  search(id: string): Promise<SearchFacts | undefined>;
  /**
   * Puts a new result in the place of the task's: picture, masks and metadata are those of the revision.
   *
   * Each revision starts from what was found first, so that one can be taken back.
   *
   * @returns false where there is no such result (any more)
   */
  applyEdits(id: string, revision: EditRequest, signal?: AbortSignal): Promise<boolean>;
}

type RevisingPorts = Pick<TaskPorts, 'engine' | 'storage' | 'system' | 'taskStore'>;

/** One at a time: they must not multiply memory, and the last one asked for is the one that stays. */
export const createResultEditor = (
  { engine, storage, system, taskStore }: RevisingPorts,
  { limits, keepMetadata = false }: Pick<ServiceSettings, 'limits' | 'keepMetadata'>,
): ResultEditor => {
  const running = pLimit(1);
  const isGone = async (id: string): Promise<boolean> => (await taskStore.get(id))?.status !== 'done';

  /** The first plan with outlines of what a lower threshold lets in, so that it is hidden as if it had been sought. */
  const withOutlines = async (
    first: RedactionPlan,
    revision: EditRequest,
    readSource: () => Promise<Uint8Array | undefined>,
    signal: AbortSignal,
  ): Promise<RedactionPlan> => {
    const wanted = candidatesWithoutMask(first, revision);
    const source = wanted.length > 0 ? await readSource() : undefined;
    if (!source) return first;
    const objects = wanted.map(({ detection }) => detection);
    const outlines = await engine.outlineObjects(source, objects, limits, signal);
    const byNumber = wanted.map(({ id }, i) => [id, outlines[i] ?? null]);
    return { ...first, candidateOutlines: { ...first.candidateOutlines, ...Object.fromEntries(byNumber) } };
  };

  const applyEdits = async (id: string, revision: EditRequest, signal: AbortSignal): Promise<boolean> => {
    signal.throwIfAborted();
    const [result, known] = await Promise.all([readStoredResult(storage, id), readFirstPlan(storage, id)]);
    if (!result || !known) return false;
    const { sourceFormat } = result;
    const readSource = (): Promise<Uint8Array | undefined> => storage.read(sourceKey(id, sourceFormat));
    const first = await withOutlines(known, revision, readSource, signal);
    const plan = editPlan(first, revision);
    const source = await readSource();
    if (!source) return false;
    const encoding = DEFAULT_ENCODINGS[sourceFormat];
    const anonymised =
      plan.method === 'detect'
        ? null
        : await engine.renderImage(
            { bytes: source, plan, encoding, limits, keepMetadata: revision.keepsMetadata ?? keepMetadata },
            signal,
          );
    if (await isGone(id)) return false;
    const stored = {
      ...result,
      report: reportPlan(plan, result.report.durationS),
      anonymised: anonymised !== null,
      revision: (result.revision ?? 0) + 1,
    };
    await replaceResult({ storage, system }, id, { stored, anonymised, plan, first });
    if (!(await isGone(id))) return true;
    await removeTaskFiles(storage, id); // deleted meanwhile: what was just written must go as well
    return false;
  };

  return {
    search: async (id) => {
      const [first, stored] = await Promise.all([readFirstPlan(storage, id), readStoredResult(storage, id)]);
      return first && { found: numberFound(first), sparedMemory: stored?.sparedMemory === true };
    },
    applyEdits: (id, revision, signal = new AbortController().signal) =>
      running(() => applyEdits(id, revision, signal)),
  };
};
