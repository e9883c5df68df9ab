import { hides, type Method } from '#shared/catalogue/methods';
import type { VideoOptions } from '#shared/catalogue/derive-parameters';
import { marginOf, QUALITY_PRESETS, thresholdIn, type ImageOptions } from '#shared/domain/options';

/** Everything that decides what is hidden in images and videos. */
export type HidingOptions = ImageOptions & VideoOptions;

/** Whether a change hides less in one respect. */
type Rule = (before: HidingOptions, after: HidingOptions) => boolean;

/** Blur and pixelation contain the same of an object: neither is stronger (decision 49). */
const strengthOf = (method: Method): number => {
  if (!hides(method)) return 0;
  return method === 'blacken' ? 2 : 1;
};

/** Also what hides more, but cannot be ordered, must stay as it is. */
const changed =
  (name: keyof HidingOptions): Rule =>
  (before, after) =>
    JSON.stringify(before[name]) !== JSON.stringify(after[name]);

const switchedOff =
  (name: 'bbox' | 'headFallback'): Rule =>
  (before, after) =>
    before[name] && !after[name];

const weakerMethod: Rule = (before, after) =>
  strengthOf(after.method) < strengthOf(before.method) ||
  before.classes.some((name) => {
    const [was, is] = [before, after].map(({ method, methods }) => strengthOf(methods?.[name] ?? method));
    return is! < was!;
  });

const smallerMargin: Rule = (before, after) =>
  before.classes.some((name) => marginOf(after, name) < marginOf(before, name));

const RULES: Readonly<Record<keyof HidingOptions, Rule>> = {
  classes: (before, after) => before.classes.some((name) => !after.classes.includes(name)),
  thresholds: (before, after) =>
    before.classes.some((name) => thresholdIn(after.thresholds, name) > thresholdIn(before.thresholds, name)),
  method: weakerMethod,
  methods: weakerMethod,
  margin: smallerMargin,
  margins: smallerMargin,
  bbox: switchedOff('bbox'),
  headFallback: switchedOff('headFallback'),
  plates: (before, after) => before.plates === 'thorough' && after.plates !== 'thorough',
  qualityPreset: (before, after) =>
    QUALITY_PRESETS.indexOf(after.qualityPreset) < QUALITY_PRESETS.indexOf(before.qualityPreset),
  detectEvery: (before, after) => after.detectEvery > before.detectEvery,
  noObjectTracking: (before, after) => after.noObjectTracking && !before.noObjectTracking,
  audio: (before, after) => before.audio === 'mute' && after.audio !== 'mute',
  ignores: changed('ignores'),
  hides: changed('hides'),
  textMatch: changed('textMatch'),
  textKeep: changed('textKeep'),
  format: changed('format'),
  show: changed('show'),
  reasons: changed('reasons'),
  classReasons: changed('classReasons'),
  reasonLabels: changed('reasonLabels'),
  caseNumber: changed('caseNumber'),
  requester: changed('requester'),
  recipient: changed('recipient'),
  operator: changed('operator'),
  debug: changed('debug'),
  score: changed('score'),
  keepMetadata: changed('keepMetadata'),
  resultFormat: changed('resultFormat'),
  jpegCopy: changed('jpegCopy'),
  keepBitRate: changed('keepBitRate'),
  preview: changed('preview'),
};

/**
 * Whether settings hide less than others in any respect: fewer classes, higher thresholds, weaker methods, or weaker
 * searches. The only place that says what "less" is, so that a stranger's folder cannot show what its user hides.
 */
export const hidesLess = (before: HidingOptions, after: HidingOptions): boolean =>
  Object.values(RULES).some((isLess) => isLess(before, after));
