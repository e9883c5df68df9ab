import type { UploadParameters } from '#shared/api/client';
import { CLASSES, OBJECT_CLASSES, type ObjectClass } from '#shared/catalogue/classes';
import {
  type PanelName,
  type PanelSettings,
  type CheckboxName,
  camel,
  DEFAULT_QUERY,
  PANEL_NAMES,
  panelSettings,
  PARAMETERS,
} from '#shared/catalogue/derive-parameters';
import type { HidingMethod } from '#shared/catalogue/methods';
import {
  type ClassMethods,
  type ClassThresholds,
  defaultImageOptions,
  thresholdIn,
} from '#shared/domain/options';
import type { Edits } from '#shared/domain/edits/edits';
import type { StatedReasons } from '#shared/domain/stated-reasons';
import { NO_SUBJECT } from '#shared/domain/subject';
import { isSameState } from './history';

/** Settings that apply to all files: parameters of uploads by their names inside, and those of classes. */
export interface Settings extends PanelSettings {
  /**
   * Methods of classes that differ from `method`. Supported only for editable results: not for videos, and not by
   * servers.
   */
  readonly methods?: ClassMethods;
  readonly classes: readonly ObjectClass[];
  /** Minimum score, 0..1, at which an object is hidden. */
  readonly thresholds: ClassThresholds;
  /** Whether files that look like panorama photos and do not say so are searched as such; absent: yes. */
  readonly guessesSpheres?: boolean;
  /** Reasons for which objects are hidden, and the case; absent: as uploaded. */
  readonly stated?: StatedReasons;
  /** The person who stays visible, see `subjects/shown-person.ts`, or `NO_SUBJECT`; if absent, as uploaded. */
  readonly show?: string;
}

/** The API's defaults, except for the classes: in the API, no classes means all classes. */
export const defaultSettings = (): Settings => ({
  ...panelSettings(),
  classes: OBJECT_CLASSES.filter((name) => CLASSES[name].isSelectedInPage),
  thresholds: defaultImageOptions().thresholds,
});

/** The value of a parameter. Flags without a default are off in the page. */
const valueOf = (settings: PanelSettings, name: PanelName) => settings[camel(name)] ?? false;

/** The settings that an upload names: those that are not its defaults. */
export const namedParameters = (settings: PanelSettings): UploadParameters =>
  Object.fromEntries(
    PANEL_NAMES.map((name) => [name, valueOf(settings, name)] as const).filter(
      ([name, value]) => value !== (DEFAULT_QUERY[name] ?? false),
    ),
  );

/** What a tick stands for: true, or the choice that is not the default. */
const checkedValue = (name: CheckboxName): string | boolean | undefined => {
  const { value } = PARAMETERS[name];
  return value.type === 'choice' ? value.of.find((choice) => choice !== value.default) : true;
};
export const isChecked = (settings: Settings, name: CheckboxName): boolean =>
  valueOf(settings, name) === checkedValue(name);
export const withChecked = (settings: Settings, name: CheckboxName, isChecked: boolean): Settings => ({
  ...settings,
  [camel(name)]: isChecked ? checkedValue(name) : (DEFAULT_QUERY[name] ?? false),
});

/** Without a choice of text that has no effect: text is read in images alone, and only where it is hidden. */
export const withReadText = (settings: Settings, isVideo: boolean): Settings => {
  if (settings.classes.includes('text') && !isVideo) return settings;
  const { textMatch: _match, textKeep: _keep, ...others } = settings;
  return others;
};

const same = (names: readonly PanelName[], a: PanelSettings, b: PanelSettings): boolean =>
  names.every((name) => valueOf(a, name) === valueOf(b, name));

/** Parameters that change a result without another detection run. */
const WITHOUT_SEARCH: readonly PanelName[] = ['method', 'keep-metadata', 'audio'];
const OF_SEARCH = PANEL_NAMES.filter((name) => !WITHOUT_SEARCH.includes(name));

/** Whether both need the same detection run, apart from thresholds and classes. */
export const hasSameSearch = (a: Settings, b: Settings): boolean => same(OF_SEARCH, a, b);

/** Whether both search files alike that look like panoramas and do not say so. */
export const hasSameSphereGuess = (
  { guessesSpheres: a = true }: Settings,
  { guessesSpheres: b = true }: Settings,
): boolean => a === b;

/** Whether both produce the same results: the threshold of a disabled class has no effect. */
export const hasSameSettings = (a: Settings, b: Settings): boolean =>
  hasSameResult(a, b) &&
  sameMethods(a.methods, b.methods) &&
  hasSameVisibleSubject(a, b) &&
  hasSameKeptMetadata(a, b) &&
  hasSameReasons(a, b);

/** Whether both are equal for results without editing data, which support no methods per class. */
export const hasSameResult = (a: Settings, b: Settings): boolean =>
  same(['method'], a, b) &&
  hasSameSearch(a, b) &&
  a.classes.length === b.classes.length &&
  a.classes.every(
    (name) => b.classes.includes(name) && thresholdIn(a.thresholds, name) === thresholdIn(b.thresholds, name),
  );

/** Whether the same person stays visible. */
export const hasSameVisibleSubject = (a: Pick<Settings, 'show'>, b: Pick<Settings, 'show'>): boolean =>
  (a.show ?? NO_SUBJECT) === (b.show ?? NO_SUBJECT);

export const NOTHING_STATED: StatedReasons = { codes: [], ofClasses: {}, details: {} };

/** What edits say of reasons and the case. */
export const statedEdits = ({
  stated,
}: Pick<Settings, 'stated'>): Pick<Edits, 'reasons' | 'class_reasons' | 'case'> =>
  stated ? { reasons: stated.codes, class_reasons: stated.ofClasses, case: stated.details } : {};

/** Whether results have the same reasons and belong to the same case. */
export const hasSameReasons = (
  { stated: a = NOTHING_STATED }: Settings,
  { stated: b = NOTHING_STATED }: Settings,
): boolean => isSameState(a, b);

/** Whether videos get the same audio. */
export const hasSameAudio = (a: Settings, b: Settings): boolean => same(['audio'], a, b);

/** Whether results keep the same of the metadata. */
export const hasSameKeptMetadata = (a: Settings, b: Settings): boolean => same(['keep-metadata'], a, b);

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
