import { withDefaults } from '#shared/api/http/query';
import { UploadQuery } from '#shared/api/contract/schemas-upload';
import type { ClassMethods, HidingMethod, Method, QualityPreset } from '#shared/domain/options';
import type { ObjectClass } from '#shared/domain/object-class';

/** What a user chooses for all pictures. */
export interface Settings {
  readonly method: Method;
  /** Of classes that are hidden otherwise. Heeded where results can be changed: not in videos, and by no server. */
  readonly methods?: ClassMethods;
  readonly classes: readonly ObjectClass[];
  /** Lowest score, 0..1, at which an object is hidden. */
  readonly thresholds: Readonly<Record<ObjectClass, number>>;
  /** Absent in what earlier versions saved. */
  readonly quality?: QualityPreset;
  /** Heads are hidden where faces are not found. */
  readonly hidesHeads?: boolean;
  /** Camera, date and place stay in results. Heeded where results can be changed: by no server. */
  readonly keepsMetadata?: boolean;
}

const { 'quality-preset': USUAL_QUALITY } = withDefaults(UploadQuery, {});

export const qualityOf = ({ quality = USUAL_QUALITY }: Settings): QualityPreset => quality;

/**
 * Lowest threshold that can be chosen. What is less sure is noise, hundreds of boxes in a photo, and is not remembered.
 */
export const MIN_THRESHOLD = 0.25;

/** What a street picture usually must not show. People and vehicles as a whole are the exception. */
const USUAL_CLASSES: readonly ObjectClass[] = ['face', 'license-plate'];

/** The API's own defaults, but for the classes: there, none means all. */
export const defaultSettings = (): Settings => {
  const query = withDefaults(UploadQuery, {});
  return {
    method: query.method,
    classes: USUAL_CLASSES,
    thresholds: {
      face: query['face-threshold'],
      'license-plate': query['license-plate-threshold'],
      person: query['person-threshold'],
      vehicle: query['vehicle-threshold'],
    },
    quality: query['quality-preset'],
  };
};

/** Whether both look for objects alike, thresholds and classes aside. */
export const sameEffort = (a: Settings, b: Settings): boolean =>
  qualityOf(a) === qualityOf(b) && (a.hidesHeads ?? false) === (b.hidesHeads ?? false);

/** Whether both would give the same pictures: the threshold of a class that is off decides nothing. */
export const sameSettings = (a: Settings, b: Settings): boolean =>
  sameSearch(a, b) &&
  sameMethods(a.methods, b.methods) &&
  (a.keepsMetadata ?? false) === (b.keepsMetadata ?? false);

/** Whether both are the same to what searches a picture: that knows no methods of single classes. */
export const sameSearch = (a: Settings, b: Settings): boolean =>
  a.method === b.method &&
  sameEffort(a, b) &&
  a.classes.length === b.classes.length &&
  a.classes.every((name) => b.classes.includes(name) && a.thresholds[name] === b.thresholds[name]);

const sameMethods = (a: ClassMethods = {}, b: ClassMethods = {}): boolean =>
  // Of classes that are off, too: something drawn may be of one.
  (Object.keys({ ...a, ...b }) as ObjectClass[]).every((name) => a[name] === b[name]);

/** With the class switched on or off; the order of `all` is kept. */
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

/** @param method undefined: as the others */
export const setClassMethod = (
  settings: Settings,
  name: ObjectClass,
  method: HidingMethod | undefined,
): Settings => {
  const { [name]: _before, ...others } = settings.methods ?? {};
  return { ...settings, methods: method === undefined ? others : { ...others, [name]: method } };
};
