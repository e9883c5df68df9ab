import type { MediaItem, MediaResult, ContractDecision } from '../media-item';
import type { AppEvent, AppState } from '../app-reducer';
import { type Store, workThrough } from '../store';
import { decisionsInForce } from './decide';

/** Records decisions where a result is, so that its report lists them. */
export interface DecisionRecorder {
  /** @throws if they could not be recorded */
  recordDecisions(result: MediaResult, decisions: readonly ContractDecision[]): Promise<void>;
}

const NONE = '[]';

/** Whether the file has a result that decisions can be about, also while its edits are applied or have failed. */
const isDecidable = ({ status, revision, result }: MediaItem): boolean =>
  result?.hasImage === true && (status === 'done' || revision !== 'none');

const textOf = (item: MediaItem): string => JSON.stringify(decisionsInForce(item));

const recordedText = ({ recordedDecisions, result }: MediaItem): string =>
  recordedDecisions?.taskId === result?.taskId ? (recordedDecisions?.text ?? NONE) : NONE;

/** Whether the report does not list the decisions about a file yet. */
const isUnrecorded = (item: MediaItem): boolean =>
  (item.decisions !== undefined || item.recordedDecisions !== undefined) &&
  isDecidable(item) &&
  textOf(item) !== recordedText(item);

/** Whether the decisions about a file could not be recorded. */
export const hasUnrecordedDecisions = (item: MediaItem): boolean =>
  item.unrecordedDecisions !== undefined && isUnrecorded(item) && textOf(item) === item.unrecordedDecisions;

/**
 * Records each decision at once, so that its time is right: also while the edits of its file wait for further ones.
 *
 * Decisions that are made during a request are sent together after it. Those that could not be recorded are sent again
 * with the next one, or when the user tries again.
 */
export const startRecordingDecisions = (
  store: Store<AppState, AppEvent>,
  recorder: DecisionRecorder,
): void => {
  const next = (): MediaItem | undefined =>
    store.get().items.find((item) => isUnrecorded(item) && !hasUnrecordedDecisions(item));
  const record = async (item: MediaItem): Promise<void> => {
    const { id, result } = item;
    if (!result) return;
    const [{ taskId }, text] = [result, textOf(item)];
    try {
      await recorder.recordDecisions(result, decisionsInForce(item));
      store.send({ type: 'decisions-recorded', id, taskId, text });
    } catch {
      store.send({ type: 'decisions-unrecorded', id, text });
    }
  };
  workThrough(store, next, record)();
};
