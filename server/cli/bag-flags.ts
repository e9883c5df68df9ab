import { FlagError, type Flag, durationMs, flag, valueError, notEmpty, lastOf, onOff } from './flag';

const SECOND_MS = 1000;

/** Parses a time from the start of a bag, in seconds. */
const seconds = (text: string, label: string): number => {
  const value = durationMs(text) / SECOND_MS;
  if (!Number.isFinite(value)) throw valueError(label, 'a duration, such as 90s or 2m', text);
  return value;
};

const topics = (texts: readonly string[], label: string): readonly string[] => {
  for (const text of texts) {
    notEmpty(text, label);
    if (/\p{C}/u.test(text)) throw new FlagError(`${label} must be the name of a topic.`);
  }
  return texts;
};

/** Flags for MCAP bags only. */
export const BAG_FLAGS: readonly Flag[] = [
  flag(
    'topics <topic>',
    'topic that the result of an MCAP bag has; repeat it for several (all)',
    (texts, label) => ({ bag: { topics: topics(texts, label) } }),
    { repeated: true },
  ),
  flag(
    'start <duration>',
    'time from the start of an MCAP bag from which on its result has messages, such as 90s (0s)',
    lastOf(seconds, (startS) => ({ bag: { startS } })),
  ),
  flag(
    'end <duration>',
    'time from the start of an MCAP bag at which its result ends, such as 2m (its end)',
    lastOf(seconds, (endS) => ({ bag: { endS } })),
  ),
  flag(
    'drop-topic <topic>',
    'topic that is left out of the result of an MCAP bag; repeat it for several (none)',
    (texts, label) => ({ bag: { dropTopics: topics(texts, label) } }),
    { repeated: true },
  ),
  flag(
    'keep-topic <topic>',
    'topic of an MCAP bag that is not anonymised, whatever it shows; repeat it for several (none)',
    (texts, label) => ({ bag: { keepTopics: topics(texts, label) } }),
    { repeated: true },
  ),
  flag(
    'keep-depth',
    'keeps depth images of MCAP bags, which are left out otherwise',
    lastOf(onOff, (keepDepth) => ({ bag: { keepDepth } })),
  ),
  flag(
    'keep-attachments',
    'keeps all attachments of MCAP bags; otherwise only texts stay',
    lastOf(onOff, (keepAttachments) => ({ bag: { keepAttachments } })),
  ),
];
