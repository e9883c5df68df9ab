import { NO_IMAGES, type BagFacts, type TopicKind } from '#shared/domain/bag';
import type { Size } from '#shared/domain/raster';
import type { TopicChoice } from '../../state/bags/bag-choices';
import type { LackOfRoom } from '../../state/bags/open-bag';
import { useLanguage, type Language } from '../messages';
import { GERMAN_BAG_SENTENCES } from './bag-sentences';
import { format as de } from './de-format';
import { GERMAN_SENTENCES } from './de-sentences';
import { format as en } from './en-format';
import { createTranslation } from './translate';

type Named = Pick<BagFacts, 'keptTopics' | 'droppedTopics' | 'droppedAttachments' | 'lostFrames'>;

const MINUTE_S = 60;
const durationIn = (format: typeof en, seconds: number): string =>
  seconds < MINUTE_S ? format.seconds(seconds) : format.clock(seconds);

/** Texts of bags. They are loaded with the first one. */
const english = {
  region: 'MCAP bag',
  lead: 'Choose what happens to each topic. The bag is read and anonymised on this device.',
  notOnServer: 'Bags are anonymised in this tab, also while files are sent to a server.',
  reading: (share: number) => `Reading the bag: ${en.percent(share)}`,
  refused: 'This bag cannot be read',
  unknown: 'Something went wrong. Try again.',
  tooLarge: ({ neededBytes, freeBytes }: LackOfRoom, name: string) =>
    `The bag is too large for this tab: its result may need ${en.megabytes(neededBytes)}, and the browser offers ${en.megabytes(freeBytes)}. Use the command line: veil ${name} -o out`,
  /** Why something was refused, as the engine says it. */
  sentence: (sentence: string) => sentence.replace(/ with --(drop|keep)-topic/g, ''),
  summary: (topics: number, bytes: number, seconds: number) =>
    [en.many(topics, 'topic', 'topics'), en.bytes(bytes), durationIn(en, seconds)].join(' · '),
  images: 'Topics with images',
  others: (count: number) => en.many(count, 'other topic', 'other topics'),
  noImages: NO_IMAGES,
  preview: (topic: string) => `First image of ${topic}`,
  noPreview: 'No image',
  messages: (count: number) => en.many(count, 'message', 'messages'),
  duration: (seconds: number) => durationIn(en, seconds),
  size: ({ width, height }: Size) => `${width} × ${height}`,
  choice: (topic: string) => `What happens to ${topic}`,
  choose: 'Choose …',
  choices: {
    hide: 'Anonymise',
    drop: 'Leave out',
    keep: 'Keep, not anonymised',
  } satisfies Record<TopicChoice, string>,
  keepOther: 'Keep unchanged',
  whyAsked: {
    depth: 'Depth images are not searched.',
    unread: 'Not searched',
  } satisfies Partial<Record<TopicKind, string>>,
  undecided: (topics: readonly string[]) => `Choose first what happens to ${en.list(topics)}.`,
  attachments: (names: readonly string[]) => `Keep attachments that may show something: ${en.list(names)}`,
  detect: 'Choose another method: “Detect only” makes no bag.',
  part: 'Part by time',
  times: { startS: 'From second', endS: 'Before second' },
  noPart: 'Choose a part that begins within the bag and before its own end.',
  anonymise: 'Anonymise',
  waiting: 'Waiting, or reading the bag …',
  progress: (done: number, total: number) => `Image ${en.number(done)} of ${en.number(total)}`,
  stop: 'Stop',
  close: 'Close the bag',
  failed: 'The bag could not be anonymised.',
  done: (images: number, topics: number) =>
    `${en.many(images, 'image', 'images')} of ${en.many(topics, 'topic', 'topics')} anonymised.`,
  changes: ({ keptTopics, droppedTopics, droppedAttachments, lostFrames }: Named): readonly string[] => [
    ...(keptTopics.length > 0 ? [`Not anonymised: ${en.list(keptTopics)}.`] : []),
    ...(droppedTopics.length > 0 ? [`Topics that are left out: ${en.list(droppedTopics)}.`] : []),
    ...(droppedAttachments.length > 0
      ? [`Attachments that are left out: ${en.list(droppedAttachments)}.`]
      : []),
    ...(lostFrames > 0
      ? [`${en.many(lostFrames, 'frame', 'frames')} before the first key frame left out.`]
      : []),
  ],
  download: 'Download the bag',
  downloadReport: 'Download report and log',
  notSaved: 'The file could not be saved.',
  unsigned:
    'The report is not signed: this browser has no key for signatures. Some private windows keep none.',
  again: 'Choose again',
};

