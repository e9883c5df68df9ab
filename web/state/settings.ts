import { CLASSES, OBJECT_CLASSES, type ObjectClass } from '#shared/catalogue/classes';
import type { HidingMethod, Method } from '#shared/catalogue/methods';
import {
  DEFAULT_QUALITY,
  defaultImageOptions,
  thresholdIn,
  type ClassMethods,
  type ClassThresholds,
  type QualityPreset,
} from '#shared/domain/options';
import { NO_SUBJECT } from '#shared/domain/subject';

/** Settings that apply to all files. */
export interface Settings {
  readonly method: Method;
  /**
   * Methods of classes that differ from `method`. Supported only for editable results: not for videos, and not by
   * servers.
   */
  readonly methods?: ClassMethods;
  readonly classes: readonly ObjectClass[];
  /** Minimum score, 0..1, at which an object is hidden. */
  readonly thresholds: ClassThresholds;
  readonly quality: QualityPreset;
  /** Whether to hide heads without a detected face. */
  readonly hidesHeads?: boolean;
  /** Whether results keep camera, date and location. Supported only for editable results: not by servers. */
  readonly keepsMetadata?: boolean;
  /** Whether videos lose all audio tracks. */
  readonly mutesAudio?: boolean;
  /** The person who stays visible, see `subjects/shown-person.ts`, or `NO_SUBJECT`; if absent, as uploaded. */
  readonly show?: string;
}

/** The API's defaults, except for the classes: in the API, no classes means all classes. */
export const defaultSettings = (): Settings => {
  const { method, thresholds } = defaultImageOptions();
  const classes = OBJECT_CLASSES.filter((name) => CLASSES[name].isSelectedInPage);
  return { method, classes, thresholds, quality: DEFAULT_QUALITY };
};

/** Whether both need the same detection run, apart from thresholds and classes. */
export const sameEffort = (a: Settings, b: Settings): boolean =>
  a.quality === b.quality && (a.hidesHeads ?? false) === (b.hidesHeads ?? false);

/** Whether both produce the same results: the threshold of a disabled class has no effect. */
export const sameSettings = (a: Settings, b: Settings): boolean =>
  sameSearch(a, b) &&
  sameMethods(a.methods, b.methods) &&
  sameShown(a, b) &&
  (a.keepsMetadata ?? false) === (b.keepsMetadata ?? false);

/** Whether both are equal for results without editing data, which support no methods per class. */
export const sameSearch = (a: Settings, b: Settings): boolean =>
  a.method === b.method &&
  sameEffort(a, b) &&
  a.classes.length === b.classes.length &&
  a.classes.every(
    (name) => b.classes.includes(name) && thresholdIn(a.thresholds, name) === thresholdIn(b.thresholds, name),
  );

/** Whether the same person stays visible. */
export const sameShown = (a: Pick<Settings, 'show'>, b: Pick<Settings, 'show'>): boolean =>
  (a.show ?? NO_SUBJECT) === (b.show ?? NO_SUBJECT);

/** Whether videos get the same audio. */
export const sameAudio = (a: Settings, b: Settings): boolean =>
  (a.mutesAudio ?? false) === (b.mutesAudio ?? false);

const sameMethods = (a: ClassMethods = {}, b: ClassMethods = {}): boolean =>
  // Disabled classes count too: a drawn area may have one.
  (Object.keys({ ...a, ...b }) as ObjectClass[]).every((name) => a[name] === b[name]);

/** Enables or disables the class and keeps the order of `all`. */
export const toggleClass = (settings: Settings, name: ObjectClass, all: readonly ObjectClass[]): Settings => {
  const on = settings.classes.includes(name);
  return {
    ...settings,
    classes: all.filter((other) => (other === name ? !on : settings.classes.includes(other))),
  };
};

export const setThreshold = (settings: Settings, name: ObjectClass, value: number): Settings => ({
  ...settings,
  thresholds: { ...settings.thresholds, [name]: value },
});

/** @param method undefined: as the other classes */
export const setClassMethod = (
  settings: Settings,
  name: ObjectClass,
  method: HidingMethod | undefined,
): Settings => {
  const { [name]: _before, ...others } = settings.methods ?? {};
  return { ...settings, methods: method === undefined ? others : { ...others, [name]: method } };
};
