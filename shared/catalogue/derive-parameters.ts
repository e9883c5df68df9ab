import { CLASSES, OBJECT_CLASSES, type ObjectClass } from './classes';
import type { ParameterEntry, ParameterValue } from './parameter-entry';
import { PARAMETER_TABLE } from './parameters';

type Table = typeof PARAMETER_TABLE;
type OfClass = `${string}{class}${string}`;
/** Parameters that are not of a class. */
type PlainName = Exclude<keyof Table, OfClass>;
type NamesOf<Key> = Key extends `${infer Before}{class}${infer After}`
  ? `${Before}${ObjectClass}${After}`
  : Key;
type Flat = { readonly [Key in keyof Table as NamesOf<Key>]: Table[Key]['value'] };

/** Names of all parameters of an upload, as clients write them. */
export type ParameterName = keyof Flat;
type WithDefault = {
  [Name in ParameterName]: Flat[Name] extends { default: unknown } ? Name : never;
}[ParameterName];

type TypeOf<Value> = Value extends { type: 'flag' }
  ? boolean
  : Value extends { of: readonly (infer Choice)[] }
    ? Choice
    : Value extends { type: 'number' }
      ? number
      : string;

/** Query of `POST /v1/file`. */
export type UploadQuery = { readonly [Name in WithDefault]: TypeOf<Flat[Name]> } & {
  readonly [Name in Exclude<ParameterName, WithDefault>]?: TypeOf<Flat[Name]>;
};

/** The name inside: `detect-every` is `detectEvery`. */
export type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
export const camel = <Name extends string>(name: Name): Camel<Name> =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>;

type Having<Entry> = { [Name in PlainName]: Table[Name] extends Entry ? Name : never }[PlainName];
/** Values of some parameters, by their names inside. */
type Values<Name extends PlainName> = {
  readonly [One in Name & WithDefault as Camel<One>]: TypeOf<Flat[One]>;
} & { readonly [One in Exclude<Name, WithDefault> as Camel<One>]?: TypeOf<Flat[One]> };

/** Options of images, which those of the frames of a video are, too; without those of classes. */
export type CommonOptions = Values<Having<{ on: 'all' | 'images' }>>;
/** Options of videos alone. */
export type VideoOptions = Values<Having<{ on: 'videos' }>>;
/** Parameters that are checkboxes in the page. */
export type CheckboxName = Having<{ control: 'checkbox' }>;
/** Parameters among the page's settings. */
export type PanelName = Having<{ control: 'checkbox' | 'own' }>;
export type PanelSettings = Values<PanelName>;

/** Fills in what the entry says of each class. */
const entryOf = (entry: ParameterEntry, objectClass: ObjectClass, isFlag: boolean): ParameterEntry => {
  const { objects, threshold, description } = CLASSES[objectClass];
  const general = objects.endsWith('s') ? entry.description : entry.description.replace('} are', '} is');
  return {
    ...entry,
    value:
      'default' in entry.value ? ({ ...entry.value, default: threshold } as ParameterValue) : entry.value,
    description: (isFlag && description) || general.replace('{objects}', objects),
  };
};

/** All parameters of an upload, with those of each class. */
export const PARAMETERS = Object.fromEntries(
  Object.entries<ParameterEntry>(PARAMETER_TABLE).flatMap(([key, entry]) =>
    key.includes('{class}')
      ? OBJECT_CLASSES.map((name) => [key.replace('{class}', name), entryOf(entry, name, key === '{class}')])
      : [[key, entry]],
  ),
) as Readonly<Record<ParameterName, ParameterEntry>>;
export const PARAMETER_NAMES = Object.keys(PARAMETERS) as readonly ParameterName[];
const PLAIN_NAMES = PARAMETER_NAMES.filter((name): name is PlainName => name in PARAMETER_TABLE);

/** The query of an upload without parameters. */
export const DEFAULT_QUERY = Object.fromEntries(
  PARAMETER_NAMES.flatMap((name) => {
    const { default: value } = PARAMETERS[name].value as { readonly default?: unknown };
    return value === undefined ? [] : [[name, value]];
  }),
) as UploadQuery;

/** Names of the options of these files. */
export const namesOn = (...files: readonly ParameterEntry['on'][]): readonly PlainName[] =>
  PLAIN_NAMES.filter((name) => files.includes(PARAMETERS[name].on));

/** The parameters that were given, by their names inside. */
const valuesOf = (names: readonly PlainName[], query: Partial<UploadQuery>): object =>
  Object.fromEntries(
    names.flatMap((name) => (query[name] === undefined ? [] : [[camel(name), query[name]]])),
  );

export const commonOptions = (query: Partial<UploadQuery> = {}): CommonOptions =>
  valuesOf(namesOn('all', 'images'), { ...DEFAULT_QUERY, ...query }) as CommonOptions;
export const videoOptions = (query: Partial<UploadQuery> = {}): VideoOptions =>
  valuesOf(namesOn('videos'), { ...DEFAULT_QUERY, ...query }) as VideoOptions;

/** Names of the parameters among the page's settings. */
export const PANEL_NAMES = PLAIN_NAMES.filter(
  (name): name is PanelName => PARAMETERS[name].control !== undefined,
);
export const CHECKBOX_NAMES = PANEL_NAMES.filter(
  (name): name is CheckboxName => PARAMETERS[name].control === 'checkbox',
);
/** The page's settings, with defaults for what is not given. @param given may have other fields */
export const panelSettings = (given: Partial<PanelSettings> = {}): PanelSettings => ({
  ...(valuesOf(PANEL_NAMES, DEFAULT_QUERY) as PanelSettings),
  ...Object.fromEntries(
    PANEL_NAMES.map(camel).flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  ),
});