const german: typeof english = {
  region: 'MCAP-Bag',
  lead: 'Wählen Sie, was mit jedem Topic geschieht. Das Bag wird auf diesem Gerät gelesen und anonymisiert.',
  notOnServer:
    'Bags werden in diesem Tab anonymisiert, auch während Dateien an einen Server gesendet werden.',
  reading: (share) => `Das Bag wird gelesen: ${de.percent(share)}`,
  refused: 'Dieses Bag lässt sich nicht lesen',
  unknown: 'Etwas ist schiefgegangen. Versuchen Sie es noch einmal.',
  tooLarge: ({ neededBytes, freeBytes }, name) =>
    `Das Bag ist zu groß für diesen Tab: Sein Ergebnis braucht bis zu ${de.megabytes(neededBytes)}, und der Browser bietet ${de.megabytes(freeBytes)}. Nehmen Sie die Befehlszeile: veil ${name} -o out`,
  sentence: createTranslation([...GERMAN_BAG_SENTENCES, ...GERMAN_SENTENCES], '.'),
  summary: (topics, bytes, seconds) =>
    [de.many(topics, 'Topic', 'Topics'), de.bytes(bytes), durationIn(de, seconds)].join(' · '),
  images: 'Topics mit Bildern',
  others: (count) => de.many(count, 'weiteres Topic', 'weitere Topics'),
  noImages: 'Kein Topic dieses Bags hat Bilder: Es gibt nichts zu anonymisieren.',
  preview: (topic) => `Erstes Bild von ${topic}`,
  noPreview: 'Kein Bild',
  messages: (count) => de.many(count, 'Nachricht', 'Nachrichten'),
  duration: (seconds) => durationIn(de, seconds),
  size: english.size,
  choice: (topic) => `Was mit ${topic} geschieht`,
  choose: 'Wählen …',
  choices: {
    hide: 'Anonymisieren',
    drop: 'Weglassen',
    keep: 'Behalten, nicht anonymisiert',
  },
  keepOther: 'Unverändert behalten',
  whyAsked: {
    depth: 'Tiefenbilder werden nicht durchsucht.',
    unread: 'Nicht durchsucht',
  },
  undecided: (topics) => `Wählen Sie zuerst, was mit ${de.list(topics)} geschieht.`,
  attachments: (names) => `Anhänge behalten, die etwas zeigen können: ${de.list(names)}`,
  detect: 'Wählen Sie eine andere Methode: „Nur erkennen“ ergibt kein Bag.',
  part: 'Zeitabschnitt',
  times: { startS: 'Ab Sekunde', endS: 'Vor Sekunde' },
  noPart: 'Wählen Sie einen Abschnitt, der im Bag und vor seinem eigenen Ende beginnt.',
  anonymise: 'Anonymisieren',
  waiting: 'Das Bag wartet oder wird gelesen …',
  progress: (done, total) => `Bild ${de.number(done)} von ${de.number(total)}`,
  stop: 'Anhalten',
  close: 'Bag schließen',
  failed: 'Das Bag konnte nicht anonymisiert werden.',
  done: (images, topics) =>
    `${de.many(images, 'Bild', 'Bilder')} aus ${de.many(topics, 'Topic', 'Topics')} anonymisiert.`,
  changes: ({ keptTopics, droppedTopics, droppedAttachments, lostFrames }) => [
    ...(keptTopics.length > 0 ? [`Nicht anonymisiert: ${de.list(keptTopics)}.`] : []),
    ...(droppedTopics.length > 0 ? [`Weggelassene Topics: ${de.list(droppedTopics)}.`] : []),
    ...(droppedAttachments.length > 0 ? [`Weggelassene Anhänge: ${de.list(droppedAttachments)}.`] : []),
    ...(lostFrames > 0
      ? [`${de.many(lostFrames, 'Einzelbild', 'Einzelbilder')} vor dem ersten Schlüsselbild weggelassen.`]
      : []),
  ],
  download: 'Bag herunterladen',
  downloadReport: 'Bericht und Protokoll herunterladen',
  notSaved: 'Die Datei konnte nicht gespeichert werden.',
  unsigned:
    'Der Bericht ist nicht signiert: Dieser Browser hat keinen Schlüssel für Signaturen. Manche privaten Fenster behalten keinen.',
  again: 'Neu wählen',
};

const TEXTS: Readonly<Record<Language, typeof english>> = { en: english, de: german };

export type BagTexts = typeof english;
export const useBagTexts = (): BagTexts => TEXTS[useLanguage().language];
