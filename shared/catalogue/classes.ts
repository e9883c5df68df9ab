/** What clients see of a class. Words of the page are in its language catalogues. */
interface ClassEntry {
  /** `type` in the metadata (the API defines 103, Veil the others). */
  readonly typeCode: number;
  /** The bit in the blue channel of an instance mask. */
  readonly maskBit: number;
  /** Whether a service or request that names no class processes it; other classes only where they are named. */
  readonly isDefault: boolean;
  /** Whether it is selected in a new page: a street photo usually must not show it. */
  readonly isSelectedInPage: boolean;
  /** Whether a person must see its objects to check a result, so that labels of the page do not cover them. */
  readonly isDetail: boolean;
  /** Minimum score of a request that names none. Models are calibrated to it: `detector-scores.ts`. */
  readonly threshold: number;
  /** Its objects, in descriptions of the API's parameters. */
  readonly objects: string;
  /** Of its parameter, where the general one is not enough. */
  readonly description?: string;
}

/** In the order in which reports list them. */
const TABLE = {
  face: {
    typeCode: 103,
    maskBit: 32,
    isDefault: true,
    isSelectedInPage: true,
    isDetail: true,
    threshold: 0.5,
    objects: 'faces',
  },
  'license-plate': {
    typeCode: 101,
    maskBit: 64,
    isDefault: true,
    isSelectedInPage: true,
    isDetail: true,
    threshold: 0.5,
    objects: 'license plates',
  },
  person: {
    typeCode: 100,
    maskBit: 128,
    isDefault: true,
    isSelectedInPage: false,
    isDetail: false,
    threshold: 0.4,
    objects: 'persons',
  },
  vehicle: {
    typeCode: 102,
    maskBit: 16,
    isDefault: true,
    isSelectedInPage: false,
    isDetail: false,
    threshold: 0.4,
    objects: 'vehicles',
  },
  text: {
    typeCode: 104,
    maskBit: 8,
    isDefault: false,
    isSelectedInPage: false,
    isDetail: true,
    threshold: 0.5,
    objects: 'text',
    description:
      'Anonymises all legible text; off unless it is switched on, or the request names no class and the service was started with `-a text`. Text on an anonymised license plate is not reported separately.',
  },
} as const satisfies Record<string, ClassEntry>;

/** A kind of object that the product hides. */
export type ObjectClass = keyof typeof TABLE;
export type DefaultClass = {
  [Name in ObjectClass]: (typeof TABLE)[Name]['isDefault'] extends true ? Name : never;
}[ObjectClass];

export const CLASSES: Readonly<Record<ObjectClass, ClassEntry>> = TABLE;
export const OBJECT_CLASSES = Object.keys(TABLE) as readonly ObjectClass[];

/** What reports list: detected objects, and areas that are hidden whatever is there (`hides`). */
export type ReportedClass = ObjectClass | 'area';
export const REPORTED_CLASSES = [...OBJECT_CLASSES, 'area'] as const satisfies readonly ReportedClass[];
const AREA: Pick<ClassEntry, 'typeCode' | 'maskBit'> = { typeCode: 105, maskBit: 4 };
/** What metadata and masks have of a reported class. */
export const codesOf = (name: ReportedClass): Pick<ClassEntry, 'typeCode' | 'maskBit'> =>
  name === 'area' ? AREA : CLASSES[name];

export const isObjectClass = (name: string): name is ObjectClass => Object.hasOwn(TABLE, name);
export const isDefaultClass = (name: ObjectClass): name is DefaultClass => CLASSES[name].isDefault;
export const DEFAULT_CLASSES = OBJECT_CLASSES.filter(isDefaultClass);

/** The default classes, and the others that a request selects: those that its options and its report name. */
export const namedClasses = (selected: readonly ObjectClass[]): readonly ObjectClass[] =>
  OBJECT_CLASSES.filter((name) => isDefaultClass(name) || selected.includes(name));

/** A record with a value for each of `classes`. */
export const perClass = <Value, Name extends ObjectClass = ObjectClass>(
  value: (name: Name) => Value,
  classes: readonly Name[] = OBJECT_CLASSES as readonly Name[],
): Record<Name, Value> =>
  Object.fromEntries(classes.map((name) => [name, value(name)])) as Record<Name, Value>;
